import Foundation
import MigrationTestSupport
import StoreGeneration
import Testing
import Waystone

/// Stores whose version is assumed, is of two models, or of several at once.
@Suite struct StoreVersionTests {
  // MARK: Assumed versions

  private static let versions = [
    "Book { title: String? }", "Book { isbn: String?; title: String? }",
    "Book { isbn: String?; title: String?; year: String? }",
  ]

  /// Lends a project with a store that has the tables of v2 and hashes of its own.
  private func withStranger(_ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with(Self.versions) { project in
      let stranger = try ModelSketch.model("Book { isbn: String?; title: String? }")
      var entities = stranger.entities
      entities[0].attributes[1].versionHashModifier = "lost"
      let model = try ManagedObjectModel(entities: entities)
      try StoreGenerator(model: model, rows: 20, seed: 7).write(to: "\(project.folder)/s.sqlite")
      try AppDatabase("\(project.folder)/s.sqlite").execute("DELETE FROM Z_MODELCACHE")
      try body(project)
    }
  }

  /// Plans with a version that is assumed.
  private func plan(_ project: SketchedProject, to end: String, assuming version: String) throws
    -> MigrationRequest
  {
    let loaded = try project.project
    let planning = try PlanningRequest(from: "s.sqlite", to: end, assuming: version, in: loaded)
    return MigrationRequest(planning, in: loaded, options: MigrationOptions())
  }

