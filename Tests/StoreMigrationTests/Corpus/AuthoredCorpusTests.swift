import Files
import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Real stores of public apps, brought to the last version by the apps' own mapping models.
@Suite(.enabled(if: Corpus.isPresent)) struct AuthoredCorpusTests {
  /// An app's models and mapping models.
  struct App: Sendable {
    let models: String
    let mappings: String
    let stores: String
    let to: String

    var storePaths: [String] {
      Corpus.files {
        $0.hasPrefix(stores) && ($0.hasSuffix(".sqlite") || $0.hasSuffix(".moody"))
      }
    }

    func graph() throws -> VersionGraph {
      let model = try #require(ArchiveLoader.load(Corpus.path(models)).models.first)
      let paths = try MappingFinder.mappings(below: Corpus.path(mappings))
        .filter { $0.hasSuffix(".xcmappingmodel") }
      let imported = try paths.map { try MappingImporter.importMapping(at: $0) }
      let binding = MappingBinding(imported, to: [model])
      #expect(binding.bound.count == imported.count, "\(binding.findings.map(\.message))")
      return VersionGraph(model, authored: binding.edges)
    }
  }

  static let moody = App(
    models: "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld",
    mappings: "objcio+core-data/Migrations/Migrations",
    stores: "objcio+core-data/Migrations/MigrationsTests/",
    to: "Moody 6"
  )
  static let wibosco = App(
    models: "wibosco+CoreDataMigrationRevised-Example/CoreDataMigration-Example/CoreData/Model/"
      + "CoreDataMigration_Example.xcdatamodeld",
    mappings: "wibosco+CoreDataMigrationRevised-Example/CoreDataMigration-Example/CoreData/"
      + "Migration/Mappings",
    stores: "wibosco+CoreDataMigrationRevised-Example/",
    to: "CoreDataMigration_Example 4"
  )
  static let coreDataPlus = App(
    models: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld",
    mappings: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/MappingModels",
    stores: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/",
    to: "SampleModel3"
  )

  /// Migrates a store of an app into a folder, and lends the body both.
  func walk(
    _ app: App,
    _ path: String,
    _ body: (borrowing SQLiteConnection, borrowing SQLiteConnection, MigrationPlan) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let store = try CorpusJourney(store: path, archive: "").copy(into: folder)
      let graph = try app.graph()
      let metadata = try PersistentStore(reading: store).metadata
      let plan = try MigrationPlanner(graph: graph).plan(
        from: try #require(graph.node(hashes: metadata.versionHashes)),
        to: try #require(graph.node(named: app.to)),
        options: .walking
      )
      var options = MigrationOptions()
      options.output = folder + "/result.sqlite"
      options.registry.register(Country5ToCountry6Policy.self)
      options.registry.register(V2to3MakerPolicy.self)
      options.registry.register(Post2ToPost3MigrationPolicy.self)
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(store)
      #expect(outcome.hops == plan.hops.count)
      let before = try SQLiteConnection(path: store, access: .readOnly)
      let after = try SQLiteConnection(path: folder + "/result.sqlite", access: .readOnly)
      let schema = PhysicalSchema(
        model: try #require(plan.hops.last).destination.model,
        names: JoinNames(
          settledBy: try StoreSchema(of: after).columnNames,
          model: try #require(plan.hops.last).destination.model
        )
      )
      let report = try StoreVerifier.verify(after, database: "main", schema: schema, level: .full)
      #expect(report.passed)
      // Hops that change the file in place add columns at the end.
      let warnings = report.warnings.flatMap(\.details).map(\.description)
      #expect(warnings.filter { !$0.hasSuffix("has its columns in another order") } == [])
      #expect(try StoreValidator(schema: schema).violations(on: after) == [])
      try body(before, after, plan)
      print(
        "\(FileSystem.name(of: path)) to \(app.to): "
          + plan.hops.map { "\($0.kind)" }.joined(separator: ", ")
      )
    }
  }

  private func count(
    _ sql: String,
    _ connection: borrowing SQLiteConnection
  ) throws -> Int64 { try connection.integer(sql) ?? -1 }

  @Test(arguments: moody.storePaths)
  func `a Moody store walks to version 6`(_ path: String) throws {
    try walk(Self.moody, path) { before, after, plan in
      let moods = try count("SELECT COUNT(*) FROM ZMOOD", before)
      #expect(try count("SELECT COUNT(*) FROM ZMOOD", after) == moods)
      // Every country has a mood, and its continent, where it had one, is one object for all.
      #expect(try count("SELECT COUNT(*) FROM ZMOOD WHERE ZCOUNTRY IS NULL", after) == 0)
      let codes = "SELECT COUNT(DISTINCT ZNUMERICISO3166CODE) FROM ZCONTINENT"
      #expect(try count(codes, after) == count("SELECT COUNT(*) FROM ZCONTINENT", after))
      #expect(plan.hops.last?.kind == .authored)
    }
  }

  @Test(arguments: wibosco.storePaths)
  func `a store of posts walks to version 4`(_ path: String) throws {
    try walk(Self.wibosco, path) { before, after, plan in
      let posts = try count("SELECT COUNT(*) FROM ZPOST", before)
      #expect(try count("SELECT COUNT(*) FROM ZPOST", after) == posts)
      #expect(posts > 0)
      let sections = "SELECT COUNT(*) FROM ZSECTION WHERE ZPOST IS NOT NULL"
      guard plan.hops.contains(where: { $0.kind == .authored }) else {
        return #expect(try count(sections, after) == count(sections, before))
      }
      let titled = " AND ZTITLE = substr(ZBODY, 1, 4) || '...' AND ZINDEX = 0"
      #expect(try count(sections + titled, after) == posts)
    }
  }

  @Test(arguments: coreDataPlus.storePaths)
  func `a store of cars walks to version 3`(_ path: String) throws {
    try walk(Self.coreDataPlus, path) { before, after, _ in
      let cars = try count("SELECT COUNT(*) FROM ZCAR", before)
      #expect(try count("SELECT COUNT(*) FROM ZCAR", after) == cars)
      #expect(cars > 0)
      let makers = try count("SELECT COUNT(DISTINCT ZMAKER) FROM ZCAR", before)
      #expect(try count("SELECT COUNT(*) FROM ZMAKER", after) == makers)
      let made = try count("SELECT COUNT(*) FROM ZCAR WHERE ZMAKER IS NOT NULL", before)
      #expect(try count("SELECT COUNT(*) FROM ZCAR WHERE ZCREATEDBY IS NOT NULL", after) == made)
    }
  }
}
