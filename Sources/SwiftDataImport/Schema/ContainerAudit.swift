internal import ObjectModel

/// A comparison of the app's containers with the versions that its sources declare.
struct ContainerAudit {
  private let model: SourceModel
  private let module: SourceModule
  private let containers: [AppContainers.Container]

  /// - Parameter containers: The containers that may be of the model.
  init(_ model: SourceModel, of containers: [AppContainers.Container], in module: SourceModule) {
    self.model = model
    self.module = module
    self.containers = containers.filter { $0.call.isTemporary == false }
  }

  /// The first container, where all are given classes alone and none a migration plan.
  var callWithoutPlan: SourcePlace? {
    containers.allSatisfy { $0.call.plan == nil } ? containers.first?.call.place : nil
  }

  /// The finding that no container uses the latest versioned schema, and the schema of the containers' models
  /// where no versioned schema has them; nil where a container is given the latest one, or may be.
  func difference() -> (finding: Finding, schema: SourceSchema?)? {
    guard let current = model.current, let latest = current.name, !current.isIncomplete,
      let first = containers.first, containers.allSatisfy(\.list.doubts.isEmpty)
    else { return nil }
    let given = containers.map(\.paths)
    if given.contains(current.modelPaths) { return nil }
    var older = model.schemas.last { given.contains($0.modelPaths) }
    var own: SourceSchema?
    if older == nil, given.allSatisfy({ $0 == given[0] }), !given[0].isEmpty {
      let schema = SchemaBuilder.build(
        SourceSchema(path: [], identifier: nil, place: first.call.place),
        of: first.list.models,
        in: module
      )
      // Copies of classes may be those of a schema: its stores are theirs, too.
      older = model.schemas.last { $0.hasHashes(of: schema) }
      if older == nil, schema.isWhole, model.schemas.allSatisfy({ $0.isOther(than: schema) }) {
        own = schema
      }
    }
    // The stores of a schema of the same hashes are of the latest one, too.
    if let older, older.hasHashes(of: current) { return nil }
    return (finding(at: first.call, latest: current, named: latest, older, own), own)
  }

  private func finding(
    at call: ContainerCall,
    latest: SourceSchema,
    named name: String,
    _ older: SourceSchema?,
    _ own: SourceSchema?
  ) -> Finding {
    guard older == nil else {
      return finding(
        at: call,
        "the models of \(older?.name ?? ""), but the latest schema is \(name). "
          + "The app may not migrate its stores to \(name).",
        "Give it `Schema(versionedSchema: \(name).self)`, or remove \(name) until the app has it."
      )
    }
    let difference = own.map { Self.words(for: $0, beside: latest, name) } ?? ""
    return finding(
      at: call,
      "models that no schema has as a whole\(difference). Stores of the app have the container's models"
        + "\(own == nil ? "" : ", which are the current version here"): the app may not open older ones.",
      "Declare a VersionedSchema with the container's models, list it last in the migration plan, with a stage "
        + "to it, and give it to the container. Where the app was never released with them, give the container "
        + "`Schema(versionedSchema: \(name).self)`."
    )
  }

  private func finding(at call: ContainerCall, _ what: String, _ remedy: String) -> Finding {
    Finding(
      .containerDiffersFromHistory,
      .error,
      at: call.place.finding(),
      message: "The \(call.callee) here is given \(what)",
      remedy: remedy
    )
  }

  /// Returns the entities that a container has beside the latest schema's, and those that it lacks.
  private static func words(for own: SourceSchema, beside latest: SourceSchema, _ name: String)
    -> String
  {
    let (mine, theirs) = (Set(own.entities.keys), Set(latest.entities.keys))
    func list(_ names: Set<String>) -> String {
      let sorted = names.sorted(by: ByteOrder.precedes)
      return sorted.prefix(10).joined(separator: ", ") + (sorted.count > 10 ? ", ..." : "")
    }
    let more = mine.subtracting(theirs)
    let less = theirs.subtracting(mine)
    return (more.isEmpty ? "" : "; \(name) lacks \(list(more))")
      + (less.isEmpty ? "" : "; \(name) has \(list(less)) besides")
  }
}

extension SourceSchema {
  /// The paths of its models.
  fileprivate var modelPaths: Set<[String]> {
    Set(types.values.filter(\.isModel).map(\.path))
  }

  /// Returns whether its hashes are known, and those of another schema.
  fileprivate func hasHashes(of other: SourceSchema) -> Bool {
    knownChecksum.map { $0 == other.knownChecksum } ?? false
  }

  /// Returns whether its hashes are known to differ from those of another schema.
  fileprivate func isOther(than other: SourceSchema) -> Bool {
    guard isWhole, other.isWhole else { return false }
    if Set(entities.keys) != Set(other.entities.keys) { return true }
    let others = other.knownHashes
    return knownHashes.contains { name, hash in others[name].map { $0 != hash } ?? false }
  }
}
