import MigrationTestSupport
import Testing
import WaystoneCommand

/// `check` before a project has a lock.
@Suite struct FirstRunTests {
  /// Each step drops an attribute.
  private static let versions = (1...5).map { number in
    (
      name: "v\(number)",
      entities: SketchedModel.book((number...5).map { ("a\($0)", "") } + [("title", "")])
    )
  }

  private func with(_ body: (SketchedProject) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      try project.configure("models: ModelArchive\n")
      try body(project)
    }
  }

  private func drops(_ run: CommandRun) throws -> [String] {
    let findings = try run.json()["findings"] as? [[String: Any]] ?? []
    return findings.filter { $0["code"] as? String == "WS302" }.map {
      "\($0["severity"] ?? "") \($0["version"] ?? "")"
    }
  }

  @Test func `only the step to the current version is judged`() throws {
    try with { project in
      let judged = try drops(project.run("check", "--format", "json"))
      #expect(judged == ["error v5"])
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(
        run.words.contains("v5 counts as new, all other versions as shipped."),
        "\(run.output)"
      )
    }
  }

  @Test func `one line counts what the history lost, and --all lists it`() throws {
    try with { project in
      let words = project.run("check").words
      #expect(
        words.contains(
          "Their steps have 3 losses, which users' stores have had: `waystone check --all` lists them."
        )
      )
      let all = try drops(project.run("check", "--all", "--format", "json"))
      #expect(all.sorted() == ["error v5", "warning v2", "warning v3", "warning v4"])
      #expect(!project.run("check", "--all").words.contains("lists them"))
    }
  }

  @Test func `a version after the current one is being made, before a lock and after`() throws {
    try TemporaryFolder.with { folder in
      let versions = (1...3).map { number in
        (
          name: "v\(number)",
          entities: SketchedModel.book([("title", "")] + (1...number).map { ("a\($0)", "") })
        )
      }
      let project = try SketchedProject(folder, versions: versions)
      try project.configure("models: ModelArchive\ncurrent: v2\n")
      for verb in ["check", "coverage", "lock", "check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .success, "\(verb) \(run.output)\(run.errors)")
      }
    }
  }

  @Test func `a first lock changes no verdict`() throws {
    try with { project in
      let before = project.run("coverage").status
      #expect(project.run("lock").status == .success)
      let judged = try drops(project.run("check", "--format", "json"))
      #expect(judged == ["error v5"])
      #expect(project.run("coverage").status == before)
    }
  }
}
