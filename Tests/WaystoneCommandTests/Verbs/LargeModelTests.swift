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
      let words = ["in/s.sqlite", "--to", "v2", "--models", "."]
      for verb in [["plan"], ["migrate", "-o", "o.sqlite"]] {
        let run = CommandRun(verb + words, in: folder)
        #expect(run.status != .success)
        #expect(run.errors.contains("2001 tables, and a run takes at most 2000"), "\(run.errors)")
      }
    }
  }
}
