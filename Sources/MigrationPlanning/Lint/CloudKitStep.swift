package import ObjectModel

/// The step from versions whose CloudKit schema is deployed to a new one, as devices with the older versions
/// see it.
///
/// A deployed schema keeps its record types and fields, even if the model drops them: "You can't delete
/// a record type or modify any existing attributes after you promote a development schema to
/// production."
package struct CloudKitStep {
  /// A version, with its CloudKit mirroring.
  package typealias Mirrored = (version: ModelVersion, mirroring: CloudKitMirroring)

  private let deployed: [Mirrored]
  private let last: Mirrored
  private let lastSchema: CloudKitSchema
  private let new: Mirrored
  private var findings: [Finding] = []

  /// Returns the findings on a new version; none where no version is deployed.
  ///
  /// - Parameter deployed: The versions before it whose schema is deployed, the oldest first.
  /// - Complexity: O(*v* · *p*) in versions and properties of one.
  package static func findings(from deployed: [Mirrored], to new: Mirrored) -> [Finding] {
    guard let last = deployed.last else { return [] }
    var step = CloudKitStep(deployed: deployed, last: last, new: new)
    step.checkNames()
    step.checkTypes()
    return step.findings
  }

  private init(deployed: [Mirrored], last: Mirrored, new: Mirrored) {
    self.deployed = deployed
    self.last = last
    lastSchema = CloudKitSchema(of: last.mirroring.entities, in: last.version.model)
    self.new = new
  }

  // MARK: Names

  private mutating func checkNames() {
    let mirrored = new.mirroring.entities
    let model = new.version.model
    for entity in last.version.model.entities
    where last.mirroring.entities.contains(entity.name) {
      let successor =
        model[entity.name]
        ?? model.entities.first { $0.canonicalName == entity.canonicalName }
      guard let successor, mirrored.contains(successor.name) else {
        report(
          .recordPartDropped,
          .warning,
          at: Finding.Place(version: new.version.name, entity: entity.name),
          (successor == nil
            ? "\(subject: entity.name) \(.is) dropped"
            : "CloudKit does not mirror \(entity.name) any more")
            + ", and \(.its) record type stays deployed: devices with \(version: last.version.name) go on to "
            + "sync \(.its) objects among themselves, which \(version: new.version.name) does not see.",
          "Keep the entity until no device has \(version: last.version.name)."
        )
        continue
      }
      if successor.name != entity.name {
        // "Cannot migrate store in-place: CloudKit integration forbids renaming 'CDProfile' to 'CDProfileV3'",
        // https://github.com/partout-io/passepartout/issues/586
        report(
          .recordPartRenamed,
          new.mirroring.isCertain ? .error : .warning,
          at: Finding.Place(version: new.version.name, entity: successor.name),
          "\(subject: entity.name) is renamed to \(successor.name). Core Data is reported not to migrate a store then "
            + "that CloudKit mirrors: \"CloudKit integration forbids renaming\". For CloudKit it is a new "
            + "record type: devices with \(version: last.version.name) see no object that \(version: new.version.name) makes, and "
            + "a device that starts with \(version: new.version.name) gets no object that they make.",
          "Keep the name \(entity.name) in the model, and rename the class alone."
        )
      }
      checkNames(of: entity, as: successor)
    }
  }

  private mutating func checkNames(of entity: EntityDescription, as successor: EntityDescription) {
    let root = last.version.model.rootEntityName(of: entity.name)
    let fields = lastSchema.recordTypes[root] ?? [:]
    let old =
      (entity.attributes.map { ($0.name, $0.canonicalName) }
      + entity.relationships.map { ($0.name, $0.canonicalName) }).filter { fields[$0.0] != nil }
    let properties = new.version.model.declaredProperties(of: successor.name).map(\.property)
    for (name, canonicalName) in old where !properties.contains(where: { $0.name == name }) {
      // A property that moves to an entity below stays a field of the record type.
      let below = new.version.model.hierarchyNames(below: successor.name)
      if below.contains(where: { new.version.model.declaredProperty(name, of: $0) != nil }) {
        continue
      }
      guard let renamed = properties.first(where: { $0.canonicalName == canonicalName }) else {
        report(
          .recordPartDropped,
          .warning,
          at: Finding.Place(version: new.version.name, entity: successor.name, property: name),
          "\(subject: "\(entity.name).\(name)") \(.is) dropped, and \(.its) field stays deployed: devices with "
            + "\(version: last.version.name) go on to sync \(.its) values, which \(version: new.version.name) neither "
            + "shows nor changes.",
          "Keep the property until no device has \(version: last.version.name)."
        )
        continue
      }
      report(
        .recordPartRenamed,
        .warning,
        at: Finding.Place(
          version: new.version.name,
          entity: successor.name,
          property: renamed.name
        ),
        "\(subject: "\(entity.name).\(name)") \(.is) renamed to \(renamed.name), for CloudKit a new field: devices "
          + "with \(version: last.version.name) see no value that \(version: new.version.name) sets, and a device "
          + "that starts with \(version: new.version.name) gets no value that they set.",
        "Keep the name \(name) in the model, and call it \(renamed.name) in code alone."
      )
    }
  }

  // MARK: Types

  private mutating func checkTypes() {
    let schema = CloudKitSchema(of: new.mirroring.entities, in: new.version.model)
    let older = deployed.reversed().map {
      (
        name: $0.version.name,
        schema: CloudKitSchema(of: $0.mirroring.entities, in: $0.version.model)
      )
    }
    for entity in new.version.model.entities where new.mirroring.entities.contains(entity.name) {
      let root = new.version.model.rootEntityName(of: entity.name)
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
        guard let field = schema.recordTypes[root]?[name],
          let first = older.lazy.compactMap({ older in
            older.schema.recordTypes[root]?[name].map { (older.name, $0) }
          }).first(where: { !$0.1.holds(field) })
        else { continue }
        report(
          .recordFieldRetyped,
          .error,
          at: Finding.Place(version: new.version.name, entity: entity.name, property: name),
          "\(subject: "\(entity.name).\(name)") \(.is) \(Self.words(field)), and the field that \(first.0) "
            + "deployed is \(Self.words(first.1)). CloudKit changes no deployed field: records of "
            + "\(root) that \(version: new.version.name) saves are refused, and devices with \(first.0) do "
            + "not get them.",
          "Keep \(name) as it was, and add an attribute of another name."
        )
      }
    }
  }

  private static func words(_ field: CloudKitSchema.Field) -> String {
    (field.kind?.rawValue ?? "of an unknown type") + (field.isEncrypted ? ", encrypted" : "")
  }

  private mutating func report(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    at place: Finding.Place,
    _ message: Finding.Text,
    _ remedy: Finding.Text
  ) {
    findings.append(Finding(code, severity, at: place, message: message, advice: remedy))
  }
}
