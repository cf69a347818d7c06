import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// A store of a public app, the archive of its models and the version it is brought to.
struct CorpusJourney: Sendable, CustomTestStringConvertible {
  let store: String
  let archive: String
  let to: String
  var sample: String?
  var acceptsUnprovenNames = false
  var acceptsUndecided = false

  var testDescription: String { "\(store.split(separator: "/").last ?? "") to \(to)" }

  static let wireModels = "wireapp+wire-ios-data-model/Resources/zmessaging.xcdatamodeld"
  static let wireStores = "wireapp+wire-ios-data-model/Tests/Resources/"
  static let wire: [CorpusJourney] = Corpus.files { $0.hasSuffix(".wiredatabase") }
    .filter { !$0.contains("store2-65-0") }
    .map {
      CorpusJourney(
        store: $0,
        archive: Corpus.path(wireModels),
        to: "zmessaging2.101.0",
        sample: Corpus.path(wireStores + "store2-101-0.wiredatabase")
      )
    }

  static let bookmarks: [CorpusJourney] = Corpus.files {
    $0.contains("Bookmarks_V") && $0.hasSuffix(".sqlite")
  }.map {
    CorpusJourney(
      store: $0,
      archive: Corpus.files { $0.contains("BookmarksModel.xcdatamodeld/.xccurrentversion") }.first
        .map { String($0.dropLast("/.xccurrentversion".count)) } ?? "",
      to: "BookmarksModel 6",
      acceptsUnprovenNames: true
    )
  }

  func plan(_ metadata: StoreMetadata) throws -> MigrationPlan {
    let archive = try ArchiveLoader.load(archive)
    let model = try #require(archive.models.first { $0.versions.contains { $0.name == to } })
    let graph = VersionGraph(model)
    let source = try #require(graph.node(hashes: metadata.versionHashes))
    let destination = try #require(graph.node(named: to))
    var options = PlanningOptions()
    options.acceptUndecided = acceptsUndecided
    return try MigrationPlanner(graph: graph).plan(
      from: source,
      to: destination,
      options: options
    )
  }
}

@Suite(.enabled(if: Corpus.isPresent))
struct CorpusMigrationTests {
  @Test(arguments: CorpusJourney.wire + CorpusJourney.bookmarks)
  func `a store of a public app reaches the wanted version`(_ journey: CorpusJourney) throws {
    try TemporaryFolder.with { folder in
      let copy = folder + "/store.sqlite"
      for suffix in ["", "-wal", "-shm"] where FileSystem.exists(journey.store + suffix) {
        try FileSystem.copy(journey.store + suffix, toNewFile: copy + suffix)
      }
      let before = [copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) }
      let metadata = try PersistentStore(reading: copy).metadata
      let plan = try journey.plan(metadata)
      var options = MigrationOptions()
      options.output = folder + "/result.sqlite"
      options.settings.sample = journey.sample
      options.settings.acceptsUnprovenNames = journey.acceptsUnprovenNames
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(copy)
      #expect(outcome.hops == plan.hops.count)
      #expect([copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) } == before)

      let result = try PersistentStore(reading: folder + "/result.sqlite")
      #expect(result.metadata.versionHashes == plan.destination.hashes)
      let real = try StoreSchema(of: result.connection)
      let names = JoinNames(settledBy: real.columnNames, model: plan.destination.model)
      let comparison = SchemaComparison(
        predicted: PhysicalSchema(model: plan.destination.model, names: names),
        real: real
      )
      #expect(comparison.level >= .tolerable, "\(comparison)")
      #expect(plan.hops.isEmpty || comparison.extraIndexes.isEmpty)
      #expect(try result.connection.text("PRAGMA integrity_check") == "ok")
      print("\(journey.testDescription): \(plan.hops.count) hops")
    }
  }
}
