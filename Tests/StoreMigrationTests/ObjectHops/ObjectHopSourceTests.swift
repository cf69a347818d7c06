import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// The source that an authored hop is compared with, where it is the first of a run.
@Suite struct ObjectHopSourceTests {
  private static let models = [
    "Note { title: String; category: String? }",
    "Note { title: String; kind: String? } Category { name: String? }",
  ]

  private static func plan(_ actions: [MigrationAction] = []) throws -> MigrationPlan {
    let models = try models.map { try ModelSketch.model($0) }
    let versions = models.enumerated().map {
      ModelVersion(modelName: "Notes", name: "v\($0 + 1)", model: $1)
    }
    var mapping = MappingModel(entityMappings: [
      AuthoredStep.mapping(
        "Note",
        "Note",
        attributes: ["title": .source("title"), "kind": .source("category")]
      )
    ])
    mapping.actionsBefore = actions
    let edge = AuthoredEdge(
      source: models[0].entityVersionHashes,
      destination: models[1].entityVersionHashes,
      mapping: mapping,
      origins: []
    )
    let graph = VersionGraph(VersionedModel(name: "Notes", versions: versions), authored: [edge])
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    return try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.nodes.first),
      to: try #require(graph.nodes.last),
      options: planning
    )
  }

  private static var options: MigrationOptions {
    var options = MigrationOptions()
    options.allowedSQL = .all
    return options
  }

  /// Stops a run as soon as a record stands in its journal.
  private static func stop(
    _ store: String,
    _ plan: MigrationPlan,
    at event: JournalRecord.Event
  ) throws {
    var options = Self.options
    let cancellation = options.cancellation
    options.onEvent = {
      if case .recorded(let record) = $0, record.event == event { cancellation.request() }
    }
    let error = #expect(throws: MigrationError.self) {
      try StoreMigrator(plan: plan, options: options).migrate(store)
    }
    #expect(error?.code == .interrupted)
  }

  private static func makeStore(_ path: String) throws {
    let store = try SketchedStore(
      ModelSketch.model(models[0]),
      rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCATEGORY) VALUES (1, 1, 1, 'a', "
        + "'kitchen'), (2, 1, 1, 'b', 'garden')",
      at: path
    )
    #expect(store.path == path)
  }

  /// A row of the working copy changes where no number of its identity does.
  @Test(arguments: [false, true])
  func `the first authored hop is compared with the store`(acts: Bool) throws {  // F4
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try Self.makeStore(path)
      let bytes = TemporaryFolder.bytes(of: path)
      let plan = try Self.plan(acts ? [.sql("UPDATE ZNOTE SET ZTITLE = ZTITLE || '!'")] : [])
      var options = Self.options
      options.onEvent = { event in
        guard case .recorded(let record) = event, record.event == .copied else { return }
        let changed = Result {
          var pages = try PageSurgery(folder + "/store.sqlite.waystone/hop-0.sqlite")
          try pages.replace("kitchen", by: "chicken")
          try pages.save()
        }
        #expect(throws: Never.self) { try changed.get() }
      }
      let error = #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(path)
      }
      #expect(error?.code == .verificationFailed, "\(error.map(String.init(describing:)) ?? "")")
      #expect(TemporaryFolder.bytes(of: path) == bytes)
    }
  }

  @Test func `what actions made is known by each byte`() throws {  // F4
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try Self.makeStore(path)
      let plan = try Self.plan([.sql("UPDATE ZNOTE SET ZTITLE = ZTITLE || '!'")])
      try Self.stop(path, plan, at: .prepared)
      let workspace = folder + "/store.sqlite.waystone"
      let file = try #require(
        TemporaryFolder.names(in: workspace).first { $0 != "hop-0.sqlite" && $0.hasPrefix("hop-") }
      )
      var pages = try PageSurgery("\(workspace)/\(file)")
      try pages.replace("kitchen", by: "chicken")
      try pages.save()
      let error = #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: Self.options).resume(path)
      }
      #expect(error?.code == .mismatch)
    }
  }
}
