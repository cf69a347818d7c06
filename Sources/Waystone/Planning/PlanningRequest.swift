internal import Files
package import MigrationPlanning
package import ObjectModel
internal import StoreAccess
package import StoreMigration

/// The two ends, with the graph that both versions are in.
package struct PlanningRequest: Sendable {
  /// The versions of the one model.
  package private(set) var graph: VersionGraph
  /// The start of the plan.
  package let source: VersionGroup
  /// The end of the plan.
  package let destination: VersionGroup
  /// The store that it is for, if it is for one.
  package let store: StoreInspection?
  /// The cache of edges between both, where many stores take the same path.
  var survey: EdgeCache?
  /// The versions that were asked for, where others may have the same hashes: for a store the last version
  /// that has its columns, and nil where all versions of the same hashes have them.
  package private(set) var asked: (source: ModelVersion?, destination: ModelVersion?) = (nil, nil)
  /// Whether the source is only assumed to be the store's version.
  package private(set) var isAssumed = false
  /// The part of its model that the store holds, where it is not all of it.
  package private(set) var part: StorePart?
  /// Whether the graph is that of a store without rows, which takes steps that rows would rule out.
  private(set) var isOfEmptyStore = false

  init(
    graph: VersionGraph,
    source: VersionGroup,
    destination: VersionGroup,
    store: StoreInspection?
  ) {
    self.graph = graph
    self.source = source
    self.destination = destination
    self.store = store
  }

  /// Finds both ends.
  ///
  /// - Parameters:
  ///   - start: A version's name or a store's path; a name comes first.
  ///   - resolved: The absolute path that a path means.
  package init(
    from start: String,
    to end: String,
    assuming assumed: String? = nil,
    in loaded: MappedArchive,
    resolved: (String) -> String
  ) throws {
    let names = loaded.names
    if let request = try PlanningRequest(lists: start, to: end, in: loaded) {
      self = request
    } else if let version = try Self.version(start, end, names) {
      let wanted = try names.version(end, preferring: version.modelName)
      try self.init(from: version, to: wanted, store: nil, in: loaded)
    } else {
      try Self.checkIsPath(start, at: resolved(start), names)
      try self.init(
        store: start,
        at: resolved(start),
        to: end,
        assuming: assumed,
        in: loaded
      )
    }
  }

  /// Finds both ends of a plan for a store.
  ///
  /// - Parameters:
  ///   - path: The path by which messages name the store.
  ///   - location: Its absolute path.
  ///   - assumed: The version that the store is taken for, where its hashes are of none.
  package init(
    store path: String,
    at location: String,
    to end: String,
    assuming assumed: String? = nil,
    in loaded: MappedArchive
  ) throws {
    try self.init(anyStore: path, at: location, to: end, assuming: assumed, in: loaded)
    if store?.isEmpty == true { takeEmptyStore() }
  }

  /// Takes the steps that are refused since rows would have no value, as the store has no row.
  mutating func takeEmptyStore() {
    let isRefused = graph.consecutiveEdges.contains { edge in
      edge.refusals.contains { $0.code.has(.missingValue) }
    }
    guard isRefused else { return }
    graph = graph.ofEmptyStore()
    survey = nil
    isOfEmptyStore = true
  }

  private init(
    anyStore path: String,
    at location: String,
    to end: String,
    assuming assumed: String?,
    in loaded: MappedArchive
  ) throws {
    var store = try StoreInspection(
      of: path,
      at: location,
      versions: loaded.archive.versions,
      rows: .never,
      isChecked: true
    ).converted()
    if store.identification.isUnknown, assumed == nil {
      try loaded.sources?.requireSettledTypes(of: store)
    }
    let found = store.identification.versions
    if store.identification.match == .merged, assumed == nil {
      // Each of its models goes to its own current version.
      let ends = found.map { "\($0.modelName)/@current" }.joined(separator: ",")
      try self.init(
        merged: found,
        to: end == VersionName.current.text ? ends : end,
        store: store,
        in: loaded
      )
      return
    }
    // The version wanted does not matter then.
    if assumed == nil, store.otherKind == .xml, store.versionHashes.isEmpty {
      throw Self.isUnmarked(path)
    }
    if store.identification.match == .none, assumed == nil { throw Self.isStrange(path) }
    let ends = try assumed == nil ? Self.ends(of: store, to: end, in: loaded) : nil
    let own = assumed.flatMap { name in found.last { $0.isCalled(name) } }
    let near =
      own ?? found.last ?? store.identification.nearest.first?.version
    let wanted = try ends?.wanted ?? loaded.names.version(end, preferring: near?.modelName)
    if let assumed {
      let version = try Self.assumed(assumed, for: store, loaded.names, near: wanted.modelName)
      try Self.checkLeadsOn(from: version, to: wanted, store)
      store = try store.converted(by: version.model)
      try self.init(from: version, to: wanted, store: store, in: loaded)
      isAssumed = store.identification.isUnknown
      return
    }
    if let model = store.recoveredModel {
      try self.init(recovering: model, to: wanted, store: store, in: loaded)
      return
    }
    switch store.identification.match {
    case .exact, .equalVersions, .merged: break
    case .configuration(let name):
      let part = StorePart(
        configuration: name,
        entities: store.metadata.versionHashes.keys.sorted(by: ByteOrder.precedes)
      )
      let own = ends?.source ?? found[0]
      try self.init(part: part, of: own, to: wanted, store: store, in: loaded)
      self.part = part
      return
    case .nearest, .none:
      // The planner has the words for each way in which a store is not of one version.
      let graph = try Self.graph(of: wanted, for: store, in: loaded)
      _ = try MigrationPlanner(graph: graph).node(of: store.identification)
    }
    guard let source = ends?.source ?? found.last else {
      throw WaystoneError(
        .unknownStoreVersion,
        "No archived version has the hashes of \(path).",
        recovery: "Look at it with `waystone inspect \(path.shellWord)`."
      )
    }
    try self.init(from: source, to: wanted, store: store, in: loaded)
  }

  /// Finds both ends of a plan for a store whose version only the store itself has.
  package init(
    recovering model: ManagedObjectModel,
    to wanted: ModelVersion,
    store: StoreInspection?,
    in loaded: MappedArchive
  ) throws {
    let versions = try loaded.model(of: wanted).answered(by: store)
    let graph = VersionGraph(
      versions,
      recovering: model,
      towards: wanted,
      authored: loaded.authored
    )
    guard let graph, let source = graph.recoveredNode
    else {
      throw Self.isStrange(store?.path ?? "the store")
    }
    self.graph = graph
    self.source = source
    destination = try Self.node(of: wanted, in: graph)
    self.store = store
  }

  private static func isStrange(_ path: String) -> WaystoneError {
    WaystoneError(
      .unknownStoreVersion,
      "No archived version has an entity of \(path).",
      recovery: "Add the models of the app that made it: --models PATH."
    )
  }

  private static func isUnmarked(_ path: String) -> WaystoneError {
    WaystoneError(
      .unknownStoreVersion,
      "\(path) does not state its version, as stores of before Mac OS X 10.5 do not.",
      recovery: "Name the version that it is of to plan, explain or migrate: --assume VERSION."
    )
  }

  private init(
    from source: ModelVersion,
    to destination: ModelVersion,
    store: StoreInspection?,
    in loaded: MappedArchive
  ) throws {
    guard source.modelName == destination.modelName else {
      throw WaystoneError(
        .badArgument,
        "\(source.qualifiedName) and \(destination.qualifiedName) are versions of different models.",
        recovery: "Name a version of \(source.modelName). "
          + ModelVersion.joiningAdvice(source, destination)
      )
    }
    var model = try loaded.model(of: destination).answered(by: store)
    let count = model.versions.count
    let isSame = source.model.entityVersionHashes == destination.model.entityVersionHashes
    if !isSame || source.model.hasColumns(of: destination.model) {
      // Steps lead from the columns that the store has to those that are wanted.
      model = model.keepingColumns(of: source).keepingColumns(of: destination)
    }
    if model.versions.count == count, let planners = loaded.planners {
      graph = planners.graph(of: model) { VersionGraph(model, authored: loaded.authored) }
      survey = planners.survey(of: graph)
    } else {
      graph = VersionGraph(model, authored: loaded.authored)
    }
    self.source = try Self.node(of: source, in: graph)
    self.destination = try Self.node(of: destination, in: graph)
    self.store = store
    let isSettled = self.source.versions.contains { !$0.model.hasColumns(of: source.model) }
    asked = (store == nil || isSettled ? source : nil, destination)
  }

  /// Returns the version that a store is assumed to have.
  ///
  /// - Throws: ``WaystoneError`` where the store itself identifies its version, or a table or column is not
  ///   that of the version.
  private static func assumed(
    _ name: String,
    for store: StoreInspection,
    _ names: VersionNames,
    near modelName: String
  ) throws -> ModelVersion {
    let version = try names.version(name, preferring: modelName)
    if store.identification.versions.contains(version) { return version }
    guard store.identification.isUnknown, store.recoveredModel == nil else {
      let known = store.identification.versions.last.map(names.name) ?? "the model that it carries"
      throw WaystoneError(
        .badArgument,
        "\(store.path) is of \(known), which leaves nothing to assume.",
        recovery: "Leave --assume out."
      )
    }
    // Reading the objects of a store of the XML kind shows whether they are of the version.
    if store.otherKind == .xml { return version }
    let match = StructuralMatch(version: version, real: store.schema)
    guard match.agrees else {
      throw WaystoneError(
        .unknownStoreVersion,
        "\(store.path) cannot be of \(name): \(match.differences.prefix(3).joined(separator: " "))",
        recovery:
          "Look at `waystone inspect \(store.path.shellWord)`, which shows the nearest versions."
      )
    }
    return version
  }

  /// Refuses to take a store for the very version that is wanted, since no step would then write
  /// that version's hashes.
  private static func checkLeadsOn(
    from source: ModelVersion,
    to wanted: ModelVersion,
    _ store: StoreInspection
  ) throws(WaystoneError) {
    guard store.identification.isUnknown,
      source.model.entityVersionHashes == wanted.model.entityVersionHashes
    else { return }
    throw WaystoneError(
      .unknownStoreVersion,
      "\(store.path) is taken for the version that is wanted, so that no step leads there.",
      recovery: "Name a later version."
    )
  }

  /// Returns the finding that the version wanted reads values otherwise than a version of the same hashes
  /// wrote them.
  func transformers(after plan: MigrationPlan) -> [Finding] {
    guard let wanted = asked.destination else { return [] }
    guard let last = plan.hops.last else {
      guard let start = asked.source else {
        return destination.otherReadings(of: destination.versions, in: wanted)
      }
      // The columns of a store are known, but not which of the versions with these columns wrote it.
      let writers = destination.versions.filter { $0.model.hasColumns(of: start.model) }
      return destination.otherReadings(of: store == nil ? [start] : writers, in: wanted)
    }
    return destination.otherReadings(
      of: [last.destination.arrivalVersion(from: last.source)],
      in: wanted,
      unlike: source.model
    )
  }

  /// The findings on the plan beside those of its hops.
  package var findings: [Finding] {
    guard let store else { return doubts }
    guard isAssumed else { return doubts + store.findings }
    return doubts + store.findings + [
      Finding(
        .assumedVersion,
        .warning,
        at: Finding.Place(version: source.name),
        message:
          "No version has the hashes of \(store.path); it is taken for \(source.name), whose "
          + "tables and columns it has. What its rows mean is taken on trust.",
        remedy: "Look at the result before you rely on it."
      )
    ]
  }

  /// The warning that the order of the versions is unknown, by which the history is what it is.
  private var doubts: [Finding] {
    guard var doubt = graph.questions.orderDoubt, doubt.severity == .error else { return [] }
    doubt.severity = .warning
    return [doubt]
  }

  /// Returns the version that a start names; where several models have it, the one with the end's.
  private static func version(
    _ start: String,
    _ end: String,
    _ names: VersionNames
  ) throws -> ModelVersion? {
    let model = try? names.find(end)
    return try names.find(start, preferring: model?.modelName)
  }

  /// Throws if a start that is no version cannot be meant as a path.
  private static func checkIsPath(
    _ start: String,
    at location: String,
    _ names: VersionNames
  ) throws {
    let looksLikePath =
      start.contains("/")
      || [".sqlite", ".db", ".store", ".sqlite3", ".data"].contains {
        start.lowercased().hasSuffix($0)
      }
    if !looksLikePath, try !FileSystem.exists(location) {
      _ = try names.version(start)
    }
  }

  private static func graph(
    of version: ModelVersion,
    for store: StoreInspection?,
    in loaded: MappedArchive
  ) throws -> VersionGraph {
    let model = try loaded.model(of: version).answered(by: store)
    func make() -> VersionGraph { VersionGraph(model, authored: loaded.authored) }
    return loaded.planners?.graph(of: model, make) ?? make()
  }

  private static func node(of version: ModelVersion, in graph: VersionGraph) throws -> VersionGroup
  {
    guard let node = graph.node(hashes: version.model.entityVersionHashes) else {
      throw WaystoneError(
        .unknownVersion,
        "The graph has no version \(version.qualifiedName).",
        recovery: "Look at `waystone graph`."
      )
    }
    return node
  }
}

extension VersionedModel {
  /// Returns the model with the answers that a store's own entities give.
  fileprivate func answered(by store: StoreInspection?) -> VersionedModel {
    guard let store, changesConfigurations || store.recoveredModel != nil,
      store.configurationUse != .unknown
    else { return self }
    var model = self
    model.questions.configurationUse = store.configurationUse
    return model
  }
}
