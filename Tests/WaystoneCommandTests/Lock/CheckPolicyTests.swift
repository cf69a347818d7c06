import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct CheckPolicyGoldenTests {
  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  /// A locked project with a new version that drops `isbn`.
  private func withNewVersion(
    _ entities: String = SketchedModel.book([("heading", #"elementID="title""#)]),
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("models: ModelArchive\n")
      #expect(project.run("lock", "--all").status == .success)
      try project.add([("v11", entities)])
      try body(project)
    }
  }

  @Test func `a finding beyond the policy fails until it is accepted with a reason`() throws {
    try withNewVersion { project in
      #expect(project.run("check").status == .answerIsNo)
      try project.configure("policy: {maximum: warning}\n")
      check(project.run("check"), .answerIsNo, "check-policy-exceeded.txt")
      try project.configure(
        """
        policy: {maximum: warning}
        accept:
          - {code: WS302, place: Book.isbn, version: v11, reason: The shop keeps them now.}
        """
      )
      check(project.run("check"), .success, "check-accepted.txt")
      check(project.run("check", "--format", "json"), .success, "check-accepted.json")
    }
  }

  @Test func `an acceptance that fits nothing is a finding`() throws {
    try withNewVersion { project in
      try project.configure(
        """
        policy:
          maximum: warning
        accept:
          - {code: WS302, place: Book.isbn, reason: The shop keeps them now.}
          - {code: WS301, place: Tag, reason: There are none.}
        """
      )
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(
        run.words.contains("WS709 waystone.yml:5: WS301 Tag is accepted, and there is no such")
      )
    }
  }

  @Test func `what was locked with its losses is not told again unless asked for`() throws {
    try withNewVersion { project in
      #expect(project.run("lock", "--all").status == .success)
      try project.configure("policy: {maximum: warning}\n")
      #expect(project.run("check").status == .success)
      let all = project.run("check", "--all")
      #expect(all.status == .answerIsNo)
      #expect(all.words.contains("WS302"))
    }
  }

  @Test func `a new version without a path from a shipped one fails`() throws {
    let typed = SketchedModel.book([("heading", #"elementID="title""#)]).replacing(
      "</entity>",
      with: #"<attribute name="isbn" optional="YES" attributeType="Date"/></entity>"#
    )
    try withNewVersion(typed) { project in
      check(project.run("check"), .answerIsNo, "check-stranded.txt")
    }
  }

  @Test func `a project may forbid all loss`() throws {
    try withNewVersion { project in
      try project.configure("policy: {loss: none}\n")
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("WS707"))
      #expect(run.words.contains("No path leads from v2, v10 to v11."), "\(run.output)")
    }
  }
}
