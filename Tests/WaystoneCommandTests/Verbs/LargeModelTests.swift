import MigrationTestSupport
import Testing
import WaystoneCommand

/// Models of more tables than a run takes.
@Suite struct LargeModelTests {
  @Test func `more tables than a run takes are refused before the run, with the limit`() throws {
    let attribute = AwkwardStore.attribute("x", "String")
    let many = (0...2_000).map { AwkwardStore.entity("E\($0)", attribute) }
    let store = AwkwardStore(
      testDescription: "",
      before: many.joined(),
      after: many.joined() + AwkwardStore.new,
      damage: .sql(""),
      code: nil
    )
    try TemporaryFolder.with { folder in
      try store.write(in: folder)
      for words in [["plan", "v1"], ["migrate", "in/s.sqlite", "-o", "o.sqlite"]] {
        let run = CommandRun(words + ["--to", "v2", "--models", "."], in: folder)
        #expect(run.status == .noPath)
        let limit = "2001 tables of entities, and a run takes at most 2000"
        #expect(run.errors.contains(limit), "\(run.errors)")
      }
    }
  }
}
