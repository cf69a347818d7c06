package import ObjectModel

/// The rules that CloudKit sets for models whose stores it mirrors.
///
/// Apple's *Creating a Core Data Model for CloudKit* lists them but for order and defaults, which the framework's
/// own messages name: "CloudKit integration does not support ordered relationships", "CloudKit integration
/// requires that all attributes be optional, or have a default value set".
/// https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit
package struct CloudKitLint {
  private let version: ModelVersion
  private let mirroring: CloudKitMirroring
  private var findings: [Finding] = []

  private var model: ManagedObjectModel { version.model }

  /// Returns the parts of a version that CloudKit does not mirror, as errors, or as warnings where it is not
  /// certain that it is to mirror them.
  ///
  /// - Complexity: O(*p*) in the properties.
  package static func findings(
    on version: ModelVersion,
    _ mirroring: CloudKitMirroring
  ) -> [Finding] {
    var lint = CloudKitLint(version: version, mirroring: mirroring)
    let entities = mirroring.entities
    for entity in lint.model.entities where entities.contains(entity.name) { lint.check(entity) }
    return lint.findings
  }

  private init(version: ModelVersion, mirroring: CloudKitMirroring) {
    self.version = version
    self.mirroring = mirroring
  }

  private var isSwift: Bool { model.framework == .swiftData }

  private mutating func check(_ entity: EntityDescription) {
    for constraint in entity.uniquenessConstraints {
      let property = constraint.count == 1 ? constraint[0] : nil
      report(
        .mirroredUniqueness,
        entity,
        property,
        (property.map { "\(subject: "\(entity.name).\($0)") \(.is)" }
          ?? "\(constraint.joined(separator: ", ")) of \(entity.name) are")
          + " unique, and CloudKit supports no uniqueness constraint.",
        isSwift
          ? "Remove @Attribute(.unique) or #Unique, and let the app find duplicates."
          : "Remove the constraint, and let the app find duplicates."
      )
    }
    for attribute in entity.attributes where !attribute.isTransient { check(attribute, entity) }
    for relationship in entity.relationships where relationship.isPersistent {
      check(relationship, entity)
    }
  }

  private mutating func check(_ attribute: AttributeDescription, _ entity: EntityDescription) {
    let place = "\(entity.name).\(attribute.name)"
    switch attribute.attributeType {
    case .undefined, .objectID:
      let type = attribute.attributeType == .undefined ? "Undefined" : "object ID"
      report(
        .mirroredType,
        entity,
        attribute.name,
        "\(subject: place) \(.is) of type \(type), which CloudKit does not support.",
        "Give it another type, or make it transient."
      )
    // Nothing shows that the framework asks for a default of these.
    case .composite: break
    default:
      guard !attribute.isOptional, attribute.defaultValue == nil, !attribute.hasComputedDefault,
        attribute.derivationExpression == nil
      else { return }
      report(
        .mirroredRequiredAttribute,
        entity,
        attribute.name,
        "\(subject: place) \(.is) required and has no default. CloudKit requires that attributes are optional "
          + "or have one.",
        isSwift
          ? "Declare it optional, or with an initial value: a value that `init` sets is no default."
          : ModelFramework.coreData.takesDefault(attribute.attributeType)
            ? "Make it optional, or give it a default value." : "Make it optional."
      )
    }
  }

  private mutating func check(
    _ relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) {
    let place = "\(entity.name).\(relationship.name)"
    let destination = relationship.destinationEntityName
    func report(_ code: FindingCode, _ message: Finding.Text, _ remedy: Finding.Text) {
      self.report(code, entity, relationship.name, message, remedy)
    }
    if !relationship.isOptional {
      report(
        .mirroredRequiredRelationship,
        "\(subject: place) \(.is) required. CloudKit requires that relationships are optional.",
        isSwift
          ? "Declare it as `\(relationship.isToMany ? "[\(destination)]" : destination)?`."
          : "Make it optional."
      )
    }
    if relationship.inverseName == nil {
      report(
        .mirroredMissingInverse,
        "\(subject: place) \(.has) no inverse. CloudKit requires one, since records may arrive in any order.",
        "Add to \(destination) an optional relationship whose destination is \(entity.name), and "
          + "make the two the inverse of each other."
      )
    }
    if relationship.deletionRule == .deny {
      report(
        .mirroredDeny,
        "\(subject: place) \(.has) the deletion rule Deny, which CloudKit does not support.",
        "Set it to Nullify, and let the app refuse the deletion."
      )
    }
    if relationship.isOrdered {
      report(
        .mirroredOrder,
        "\(subject: place) \(.is) ordered, which CloudKit does not support.",
        "Clear Ordered, and keep the order in an attribute of \(destination)."
      )
    }
    let isElsewhere = mirroring.stores.contains {
      $0.contains(entity.name) && !$0.contains(destination)
    }
    if isElsewhere {
      report(
        .mirroredDestinationElsewhere,
        "\(subject: place) \(.leads) to \(destination), which is in no mirrored configuration of "
          + "\(entity.name).",
        "Add \(destination) to the configuration, or keep an attribute of it in place of the "
          + "relationship."
      )
    }
  }

  private mutating func report(
    _ code: FindingCode,
    _ entity: EntityDescription,
    _ property: String?,
    _ message: Finding.Text,
    _ remedy: Finding.Text
  ) {
    let place = Finding.Place(version: version.name, entity: entity.name, property: property)
    let severity: Finding.Severity = mirroring.isCertain ? .error : .warning
    findings.append(Finding(code, severity, at: place, message: message, advice: remedy))
  }
}