  @Test func `nothing is planned on a guess`() throws {
    try withStranger { project throws in
      let error = #expect(throws: PlanningError.self) { try project.plan("s.sqlite", to: "v3") }
      guard case .unknownStoreVersion = error?.code else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func `a version whose tables agree may be assumed`() throws {
    try withStranger { project in
      let request = try plan(project, to: "v3", assuming: "v2")
      let plan = try request.checkedPlan()
      #expect(plan.isSafe && plan.findings.has(.assumedVersion))
      var options = try request.options(for: plan.plan)
      options.output = "\(project.folder)/o.sqlite"
      _ = try plan.run(options)
      let result = try Store(reading: URL(filePath: "\(project.folder)/o.sqlite"))
      #expect(try project.project.models.identify(result).versions.map(\.name) == ["v3"])
    }
  }

  @Test(arguments: [("v3", "v1"), ("v2", "v2")])
  func `a version whose tables differ may not, nor the one wanted`(end: String, assumed: String)
    throws
  {
    try withStranger { project throws in
      #expect(throws: (any Error).self) {
        try plan(project, to: end, assuming: assumed).checkedPlan()
      }
    }
  }

  @Test func `a store whose version is known leaves nothing to assume`() throws {
    try SketchedProject.with(Self.versions) { project in
      try project.store("v1")
      #expect(throws: (any Error).self) { try plan(project, to: "v3", assuming: "v2") }
    }
  }

  // MARK: Two models of equal versions

  /// Lends a project with the models Library and Secret, whose first versions hash alike, and a store of that
  /// version.
  private func withTies(
    secret: String = "Book { title: String?; key: String? }",
    store: String = "s.sqlite",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    let first = "Book { title: String? }"
    try SketchedProject.with(first, "Book { title: String?; note: String? }") { project in
      try project.draw([("v1", first), ("v2", secret)], of: "Secret")
      try project.store("Library/v1", as: store)
      try body(project)
    }
  }

  @Test(arguments: [
    "Book { title: String?; key: String? }",
    // A path of one model alone decides for none.
    "Book { title: String?; key: String }",
  ])
  func `a plan asks for the version where either model may be meant`(secret: String) throws {
    try withTies(secret: secret) { project in
      let error = #expect(throws: WaystoneError.self) { try project.plan("s.sqlite") }
      #expect(error?.code == .ambiguousVersion || error?.code == .badArgument)
      for version in ["Secret/v2", "Library/v2"] {
        #expect(error?.recovery.contains("--to \(version)") == true)
      }
      #expect(try project.plan("s.sqlite", to: "Library/v2").refusals.isEmpty)
      let report = try project.coverage { $0.stores = ["s.sqlite"] }
      #expect(report.gaps.has(.storeNotCovered))
    }
  }

  @Test(arguments: ["Library", "Secret"])
  func `the name of a store's file decides for the model`(name: String) throws {
    try withTies(store: "\(name).sqlite") { project in
      let plan = try project.plan("\(name).sqlite").plan
      #expect(plan.destination.version.qualifiedName == "\(name)/v2")
    }
  }

  @Test func `models that lead to equal versions leave nothing to ask`() throws {
    try withTies(secret: "Book { title: String?; note: String? }") { project throws in
      #expect(try project.plan("s.sqlite").refusals.isEmpty)
    }
  }

  // MARK: Parts and several models

  @Test(arguments: [("n2,t2", ["n2", "t2"]), ("t2", ["n1", "t2"])])
  func `a store of two models moves both, or one`(end: String, expected: [String]) throws {
    let notes = [("n1", "Note { a: String? }"), ("n2", "Note { a: String?; b: Date? }")]
    try SketchedProject.with(named: notes) { project in
      try project.draw(
        [("t1", "Tag { x: String? }"), ("t2", "Label {} Tag { y: String? was x }")],
        of: "Tags"
      )
      let models = try project.project.models
      let merged = try ManagedObjectModel.merging(models.models.map { $0.versions[0].model })
      try StoreGenerator(model: merged, rows: 20, seed: 3).write(to: "\(project.folder)/s.sqlite")
      let plan = try project.plan("s.sqlite", to: end) { $0.planning.followsHistory = true }
      #expect(plan.plan.hops.count == expected.count { $0.hasSuffix("2") })
      try project.migrate("s.sqlite", version: end, to: "o.sqlite")
      let result = try Store(reading: URL(filePath: "\(project.folder)/o.sqlite"))
      #expect(models.identify(result).versions.map(\.name) == expected)
      #expect(throws: (any Error).self) { try project.plan("s.sqlite", to: "v9") }
    }
  }

  @Test func `a store of one configuration keeps to it`() throws {
    try SketchedProject.with(
      "Note { a: String? } Tag in Local { x: String? }",
      "Label {} Note { a: String?; b: Date? } Tag in Local { y: String? was x }"
    ) { project in
      let whole = try project.project.models.versions[0].model
      try StoreGenerator(model: whole.restricted(to: ["Tag"]), rows: 20, seed: 3)
        .write(to: "\(project.folder)/s.sqlite")
      try project.migrate("s.sqlite", to: "o.sqlite")
      let result = try Store(reading: URL(filePath: "\(project.folder)/o.sqlite"))
      #expect(result.versionHashes.keys.sorted() == ["Tag"])
      let store = try AppDatabase("\(project.folder)/o.sqlite")
      #expect(try store.integer("SELECT COUNT(*) FROM ZTAG") == 20)
      #expect(try store.integer("SELECT COUNT(ZY) FROM ZTAG") ?? 0 > 0)
    }
  }

  // MARK: Stores without rows

  private func withEmpty(_ rows: Int, _ body: (SketchedProject, String) throws -> Void) throws {
    try SketchedProject.with(
      "A { t: String? } B : A {}",
      "A { t: String?; x: String } B : A {}",
      "A { x: String } B : A {}"
    ) { project in
      let sql = rows == 0 ? "DELETE FROM ZA" : ""
      try body(project, try project.store("v1", rows: max(rows, 2), sql))
    }
  }

  @Test func `no row of an empty store lacks a value that becomes required`() throws {
    try withEmpty(0) { project, store in
      let plan = try project.plan(store)
      #expect(plan.refusals.isEmpty)
      let required = plan.findings.of(.requiredWithoutDefault)
      #expect(required.map(\.severity) == [.note] && required[0].evidence?.total == 0)
      let report = try project.coverage { $0.stores = [store] }
      #expect(
        report.models.flatMap(\.paths).filter { $0.store != nil }.map(\.isReachable) == [true]
      )
      try project.migrate(store, to: "o.sqlite")
      #expect(try project.plan("o.sqlite").stops == [])
    }
  }

  @Test func `a store with rows is refused with the advice of the refusal`() throws {
    try withEmpty(4) { project, store in
      let error = #expect(throws: PlanningError.self) { try project.plan(store) }
      #expect(error?.advice.givesDefault == true || error?.recovery.contains("default") == true)
      #expect(error?.advice.givesMapping == false)
    }
  }

  @Test func `a row that comes after the plan is refused by the run`() throws {
    try withEmpty(0) { project, name in
      let url = URL(filePath: "\(project.folder)/\(name)")
      let plan = try project.project.models.plan(for: Store(reading: url), to: .current)
      // An encoded plan is the way in which it was made, and makes it again.
      let data = try JSONEncoder().encode(plan)
      #expect(try JSONDecoder().decode(StorePlan.self, from: data) == plan)
      try AppDatabase(url.path).execute(
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
      )
      let before = TemporaryFolder.bytes(of: url.path)
      #expect(throws: (any Error).self) { try plan.migrate(plan.store) }
      #expect(TemporaryFolder.bytes(of: url.path) == before)
    }
  }
}
