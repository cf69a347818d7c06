import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The words on the app where the project accepts the outcome of its versions.
@Suite struct AcceptedGapTests {
  private static func book(_ type: String, _ more: String = "") -> String {
    #"<entity name="Book" syncable="YES"><attribute name="pages" optional="YES" "#
      + #"attributeType="\#(type)"/>\#(more)</entity>"#
  }

  private static let isbn = #"<attribute name="isbn" optional="YES" attributeType="String"/>"#

  /// Three versions, the last of which no app can open stores of the others with.
  private func with(_ body: (SketchedProject) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(
        folder,
        versions: [
          ("v1", Self.book("String")),
          ("v2", Self.book("String", Self.isbn)),
          ("v3", Self.book("Integer 32", Self.isbn)),
        ]
      )
      try project.configure("models: ModelArchive\n")
      #expect(project.run("lock").status == .success)
      try body(project)
    }
  }

  @Test func `no line offers to accept that there is no path at all`() throws {
    try with { project in
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .answerIsNo)
        #expect(!run.output.contains("reason:"), "\(run.output)")
      }
    }
  }

  @Test func `an accepted missing path lets a run pass, and nothing is called good`() throws {
    try with { project in
      try project.configure(
        "models: ModelArchive\naccept:\n  - {code: WS707, place: Book.pages, version: v3, "
          + "change: no path, reason: Betas.}\n"
      )
      let run = project.run("coverage")
      #expect(run.status == .success, "\(run.output)")
      #expect(!run.words.contains("No gap"), "\(run.output)")
      #expect(run.words.contains("of 2 older versions, 2 fail."))
      #expect(
        run.words.hasSuffix(
          "Passes by acceptance alone: gaps of 2 versions. Waystone cannot migrate 2 versions yet."
        ),
        "\(run.output)"
      )
      // What was written is named beside what it lets pass.
      #expect(run.words.contains("WS721 v1, v2 Betas. (accepted as WS707 Book.pages v3 no path)"))
      let file = project.run("coverage", "-o", "c.html")
      #expect(file.output.contains("c.html is written. Passes by acceptance alone"))
    }
  }

  @Test func `what only the app cannot do has a line to accept it in both verbs`() throws {
    try with { project in
      try SketchedModel.write(
        "from: v2\nto: v3\nentities:\n"
          + #"  - {source: Book, attributes: {pages: 'CAST($source.pages, "NSNumber")'}}"# + "\n",
        to: "\(project.folder)/ModelArchive/v2-to-v3.hop.yml"
      )
      let entry = #"  - {code: WS707, place: Book.pages, version: "v3", reason: "..."}"#
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .answerIsNo)
        #expect(run.output.contains("\n\(entry)\n"), "\(run.output)")
      }
    }
  }

  @Test func `the file's last line does not leave out what Waystone cannot do`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let run = project.run("coverage", "-o", "c.json")
      let text = project.run("coverage").words
      let last = try #require(run.output.split(separator: "written. ").last)
      #expect(text.hasSuffix(String(last).trimmingCharacters(in: .newlines)), "\(run.output)")
    }
  }
}
