import MigrationTestSupport
import Testing
import WaystoneCommand

/// The part of a large store that `inspect` reads.
@Suite struct LargeInspectionTests {
  private static let models = SampleArchive.root + "/Letters.xcdatamodeld"

  private static func rows(_ arguments: String...) throws -> [Int?] {
    let run = CommandRun(arguments + ["--models", models, "--format", "json"])
    #expect(run.status == .success, "\(run.errors)")
    let entities = try #require(run.json()["entities"] as? [[String: Any]])
    return entities.map { $0["rows"] as? Int }
  }

  @Test func `the rows of a large store are counted only when somebody asks`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/S.sqlite"
      let made = CommandRun("generate", "v1", "-o", store, "--models", Self.models)
      #expect(made.status == .success, "\(made.errors)")
      let counted = try Self.rows("inspect", store)
      #expect(counted.contains { ($0 ?? 0) > 0 })
      try AppDatabase.run(store, "CREATE TABLE OWN AS SELECT zeroblob(33554432) AS B")
      #expect(try Self.rows("inspect", store).allSatisfy { $0 == nil })
      #expect(CommandRun("inspect", store, "--models", Self.models).output.contains("--counts"))
      #expect(try Self.rows("inspect", store, "--counts") == counted)
    }
  }
}
