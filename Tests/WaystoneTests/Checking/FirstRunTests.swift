import MigrationTestSupport
import Testing
import Waystone

/// A check before a project has a lock.
@Suite struct FirstRunTests {
  /// Each step drops an attribute.
  private static let versions = (1...5).map { number in
    "Book { title: String?; \((number...5).map { "a\($0): String?" }.joined(separator: "; ")) }"
  }

  @Test func `only the step to the current version is judged, and a lock changes no verdict`()
    throws
  {
    try SketchedProject.with(Self.versions) { project in
      for isLocked in [false, true] {
        if isLocked { try project.lock() }
        let check = try project.check()
        #expect(
          check.failures.briefs == ["error WS209 v5 Book.a4"]
            || check.failures.briefs == ["error WS302 v5 Book.a4"]
        )
        #expect(check.allFindings.of(.attributeDropped).allSatisfy { $0.place.version == "v5" })
        #expect(try !project.coverage().isComplete)
      }
    }
  }

  @Test func `what the history lost is counted, and listed on demand`() throws {
    try SketchedProject.with(Self.versions) { project in
      #expect(try project.check().versions?.historyLosses == 3)
      let all = try project.check { $0.looksAtAll = true }
      let dropped = all.allFindings.of(.attributeDropped).map {
        "\($0.severity) \($0.place.version ?? "")"
      }
      #expect(dropped.sorted() == ["error v5", "warning v2", "warning v3", "warning v4"])
      #expect(all.versions?.historyLosses == 0)
    }
  }

  @Test func `a version after the current one is being made, before a lock and after`() throws {
    let versions = (1...3).map { number in
      "Book { title: String?; \((1...number).map { "a\($0): String?" }.joined(separator: "; ")) }"
    }
    try SketchedProject.with(versions, configured: "current: v2") { project throws in
      #expect(try project.verdict())
      #expect(try project.lock().isWritable)
      #expect(try project.verdict())
    }
  }
}
