import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Advice, followed literally, takes its finding away.
@Suite struct FollowedAdviceTests {
  /// A project with a finding, the words that advise, and the edit that they describe.
  struct Advice: Sendable, CustomTestStringConvertible {
    let code: String
    /// Words of the advice.
    let words: String
    let old: String
    let new: String
    /// The edit of the current version, or of `waystone.yml`.
    let edit: Edit
    var verb = "check"
    /// Lines of `waystone.yml`.
    var settings = ""

    enum Edit: Sendable {
      case version(_ text: String, _ replacement: String)
      case configuration(String)
      case command([String])
      /// The lines to add to `accept:` that the verb prints.
      case printedAcceptance
    }

    var testDescription: String { "\(code) \(words)" }

    static let all = ofModels + FollowedAdviceTests.ofSteps

    private static let ofModels = [
      Advice(
        code: "WS206",
        words: "Clear its Renaming ID",
        old: note(text("title")),
        new: note(text("title", #"elementID="name""#) + text("more")),
        edit: .version(#"elementID="name""#, "")
      ),
      Advice(
        code: "WS206",
        words: "Clear its Renaming ID, in v2",
        old: note(text("title")),
        new: note(text("title", #"elementID="name""#) + text("more")),
        edit: .version(#"elementID="name""#, ""),
        verb: "coverage"
      ),
      Advice(
        code: "WS206",
        words: #"Set its Renaming ID to "name""#,
        old: note(text("title", #"elementID="name""#)),
        new: note(text("title") + text("more")),
        edit: .version(#"name="title""#, #"name="title" elementID="name""#)
      ),
      Advice(
        code: "WS209",
        words: #"set the Renaming ID of caption to "headline""#,
        old: note(text("headline")),
        new: note(text("caption")),
        edit: .version(#"name="caption""#, #"name="caption" elementID="headline""#)
      ),
      Advice(
        code: "WS102",
        words: "write elementID= in place of renamingIdentifier=",
        old: note(text("headline")),
        new: note(text("caption", #"renamingIdentifier="headline""#)),
        edit: .version("renamingIdentifier=", "elementID=")
      ),
      Advice(
        code: "WS102",
        words: "write versionHashModifier= in place of versionHashModifer=",
        old: note(text("headline")),
        new: note(text("headline", #"versionHashModifer="2""#) + text("more")),
        edit: .version("versionHashModifer=", "versionHashModifier=")
      ),
      Advice(
        code: "WS208",
        words: "Set it to the earlier name, or clear it",
        old: note(text("title")),
        new: note(text("title") + text("more", #"elementID="mroe""#)),
        edit: .version(#"elementID="mroe""#, "")
      ),
      Advice(
        code: "WS204",
        words: "add to Tag a relationship whose destination is Note",
        old: note(text("title")) + tag(""),
        new: note(text("title") + link("tags", "Tag")) + tag(""),
        edit: .version(
          note(text("title") + link("tags", "Tag")) + tag(""),
          note(text("title") + link("tags", "Tag", inverse: "note"))
            + tag(link("note", "Note", isToMany: false, inverse: "tags"))
        )
      ),
      Advice(
        code: "WS313",
        words: "Give it a default in the model",
        old: note(text("title")),
        new: note(#"<attribute name="title" attributeType="String"/>"#),
        edit: .version(
          #"attributeType="String""#,
          #"attributeType="String" defaultValueString="none""#
        )
      ),
      Advice(
        code: "WS313",
        words: "set `relies-on: waystone` in waystone.yml",
        old: note(text("title")),
        new: note(#"<attribute name="title" attributeType="String"/>"#),
        edit: .configuration("relies-on: waystone")
      ),
      Advice(
        code: "WS707",
        words: "Keep the old type.",
        old: note(text("title")),
        new: note(#"<attribute name="title" optional="YES" attributeType="Date"/>"#),
        edit: .version(#"attributeType="Date""#, #"attributeType="String""#)
      ),
      // Of bytes no model has a default.
      Advice(
        code: "WS707",
        words: "Make it optional. Or give the app a mapping model",
        old: note(text("title")),
        new: note(text("title") + #"<attribute name="scan" attributeType="Binary"/>"#),
        edit: .version(#"attributeType="Binary""#, #"optional="YES" attributeType="Binary""#)
      ),
      Advice(
        code: "WS302",
        words: "accept it with a reason in waystone.yml",
        old: note(text("title") + text("draft")),
        new: note(text("title")),
        edit: .configuration(
          "accept:\n  - {code: WS302, place: Note.draft, version: v2, reason: Drafts are files.}"
        )
      ),
    ]

    static func note(_ contents: String) -> String {
      #"<entity name="Note" syncable="YES">\#(contents)</entity>"#
    }

    static func tag(_ contents: String) -> String {
      #"<entity name="Tag" syncable="YES">\#(contents)</entity>"#
    }

    static func text(_ name: String, _ more: String = "") -> String {
      #"<attribute name="\#(name)" optional="YES" attributeType="String" \#(more)/>"#
    }

    static func link(
      _ name: String,
      _ entity: String,
      isToMany: Bool = true,
      inverse: String? = nil
    ) -> String {
      #"<relationship name="\#(name)" optional="YES" \#(isToMany ? #"toMany="YES""# : #"maxCount="1""#) "#
        + #"deletionRule="Nullify" destinationEntity="\#(entity)""#
        + (inverse.map { #" inverseName="\#($0)" inverseEntity="\#(entity)""# } ?? "") + "/>"
    }
  }

  @Test(arguments: Advice.all)
  func `a finding goes where its advice is followed to the letter`(advice: Advice) throws {
    try TemporaryFolder.with { folder in
      let versions = [("v1", advice.old), ("v2", advice.new)]
      let project = try SketchedProject(folder, versions: versions)
      let settings = "models: ModelArchive\nshipped: [v1]\n\(advice.settings)\n"
      try project.configure(settings)
      let before = project.run(advice.verb, "--verbose")
      #expect(before.words.contains(" \(advice.code) "), "\(before.output)")
      #expect(before.words.contains(advice.words), "\(before.output)")
      let told = try Self.weights(of: advice.code, project.run(advice.verb, "--format", "json"))
      switch advice.edit {
      case .version(let text, let replacement):
        try project.edit("v2", text, replacement)
      case .configuration(let lines):
        try project.configure("\(settings)\(lines)\n")
      case .command(let words):
        #expect(CommandRun(words, in: folder).status == .success)
      case .printedAcceptance:
        let lines = before.output.split(separator: "\n").filter { $0.hasPrefix("  - {code: ") }
        #expect(!lines.isEmpty, "\(before.output)")
        let entries = lines.joined(separator: "\n").replacing("\"...\"", with: "It is meant.")
        try project.configure("\(settings)accept:\n\(entries)\n")
      }
      let after = project.run(advice.verb, "--format", "json")
      let left = try Self.weights(of: advice.code, after)
      // What is accepted or set in waystone.yml stays, and weighs less.
      let isGone = if case .version = advice.edit { left.isEmpty } else { left < told }
      #expect(isGone && !told.isEmpty, "\(told), then \(left): \(after.output)")
      if advice.verb == "coverage" { #expect(after.status == .success, "\(after.output)") }
    }
  }

  /// Returns how many errors, warnings and notes of a code a report has that are not accepted, at any depth.
  private static func weights(of code: String, _ run: CommandRun) throws -> Weights {
    func severities(_ value: Any) -> [String] {
      if let list = value as? [Any] { return list.flatMap(severities) }
      guard let members = value as? [String: Any] else { return [] }
      let own = members["code"] as? String == code ? members["severity"] as? String : nil
      let others = members.filter { $0.key != "accepted" }.values
      return [own].compactMap(\.self) + others.flatMap(severities)
    }
    let found = severities(try JSONSerialization.jsonObject(with: Data(run.output.utf8)))
    return Weights(counts: ["error", "warning", "note"].map { name in found.count { $0 == name } })
  }

  /// The findings of a code by severity, the worst first.
  private struct Weights: Comparable {
    let counts: [Int]

    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

    static func < (lhs: Weights, rhs: Weights) -> Bool {
      lhs.counts.lexicographicallyPrecedes(rhs.counts)
    }
  }

  @Test func `a default is advised for each version that the app may take at once`() throws {
    try TemporaryFolder.with { folder in
      let scan = #"<attribute name="scan" attributeType="String"/>"#
      let project = try SketchedProject(
        folder,
        versions: [
          ("v1", Advice.note(Advice.text("title"))),
          ("v2", Advice.note(Advice.text("title") + scan)),
          ("v3", Advice.note(Advice.text("title") + scan + Advice.text("more"))),
        ]
      )
      try project.configure("models: ModelArchive\nshipped: [v1, v2]\n")
      let check = project.run("check")
      #expect(
        check.words.contains("WS707")
          && check.words.contains("Give it a default in each of v2, v3"),
        "\(check.output)"
      )
      for version in ["v2", "v3"] {
        #expect(project.run("check").words.contains("WS707"))
        try project.edit(version, #""scan" "#, #""scan" defaultValueString="none" "#)
      }
      #expect(!project.run("check").words.contains("WS707"))
    }
  }

  @Test func `steps that coverage advises lead forward, whichever versions need them`() throws {
    func barge(_ names: [String], required: Set<String>) -> String {
      let attributes = names.map { name in
        let optional = required.contains(name) ? "" : #"optional="YES""#
        return #"<attribute name="\#(name)" \#(optional) attributeType="String"/>"#
      }
      return #"<entity name="Barge" syncable="YES">\#(attributes.joined())</entity>"#
    }
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(
        folder,
        versions: [
          ("v1", barge(["flag", "port"], required: [])),
          ("v2", barge(["flag", "port"], required: ["flag"])),
          ("v3", barge(["flag", "port", "crew"], required: ["flag"])),
          ("v4", barge(["flag", "port", "crew", "load"], required: ["flag"])),
          ("v5", barge(["flag", "port", "crew", "load"], required: ["flag", "port"])),
          ("v6", barge(["port", "crew", "load"], required: ["port"])),
        ]
      )
      let run = project.run("coverage")
      #expect(
        run.words.contains(
          "with a mapping model from v1 to v2 (WS313), and from v4 to v5 (WS313). Or give it 4 mapping models, "
            + "one from each of these versions, to v6."
        ),
        "\(run.output)"
      )
      let page = project.run("coverage", "--format", "html")
      #expect(page.output.contains("with a mapping model from v1 to v2 (WS313), and from v4 to v5"))
    }
  }
}
