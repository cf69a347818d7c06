import Files
import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreMigration
import Synchronization
import Testing

/// A store of a public app, the archive of its models, and the version that it is brought to.
struct CorpusJourney: Sendable, CustomTestStringConvertible {
  let store: String
  let archive: String
  /// The version wanted; nil for the furthest that inference reaches.
  var to: String?
  var sample: String?
  var acceptsUnprovenNames = false

  var testDescription: String {
    "\(FileSystem.name(of: store)) to \(to ?? "the furthest version")"
  }

  /// The plan for a store of these hashes; by every version unless the options say otherwise.
  func plan(
    _ metadata: StoreMetadata,
    options: PlanningOptions = .walking,
    evidence: (VersionGraph, VersionGroup) throws -> StoreEvidence? = { _, _ in nil }
  ) throws -> MigrationPlan {
    let planner = try Self.planner(archive, of: metadata)
    let graph = planner.graph
    let source = try #require(graph.node(hashes: metadata.versionHashes))
    let target = to ?? graph.nodes.last?.name ?? ""
    let destination = try #require(graph.node(named: target))
    let evidence = try evidence(graph, source)
    do throws(PlanningError) {
      return try planner.plan(
        from: source,
        to: destination,
        options: options,
        evidence: evidence
      )
    } catch {
      guard to == nil, case .unreachable(let furthest) = error.code,
        let node = graph.node(named: furthest)
      else { throw error }
      return try planner.plan(from: source, to: node, options: options, evidence: evidence)
    }
  }

  /// The plan for a store whose data is asked.
  func plan(
    asking store: String,
    options: PlanningOptions = .walking
  ) throws -> MigrationPlan {
    let metadata = try PersistentStore(reading: store).metadata
    return try plan(metadata, options: options) { graph, source in
      StoreEvidence(
        graph: graph,
        source: source,
        checker: try StorePreconditionChecker(reading: store, model: source.model)
      )
    }
  }

  private static let graphs = Mutex<[String: [VersionGraph]]>([:])
  private static let planners = Mutex<[String: MigrationPlanner]>([:])

  /// The planner for the version of a store, whose archive is read once, and whose edges are looked at
  /// once for all journeys.
  private static func planner(
    _ path: String,
    of metadata: StoreMetadata
  ) throws -> MigrationPlanner {
    let known = try graphs.withLock { graphs in
      if let known = graphs[path] { return known }
      let read = try ArchiveLoader.load(path).models.map { VersionGraph($0) }
      graphs[path] = read
      return read
    }
    let graph = try #require(known.first { $0.node(hashes: metadata.versionHashes) != nil })
    return planners.withLock { planners in
      let key = "\(path) \(graph.modelName)"
      if let planner = planners[key] { return planner }
      let planner = MigrationPlanner(graph: graph, survey: graph.survey())
      planners[key] = planner
      return planner
    }
  }

  /// Copies the store with what stands beside it into a folder, under the name `store.sqlite`.
  func copy(into folder: String) throws -> String {
    let copy = folder + "/store.sqlite"
    for suffix in ["", "-wal", "-shm"] where try FileSystem.exists(store + suffix) {
      try FileSystem.copy(store + suffix, toNewFile: copy + suffix)
    }
    return copy
  }

  /// The options that the journey needs, with the result in a file of a folder.
  func options(_ folder: String?) -> MigrationOptions {
    var options = MigrationOptions()
    options.output = folder.map { $0 + "/result.sqlite" }
    options.settings.sample = sample
    options.settings.acceptsUnprovenNames = acceptsUnprovenNames
    return options
  }
}

extension CorpusJourney {
  private static let wireStores = "wireapp+wire-ios-data-model/Tests/Resources/"
  private static let coreDataPlus = "alemar11+CoreDataPlus/Tests/Resources/"

  /// The wire stores, but for one that was recorded from a model that was never committed.
  static let wire = Corpus.files { $0.hasSuffix(".wiredatabase") }
    .filter { !$0.contains("store2-65-0") }
    .map {
      CorpusJourney(
        store: $0,
        archive: Corpus.path("wireapp+wire-ios-data-model/Resources/zmessaging.xcdatamodeld"),
        to: "zmessaging2.101.0",
        sample: Corpus.path(wireStores + "store2-101-0.wiredatabase")
      )
    }

  static let bookmarks = Corpus.files {
    $0.contains("Bookmarks_V") && $0.hasSuffix(".sqlite")
  }.map {
    CorpusJourney(
      store: $0,
      archive: Corpus.files { $0.contains("BookmarksModel.xcdatamodeld/.xccurrentversion") }.first
        .map(FileSystem.folder(of:)) ?? "",
      to: "BookmarksModel 6",
      acceptsUnprovenNames: true
    )
  }

  /// Stores whose archives have steps that cannot be inferred.
  static let others = [
    (".moody", "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld"),
    (
      "Example_v",
      "jeffreybergier+CoreDataMigrationTests/CoreDataMigration/CoreDataMigration/Model.xcdatamodeld"
    ),
    ("SampleModel_V", coreDataPlus + "SampleModel/SampleModel.xcdatamodeld"),
    ("SampleModel3_V", coreDataPlus + "SampleModel3/SampleModel3.xcdatamodeld"),
    (
      "CoreDataMigration_Example_",
      "wibosco+CoreDataMigrationRevised-Example/CoreDataMigration-Example/CoreData/Model/"
        + "CoreDataMigration_Example.xcdatamodeld"
    ),
  ].flatMap { mark, archive in
    Corpus.files {
      $0.contains(mark) && ($0.hasSuffix(".sqlite") || $0.hasSuffix(".moody"))
    }.map { CorpusJourney(store: $0, archive: Corpus.path(archive)) }
  }
}
