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

  @Test func `a new version without a path from a shipped one fails`() throws {
    let typed = SketchedModel.book([("heading", #"elementID="title""#)]).replacing(
      "</entity>",
      with: #"<attribute name="isbn" optional="YES" attributeType="Date"/></entity>"#
    )
    try withNewVersion(typed) { project in
      check(project.run("check"), .answerIsNo, "check-stranded.txt")
    }
  }
}
