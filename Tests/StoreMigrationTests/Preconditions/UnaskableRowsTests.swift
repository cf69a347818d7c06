import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Rows that cannot be asked before a hop: it must not run.
@Suite struct UnaskableRowsTests {
  @Test func `rows that cannot be read stop the hop, and end a plan of the store`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model("N { a: Int32?; b: String? }")
      let rows = (1...400).map { "(\($0), 1, 1, \($0), '\(String(repeating: "x", count: 80))')" }
      let store = try SketchedStore(
        model,
        rows: "INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES \(rows.joined(separator: ", "))",
        at: folder + "/store.sqlite"
      )
      try Self.zeroLeaf(of: "ZN", in: store.path)
      let queries = PreconditionQueries(
        schema: store.schema,
        database: "main",
        externalData: folder
      )
      let question = Precondition(
        .typeNarrowed,
        entity: "N",
        property: "a",
        .fits(from: .integer32, to: .integer16),
        [Precondition.Subject("N", [.carried(["a"])])]
      )
      let connection = try SQLiteConnection(path: store.path, access: .readOnly)
      #expect(throws: SQLiteError.self) { try queries.ask(question, on: connection) }
      guard case .unknown = queries.answer(to: question, on: connection) else {
        Issue.record("a plan takes damaged rows for an answer")
        return
      }
      // A plan for the store ends with the damage, unless it is for what can be read of it.
      for acceptsDamage in [false, true] {
        let questions = try StorePreconditionChecker(
          reading: store.path,
          model: model,
          acceptsDamage: acceptsDamage
        )
        _ = questions.answer(to: question)
        guard !acceptsDamage else {
          try questions.checkUnchanged()
          continue
        }
        let error = #expect(throws: StoreAccessError.self) { try questions.checkUnchanged() }
        #expect(error?.code == .damaged)
      }
    }
  }

  @Test func `what nobody can say refuses a hop that runs next, and no plan`() throws {
    let versions = try ["N { a: Int32? }", "N { a: Int16? }"].enumerated().map { index, sketch in
      ModelVersion(
        modelName: "M",
        name: "v\(index + 1)",
        model: try ModelSketch.model(sketch)
      )
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let plan = try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: graph.nodes[1])
    let hop = try #require(plan.hops.first)
    let question = Precondition(.typeNarrowed, entity: "N", property: "a", .present, [])
    let doubt = Precondition.Answer.unknown("nobody looked")
    #expect(PreconditionRefusal(question, doubt, hop) == nil)
    let refusal = try #require(PreconditionRefusal(question, doubt, hop, isLast: true))
    #expect(refusal.message.contains("nobody looked"))
    #expect(refusal.error.code == .failed)
  }

  /// Overwrites a page with rows of a table by zeros.
  private static func zeroLeaf(of table: String, in path: String) throws {
    let page: Int64
    do {
      let connection = try SQLiteConnection(path: path, access: .readWrite)
      try connection.checkpointTruncating()
      page = try #require(
        try connection.integer(
          "SELECT MAX(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'",
          [.text(table)]
        )
      )
    }
    var bytes = try #require(TemporaryFolder.bytes(of: path))
    let start = (Int(page) - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
    try TemporaryFolder.write(bytes, to: path)
  }
}
