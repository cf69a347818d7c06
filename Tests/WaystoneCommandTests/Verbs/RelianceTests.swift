import MigrationTestSupport
import Testing
import WaystoneCommand

/// `relies-on:` decides whether the app or Waystone holds a release.
@Suite struct RelianceTests {
  /// Two entities that link each other in a to-many relationship whose table's name the model leaves open.
  private static func linked(_ more: String) -> String {
    func link(_ name: String, _ entity: String, _ inverse: String) -> String {
      #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + #"destinationEntity="\#(entity)" inverseName="\#(inverse)" inverseEntity="\#(entity)"/>"#
    }
    return #"<entity name="A" syncable="YES">\#(more)"# + link("own", "A", "others")
      + link("others", "A", "own") + "</entity>"
  }

  private static func text(_ name: String, _ type: String = "String") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)"/>"#
  }

  private func with(
    _ versions: [(name: String, entities: String)],
    hop: String? = nil,
    relyingOn word: String?,
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: versions)
      try project.configure(
        "models: ModelArchive\n" + (word.map { "relies-on: \($0)\n" } ?? "")
      )
      if let hop {
        try SketchedModel.write(hop, to: "\(folder)/ModelArchive/v1-to-v2.hop.yml")
      }
      try body(project)
    }
  }

  @Test(
    arguments: [
      (nil, CommandStatus.success, "note"), ("app", .success, "note"),
      ("waystone", .answerIsNo, "error"), ("both", .answerIsNo, "error"),
    ] as [(String?, CommandStatus, String)]
  )
  func `a name that only a run of Waystone needs holds what relies on it`(
    word: String?,
    status: CommandStatus,
    severity: String
  ) throws {
    let versions = [("v1", Self.linked("")), ("v2", Self.linked(Self.text("more")))]
    try with(versions, relyingOn: word) { project in
      let run = project.run("coverage")
      #expect(run.status == status, "\(run.output)")
      #expect(run.words.contains("\(severity) WS501"), "\(run.output)")
      #expect(run.words.contains("No gap") == (status == .success), "\(run.output)")
      let page = project.run("coverage", "--format", "html")
      #expect(page.output.contains("Nothing holds the release") == (status == .success))
      let junit = project.run("coverage", "--format", "junit")
      #expect(junit.output.contains("<failure") == (status == .answerIsNo), "\(junit.output)")
      let sarif = project.run("coverage", "--format", "sarif")
      #expect(sarif.output.contains(#""level": "error""#) == (status == .answerIsNo))
      let json = project.run("coverage", "--format", "json")
      #expect(json.output.contains(#""reliesOn": "\#(word ?? "app")""#))
    }
  }
}
