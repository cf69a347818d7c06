internal import MigrationPlanning
package import ObjectModel
package import StoreMigration

extension PlanningRequest {
  /// Finds both ends of a plan for a store with the entities of several models.
  ///
  /// - Parameters:
  ///   - source: The versions that the store has, one per model.
  ///   - end: The versions wanted, with commas between them; a model that is not named stays.
  init(
    merged source: [ModelVersion],
    to end: String,
    store: StoreInspection?,
    in loaded: MappedArchive
  ) throws {
    let wanted = try Self.list(end, in: loaded.names)
    for version in wanted where !source.contains(where: { $0.modelName == version.modelName }) {
      throw WaystoneError(
        .badArgument,
        "The store has nothing of \(version.modelName).",
        recovery: "Name versions of \(source.map(\.modelName).joined(separator: ", "))."
      )
    }
    let versions = try Self.consistent {
      try VersionedModel.combining(from: source, to: wanted, of: loaded.archive.models)
    }
    try self.init(
      graph: VersionGraph(versions, authored: Self.completed(loaded.authored, in: versions)),
      source: versions.versions.first,
      destination: versions.versions.last,
      store: store
    )
  }

  /// Finds both ends of a plan for a store that holds a part of a model.
  package init(
    part: StorePart,
    of source: ModelVersion,
    to wanted: ModelVersion,
    store: StoreInspection?,
    in loaded: MappedArchive
  ) throws {
    guard let model = loaded.archive.models.first(where: { $0.versions.contains(wanted) }),
      let first = model.versions.firstIndex(of: source),
      let last = model.versions.firstIndex(of: wanted)
    else {
      throw WaystoneError(
        .badArgument,
        "\(source.qualifiedName) and \(wanted.qualifiedName) are versions of different models.",
        recovery: "Name a version of \(source.modelName). "
          + ModelVersion.joiningAdvice(source, wanted)
      )
    }
    let versions = try Self.consistent {
      try model.restricted(
        toConfiguration: part.configuration,
        storedEntities: Set(part.entities)
      )
    }
    let authored = loaded.authored.compactMap { $0.restricted(from: model, to: versions) }
    try self.init(
      graph: VersionGraph(versions, authored: authored),
      source: versions.versions[first],
      destination: versions.versions[last],
      store: store
    )
  }

  /// Finds both ends by the names of two lists of versions; nil where the start is no list.
  init?(lists start: String, to end: String, in loaded: MappedArchive) throws {
    guard start.contains(",") else { return nil }
    let source = try Self.list(start, in: loaded.names)
    try self.init(merged: source, to: end, store: nil, in: loaded)
  }

  private init(
    graph: VersionGraph,
    source: ModelVersion?,
    destination: ModelVersion?,
    store: StoreInspection?
  ) throws {
    func node(_ version: ModelVersion?) throws -> VersionGroup {
      guard let version, let node = graph.node(hashes: version.model.entityVersionHashes) else {
        throw WaystoneError(
          .unknownVersion,
          "The graph has no version \(version?.name ?? "").",
          recovery: "Look at `waystone versions`."
        )
      }
      return node
    }
    self.init(
      graph: graph,
      source: try node(source),
      destination: try node(destination),
      store: store
    )
  }

  /// Returns the edges between versions of one model, among versions put together from several.
  private static func completed(
    _ edges: [AuthoredEdge],
    in versions: VersionedModel
  ) -> [AuthoredEdge] {
    guard !edges.isEmpty else { return [] }
    return versions.versions.enumerated().flatMap { position, first in
      versions.versions.dropFirst(position + 1).flatMap { last in
        edges.compactMap { $0.completed(from: first.model, to: last.model) }
      }
    }
  }

  /// Returns the versions that a list names, one per model.
  private static func list(_ text: String, in names: VersionNames) throws -> [ModelVersion] {
    try text.split(separator: ",").map { try names.version(String($0)) }
  }

  /// Returns the value of a closure that puts models together or takes them apart.
  private static func consistent(
    _ body: () throws -> VersionedModel
  ) throws -> VersionedModel {
    do {
      return try body()
    } catch let error as ModelError {
      throw WaystoneError(.badArgument, error.message, recovery: error.recovery)
    }
  }
}
