import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// The findings of a plan on tables beside those of the model, and on names that no model settles.
@Suite struct StoreEffectsTests {
  private static let history = "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)"
  private static let mirror = "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)"

  private func plan(_ sketches: String...) throws -> MigrationPlan {
    let versions = try sketches.enumerated().map {
      ModelVersion(modelName: "M", name: "v\($0 + 1)", model: try ModelSketch.model($1))
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    var options = PlanningOptions()
    options.followsHistory = true
    return try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.nodes.first),
      to: try #require(graph.nodes.last),
      options: options
    )
  }

  /// The findings for a store of the plan's source with further tables, as `WS503 v2 warning`.
  private func findings(_ plan: MigrationPlan, _ tables: String...) throws -> [String] {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/store.sqlite"
      try StoreGenerator(model: plan.source.model, rows: 4, seed: 3).write(to: path)
      for table in tables { try AppDatabase.run(path, table) }
      let connection = try SQLiteConnection(path: path, access: .readOnly)
      let schema = try StoreSchema(of: connection)
      return StoreEffects(plan: plan, store: schema).findings.map {
        "\($0.code.rawValue) \($0.place.version ?? "-") \($0.severity.rawValue)"
      }
    }
  }

  @Test func `a history whose entities get other numbers is affected`() throws {
    let renumbering = try plan(
      "B { x: String? }",
      "B { x: String?; y: String? }",
      "A { } B { x: String?; y: String? }"
    )
    #expect(try findings(renumbering, Self.history) == ["WS503 v3 warning"])
    #expect(try findings(renumbering).isEmpty)
  }

  @Test func `a history whose entities keep their numbers loses only names of properties`() throws {
    let changing = try plan("B { x: String? }", "B { x: String?; y: String? }")
    #expect(try findings(changing, Self.history) == ["WS503 v2 note"])
    let adding = try plan("A { } B { x: String? }", "A { } B { x: String? } C { }")
    #expect(try findings(adding, Self.history).isEmpty)
  }

  @Test func `CloudKit's tables forbid other numbers and nothing else`() throws {
    let renumbering = try plan("B { x: String? }", "A { } B { x: String? }")
    #expect(try findings(renumbering, Self.mirror) == ["WS504 v2 error"])
    let adding = try plan("B { x: String? }", "B { x: String? } C { }")
    #expect(try findings(adding, Self.mirror).isEmpty)
  }

  @Test func `a plan that is told of CloudKit's tables is refused when it is run`() throws {
    let error = #expect(throws: MigrationError.self) {
      try SketchedStep.run(
        "B { x: String? }",
        "A { } B { x: String? }",
        prepare: { try $0.execute(Self.mirror) }
      ) { _ in }
    }
    #expect(error?.code == .refused)
  }

  @Test func `tables of the app are named, where anything is done at all`() throws {
    let adding = try plan("B { x: String? }", "B { x: String? } C { }")
    #expect(try findings(adding, "CREATE TABLE app (key TEXT)") == ["WS502 v2 warning"])
    let nothing = try plan("B { x: String? }")
    #expect(try findings(nothing, "CREATE TABLE app (key TEXT)", Self.history).isEmpty)
  }

  @Test func `triggers of the app on tables of the model are named, which no run carries`() throws {
    let adding = try plan("B { x: String? }", "B { x: String? } C { }")
    let trigger = "AFTER INSERT ON ZB BEGIN SELECT 1; END"
    #expect(try findings(adding, "CREATE TRIGGER spy \(trigger)") == ["WS505 v2 warning"])
  }

  @Test func `a run hands over what a plan says`() throws {
    try SketchedStep.run(
      "B { x: String? }",
      "A { } B { x: String? }",
      prepare: { connection in
        try connection.execute("CREATE TABLE app (key TEXT)")
        try connection.execute(
          "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER, ZCOLUMNS BLOB)"
        )
      }
    ) { step in
      #expect(step.outcome.findings.map(\.code) == [.historyAffected, .foreignTable])
    }
  }

  // MARK: Names

  private static let friends =
    "Person { following ->> Person.followers; followers ->> Person.following"

  private func names(_ plan: MigrationPlan) -> [String] {
    let models = [plan.source.model] + plan.hops.map(\.destination.model)
    var names = JoinNames(
      settledBy: ["Z_1FOLLOWING": ["Z_1FOLLOWERS", "Z_1FOLLOWING"]],
      model: models[0]
    )
    var schemas = [PhysicalSchema(model: models[0], names: names)]
    for (old, new) in zip(models, models.dropFirst()) {
      names = names.carried(from: old, to: new)
      schemas.append(PhysicalSchema(model: new, names: names))
    }
    return UnprovenNames(plan: plan, schemas: schemas).findings.map {
      "\($0.finding.code.rawValue) \($0.hop) \($0.finding.place.version ?? "") "
        + "\($0.finding.place.entity ?? "")"
    }
  }

  @Test func `a pair within one entity is open from the step that changes its properties`() throws {
    let changing = try plan(
      "\(Self.friends) }",
      "\(Self.friends) } Other { }",
      "\(Self.friends); name: String? } Other { }",
      "\(Self.friends); name: String? } Other { a: String? }"
    )
    #expect(names(changing) == ["WS501 1 v3 Person"])
    #expect(names(try plan("\(Self.friends) }", "\(Self.friends) } Other { }")).isEmpty)
  }

  @Test func `columns that clash are open where both are new`() throws {
    let clash = try plan(
      "User { }",
      """
      Zone { users ->> User.firsts } Zoo { users ->> User.seconds }
      User { firsts ->> Zone.users; seconds ->> Zoo.users }
      """
    )
    let found = names(clash)
    #expect(Set(found.map { $0.prefix(10) }) == ["WS501 0 v2"], "\(found)")
  }
}
