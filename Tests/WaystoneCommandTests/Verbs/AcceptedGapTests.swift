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

  @Test func `what the app was tried with does not accept that Waystone has no path`() throws {
    try TemporaryFolder.with { folder in
      let abstract = Self.book("String").replacing("syncable", with: #"isAbstract="YES" syncable"#)
      let project = try SketchedProject(
        folder,
        versions: [("v1", Self.book("String")), ("v2", abstract)]
      )
      let entries = [
        "  - {code: WS322, place: Book, version: v2, reason: Tried.}\n",
        "  - {code: WS707, place: Book, version: v2, change: no path, reason: Tried.}\n",
      ]
      for count in 0...2 {
        try project.configure(
          "models: ModelArchive\n" + (count > 0 ? "accept:\n" : "") + entries.prefix(count).joined()
        )
        if count == 0 { #expect(project.run("lock", "v1").status == .success) }
        for verb in ["check", "coverage"] {
          let run = project.run(verb)
          #expect(run.status == (count == 2 ? .success : .answerIsNo), "\(count) \(run.output)")
          if count == 0, verb == "coverage" {
            #expect(run.words.contains("accepted apart: as WS707, with `change: no path`."))
          }
        }
      }
    }
  }

  @Test func `advice on versions behind the current one names no option that coverage lacks`()
    throws
  {
    try with { project in
      let run = project.run("coverage", "--to", "v1", "--lock", "none.lock")
      #expect(!run.output.contains("--downgrade"), "\(run.output)")
      try project.configure("models: ModelArchive\ncurrent: v1\n")
      let later = project.run("coverage")
      #expect(later.words.contains("Waystone: In the order of versions v1 comes before"))
      #expect(!later.output.contains("--downgrade"), "\(later.output)")
      #expect(later.words.contains("of 1 other version, 1 fails."), "\(later.output)")
    }
  }

  @Test func `a project that has shipped nothing need not have a lock`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: [("v1", Self.book("String"))])
      try project.configure("models: ModelArchive\nshipped: []\n")
      #expect(project.run("check").status == .success)
      try project.configure("models: ModelArchive\nshipped: [v1]\n")
      #expect(project.run("check").words.contains("error WS710"))
    }
  }

  @Test func `a silent loss has a line to accept it`() throws {
    try TemporaryFolder.with { folder in
      let title = SketchedModel.book([("title", "")])
      let heading = SketchedModel.book([("heading", #"elementID="title""#)])
      let name = SketchedModel.book([("name", #"elementID="heading""#)])
      let project = try SketchedProject(
        folder,
        versions: [("v1", title), ("v2", heading), ("v3", name)]
      )
      try project.configure("models: ModelArchive\n")
      let run = project.run("coverage")
      #expect(run.words.contains("WS722 v1: Book.name is lost"), "\(run.output)")
      #expect(run.output.contains(#"  - {code: WS722, place: Book.name, reason: "..."}"#))
      try project.configure(
        "models: ModelArchive\naccept:\n"
          + "  - {code: WS722, place: Book.name, reason: Names are typed again.}\n"
      )
      let accepted = project.run("coverage")
      #expect(!accepted.words.contains("No gap"), "\(accepted.output)")
      #expect(accepted.words.contains("1 loses or changes data silently"))
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

  @Test func `gaps of stores are no gaps of versions`() throws {
    try with { project in
      let made = project.run("generate", "v1", "--rows", "5", "-o", "S.sqlite")
      #expect(made.status == .success, "\(made.errors)")
      let run = project.run("coverage", "S.sqlite")
      #expect(run.words.hasSuffix("2 versions and 1 store have gaps."), "\(run.output)")
      #expect(run.words.contains("v1, v2: the app fails"), "\(run.output)")
    }
  }
}
