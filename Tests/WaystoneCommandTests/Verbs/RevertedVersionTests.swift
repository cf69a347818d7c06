import MigrationTestSupport
import Testing
import WaystoneCommand

/// Versions that `check` and `coverage` must both look at though no path goes over them.
@Suite struct RevertedVersionTests {
  private static func note(_ attributes: String...) -> String {
    #"<entity name="Note" representedClassName="Note" syncable="YES">"#
      + attributes.map {
        #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
      }.joined() + "</entity>"
  }

  private func with(
    _ versions: [(name: String, entities: String)],
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: versions)
      try project.configure("models: ModelArchive\nconfigurations: used\n")
      #expect(CommandRun("lock", "v1", in: folder).status == .success)
      try body(project)
    }
  }

  @Test func `what a new version drops stays lost when the next one brings it back`() throws {
    try with([
      ("v1", Self.note("a", "n")), ("v2", Self.note("n")), ("v3", Self.note("a", "n")),
    ]) { project in
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .answerIsNo, "\(verb) \(run.output)")
        #expect(run.words.contains("error WS302 v2: Note.a is dropped."), "\(verb) \(run.output)")
      }
      try project.configure(
        "models: ModelArchive\naccept:\n"
          + #"  - {code: WS302, place: Note.a, version: "v2", reason: "nobody has it"}"# + "\n"
      )
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .success, "\(verb) \(run.output)")
      }
      // What was accepted stays accepted once users have the version.
      #expect(project.run("lock", "v2").status == .success)
      let check = project.run("check", "--fail-on", "warning")
      #expect(check.status == .success, "\(check.output)")
    }
  }

  @Test func `a new version that goes back to an old one fails for what users' stores lose`() throws
  {
    try with([
      ("v1", Self.note("a")), ("v2", Self.note("a", "n")), ("v3", Self.note("a")),
    ]) { project in
      #expect(project.run("lock", "v2").status == .success)
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .answerIsNo, "\(verb) \(run.output)")
        #expect(run.words.contains("error WS302 v3: Note.n is dropped."), "\(verb) \(run.output)")
      }
      try project.configure(
        "models: ModelArchive\naccept:\n"
          + #"  - {code: WS302, place: Note.n, version: "v3", reason: "it was never shown"}"# + "\n"
      )
      for verb in ["check", "coverage"] { #expect(project.run(verb).status == .success) }
    }
  }

  @Test func `what arrives only if the data fit is counted`() throws {
    try with([("v1", Self.transformed("A")), ("v2", Self.transformed("B"))]) { project in
      let summary =
        try project.run("coverage", "--format", "json").json()["summary"] as? [String: Any]
      #expect(summary?["ifDataFit"] as? Int == 1, "\(summary ?? [:])")
      #expect(summary?["arrive"] as? Int == 1)
    }
  }

  @Test(arguments: [
    // The rows of a store that has one configuration alone.
    (
      note("a") + configured("Local"), note("a") + configured("Cloud"),
      "WS334"
    ),
    (transformed("A"), transformed("B"), "WS331"),
  ])
  func `what is lost between versions of the same hashes fails both`(
    first: String,
    second: String,
    code: String
  ) throws {
    try with([("v1", first), ("v2", second)]) { project in
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .answerIsNo, "\(verb) \(run.output)")
        #expect(run.words.contains("error \(code) v2"), "\(verb) \(run.output)")
      }
    }
  }

  private static func configured(_ name: String) -> String {
    let other = name == "Local" ? "Cloud" : "Local"
    return #"<entity name="Tag" representedClassName="Tag" syncable="YES"/>"#
      + #"<configuration name="\#(name)"><memberEntity name="Tag"/></configuration>"#
      + #"<configuration name="\#(other)"><memberEntity name="Note"/></configuration>"#
  }

  private static func transformed(_ name: String) -> String {
    #"<entity name="Note" representedClassName="Note" syncable="YES"><attribute name="a" "#
      + #"optional="YES" attributeType="Transformable" valueTransformerName="\#(name)"/></entity>"#
  }
}
