package import ObjectModel

/// A check of a model's versions for mistakes that no compiler reports.
package struct ModelLint {
  var findings: [Finding] = []
  /// The subjects reported for the version before, which are not reported again.
  private var reported: Set<Fact> = []
  private var known: Set<Fact> = []

  /// A fact that may hold for several versions.
  private struct Fact: Hashable {
    let code: FindingCode
    let subject: String?
    let statement: Finding.Text
  }

  /// Returns the findings on a model, version by version.
  ///
  /// A finding on a step is at the later version, and one on several versions at the first of them.
  /// - Complexity: O(*v* · *p*) in versions and properties of one version.
  package static func findings(in model: VersionedModel) -> [Finding] {
    var lint = ModelLint()
    for (position, version) in model.versions.enumerated() {
      lint.known = lint.reported
      lint.reported = []
      lint.check(version)
      let parents = model.parentPositions(of: position)
      if let previous = parents.first {
        lint.checkIdentifiers(
          of: version,
          model.versions[previous],
          earlier: model.versions[..<position]
        )
      }
      for parent in parents {
        lint.check(
          from: model.versions[parent],
          to: version,
          earlier: model.versions[..<position]
        )
      }
    }
    return model.questions.configurationUse.settled(lint.findings)
  }

  /// Returns the findings on steps between versions of the same hashes, which no edge reports.
  ///
  /// - Complexity: O(*v* + *s* · *p*) in versions, such steps and properties of one version.
  package static func findingsBetweenEqualVersions(of model: VersionedModel) -> [Finding] {
    var lint = ModelLint()
    for (position, version) in model.versions.enumerated() {
      for parent in model.parentPositions(of: position) {
        let previous = model.versions[parent]
        guard previous.model.entityVersionHashes == version.model.entityVersionHashes else {
          continue
        }
        lint.check(from: previous, to: version, earlier: model.versions[..<position])
      }
    }
    return model.questions.configurationUse.settled(lint.findings)
  }

  init() {}

  // MARK: One version

  private mutating func check(_ version: ModelVersion) {
    checkNames(version.model.entities.map { ($0.name, $0.canonicalName) }, version, entity: nil)
    for entity in version.model.entities {
      let properties = version.model.properties(of: entity.name).map(\.property)
      // Properties that are only inherited were reported at the ancestor.
      let own = Set(
        version.model.ownAttributes(of: entity.name).map(\.name)
          + entity.relationships.map(\.name)
      )
      checkNames(
        properties.filter { $0.isPersistent }.map { ($0.name, $0.canonicalName) },
        version,
        entity: entity.name,
        among: own
      )
      for relationship in entity.relationships
      where relationship.isPersistent && relationship.inverseName == nil {
        reportOnce(
          .missingInverse,
          .warning,
          at: Finding.Place(
            version: version.name,
            entity: entity.name,
            property: relationship.name
          ),
          Self.withoutInverse(relationship, of: entity.name),
          "In a version that has not shipped, add to \(relationship.destinationEntityName) a relationship "
            + "whose destination is \(entity.name), and make the two the inverse of each other."
        )
      }
      checkInverses(of: entity, version)
      let reasons = version.model.unprovenHashReasons(of: entity.name)
      if !reasons.isEmpty {
        reportOnce(
          .unprovenHash,
          .note,
          at: Finding.Place(version: version.name, entity: entity.name),
          "\(subject: entity.name) may have another version hash: \(reasons.joined(separator: "; ")).",
          "Compare it with a store that the app made at this version."
        )
      }
    }
  }

  /// Returns the effect of a relationship without an inverse.
  ///
  /// A to-one holds the key of its destination. For a to-many, the row of each destination holds one
  /// key, that of its owner (FORMAT.md, 6.4), so that a second owner takes the object from the first.
  private static func withoutInverse(
    _ relationship: RelationshipDescription,
    of entity: String
  ) -> Finding.Text {
    let (place, other) = ("\(entity).\(relationship.name)", relationship.destinationEntityName)
    return relationship.isToMany
      ? "\(subject: place) \(.has) no inverse: a store keeps one owner for each object of \(other), so that an object "
        + "given to a second \(entity) leaves the first."
      : "\(subject: place) \(.has) no inverse: where an object of \(other) is deleted, \(place) still leads to \(.its) row."
  }

  /// Finds relationships whose inverses do not lead back.
  private mutating func checkInverses(of entity: EntityDescription, _ version: ModelVersion) {
    for relationship in entity.relationships where relationship.isPersistent {
      guard let name = relationship.inverseName, version.model.inverse(of: relationship) == nil
      else { continue }
      let inverse = version.model.namedInverse(of: relationship)
      let back = inverse?.property.relationship?.inverseName.map { "whose own inverse is \($0)" }
      reportOnce(
        .inverseLeadsElsewhere,
        .warning,
        at: Finding.Place(version: version.name, entity: entity.name, property: relationship.name),
        "\(subject: "\(entity.name).\(relationship.name)") \(.names) \(relationship.destinationEntityName).\(name) as "
          + "\(.its) inverse, "
          + "\(inverse == nil ? "which is no relationship" : back ?? "which has no inverse"): Core Data does not keep the two in step.",
        "In a version that has not shipped, give each relationship an inverse of its own."
      )
    }
  }

  /// Finds items of one version that match the same item of an earlier one.
  private mutating func checkNames(
    _ items: [(name: String, canonicalName: String)],
    _ version: ModelVersion,
    entity: String?,
    among own: Set<String>? = nil
  ) {
    let groups = Dictionary(grouping: items, by: \.canonicalName)
    for (name, group) in groups.sorted(by: { ByteOrder.precedes($0.key, $1.key) })
    where group.count > 1
      && (own.map { names in group.contains { names.contains($0.name) } } ?? true)
    {
      let names = group.map(\.name).sorted(by: ByteOrder.precedes)
      let others = names.dropFirst(entity == nil ? 1 : 0).joined(separator: " and ")
      reportOnce(
        .ambiguousCanonicalName,
        .warning,
        at: Finding.Place(version: version.name, entity: entity ?? group[0].name),
        "\(subject: entity ?? names[0])\(entity == nil ? " and " : ".")\(others) match the same earlier \"\(name)\", by name or "
          + "\(version.model.framework.renamingIdentifier). Core Data may pick any of them.",
        MappingInference.remedy(for: group.map(\.name), sharing: name, version.model.framework)
          ?? "Change or clear a \(version.model.framework.renamingIdentifier), so that only one of them matches; no version hash changes."
      )
    }
  }

  // MARK: Identifiers

  private static let correction: Finding.Text =
    "Set it to the earlier name, or clear it; no version hash changes."

  private mutating func checkIdentifiers(
    of version: ModelVersion,
    _ previous: ModelVersion,
    earlier: ArraySlice<ModelVersion>
  ) {
    for entity in version.model.entities {
      if let identifier = entity.renamingIdentifier, identifier != entity.name,
        previous.model[entity.name]?.renamingIdentifier != identifier,
        !earlier.contains(where: { $0.model.hasEntity(called: identifier) })
      {
        report(
          .renamingIdentifierNamesNothing,
          .warning,
          at: Finding.Place(version: version.name, entity: entity.name),
          "\(subject: entity.name) \(.has) the \(version.model.framework.renamingIdentifier) \"\(identifier)\", which no entity of an earlier version "
            + "has.",
          Self.correction
        )
      }
      checkPropertyIdentifiers(of: entity, version, previous, earlier)
    }
  }

  private mutating func checkPropertyIdentifiers(
    of entity: EntityDescription,
    _ version: ModelVersion,
    _ previous: ModelVersion,
    _ earlier: ArraySlice<ModelVersion>
  ) {
    let properties =
      entity.attributes.map(PropertyDescription.attribute)
      + version.model.elementsWithIdentifier(of: entity).map(PropertyDescription.attribute)
      + entity.relationships.map(PropertyDescription.relationship)
    for property in properties where property.canonicalName != property.name {
      let former = previous.model.entities.first { $0.canonicalName == entity.canonicalName }
      let last = former.flatMap {
        previous.model.anyProperty(property.name, of: $0.name)?.canonicalName
      }
      // It is reported once, where it was set.
      guard last != property.canonicalName else { continue }
      guard !Self.isKnown(property.canonicalName, of: entity, in: version, earlier) else {
        continue
      }
      // An entity that may be a former one without its Renaming ID is reported at its own step.
      guard !Self.wasOfAnother(property.canonicalName, than: entity, in: version, previous) else {
        continue
      }
      report(
        .renamingIdentifierNamesNothing,
        .warning,
        at: Finding.Place(version: version.name, entity: entity.name, property: property.name),
        "\(subject: "\(entity.name).\(property.name)") \(.has) the \(version.model.framework.renamingIdentifier) \"\(property.canonicalName)\", which no "
          + "property of an earlier version has.",
        // A name that is used again must not take the values of its earlier owner.
        earlier.contains { $0.model.anyProperty(property.name, of: entity.name) != nil }
          ? "If it keeps the earlier \(property.name) apart, leave it. Else set it to the earlier name; no "
            + "version hash changes."
          : Self.correction
      )
    }
  }

  /// Returns whether an entity that is gone had a property of a name or canonical name, and an entity is
  /// new, so that the one may be the other.
  private static func wasOfAnother(
    _ name: String,
    than entity: EntityDescription,
    in version: ModelVersion,
    _ previous: ModelVersion
  ) -> Bool {
    guard !previous.model.hasEntity(called: entity.canonicalName) else { return false }
    return previous.model.entities.contains { former in
      !version.model.hasEntity(called: former.name)
        && previous.model.hasProperty(called: name, former.name)
    }
  }

  /// Returns whether an earlier version of an entity, or of one below it, has a property of a name or
  /// canonical name: one that moves up takes the values of those below.
  static func isKnown(
    _ name: String,
    of entity: EntityDescription,
    in version: ModelVersion,
    _ earlier: ArraySlice<ModelVersion>
  ) -> Bool {
    isHeld(by: entity, in: version, earlier) { $0.hasProperty(called: name, $1) }
  }

  /// Returns whether a property of an earlier version of an entity, or of one below it, has a name: not
  /// only a Renaming ID.
  static func isName(
    _ name: String,
    of entity: EntityDescription,
    in version: ModelVersion,
    _ earlier: ArraySlice<ModelVersion>
  ) -> Bool {
    isHeld(by: entity, in: version, earlier) { $0.anyProperty(name, of: $1) != nil }
  }

  /// Returns whether an earlier version of an entity, or of one below it, fits.
  private static func isHeld(
    by entity: EntityDescription,
    in version: ModelVersion,
    _ earlier: ArraySlice<ModelVersion>,
    _ fits: (_ model: ManagedObjectModel, _ entity: String) -> Bool
  ) -> Bool {
    let family = version.model.hierarchyNames(below: entity.name).compactMap { version.model[$0] }
    let names = Set(family.flatMap { [$0.name, $0.canonicalName] })
    let canonicalNames = Set(family.map(\.canonicalName))
    return earlier.contains { earlier in
      earlier.model.entities.contains { other in
        (canonicalNames.contains(other.canonicalName) || names.contains(other.name))
          && fits(earlier.model, other.name)
      }
    }
  }

  /// Reports the findings on a version by itself, unless the one before had them.
  private mutating func reportOnce(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    at place: Finding.Place,
    _ message: Finding.Text,
    _ remedy: Finding.Text
  ) {
    let fact = Fact(code: code, subject: place.subject, statement: message)
    reported.insert(fact)
    guard !known.contains(fact) else { return }
    report(code, severity, at: place, message, remedy)
  }

  mutating func report(_ list: [Finding]) { findings += list }

  mutating func report(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    at place: Finding.Place,
    _ message: Finding.Text,
    _ remedy: Finding.Text
  ) {
    findings.append(Finding(code, severity, at: place, message: message, advice: remedy))
  }
}

extension ManagedObjectModel {
  /// Returns whether an entity has this name or this canonical name.
  func hasEntity(called name: String) -> Bool {
    entities.contains { $0.name == name || $0.canonicalName == name }
  }

  /// Returns whether an entity has a property of this name or canonical name: a composite, or its
  /// element.
  fileprivate func hasProperty(called name: String, _ entityName: String) -> Bool {
    (declaredProperties(of: entityName) + properties(of: entityName)).contains {
      $0.property.name == name || $0.property.canonicalName == name
    }
  }

  /// Returns a property of an entity: a composite, or its element.
  fileprivate func anyProperty(_ name: String, of entityName: String) -> PropertyDescription? {
    (declaredProperty(name, of: entityName) ?? property(name, of: entityName))?.property
  }

  /// Returns the elements of an entity's own composites that have a Renaming ID themselves.
  fileprivate func elementsWithIdentifier(of entity: EntityDescription) -> [AttributeDescription] {
    entity.attributes.flatMap { attribute in
      let members = composite(of: attribute)?.attributes ?? []
      return zip(elements(of: attribute) ?? [], members)
        .filter { $0.1.renamingIdentifier != nil }.map(\.0)
    }
  }
}
