import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Two relationships that change their other ends with each other: what was `Note.p` and `Tag.x`, and
/// `Note.q` and `Tag.y`, becomes `Note.p` and `Tag.y`, and `Note.q` and `Tag.x`.
@Suite struct SwappedEndsTests {
  /// A version in which notes have one tag or many.
  private static func version(isToMany: Bool, isSwapped: Bool) -> String {
    func link(_ name: String, _ entity: String, _ inverse: String, isToMany: Bool) -> String {
      let count = isToMany ? #"toMany="YES""# : #"maxCount="1""#
      return #"<relationship name="\#(name)" optional="YES" \#(count) deletionRule="Nullify" "#
        + #"destinationEntity="\#(entity)" inverseName="\#(inverse)" inverseEntity="\#(entity)"/>"#
    }
    let (x, y) = isSwapped ? ("q", "p") : ("p", "q")
    return """
      <entity name="Note" representedClassName="Note" syncable="YES">
      \(link("p", "Tag", isSwapped ? "y" : "x", isToMany: isToMany))
      \(link("q", "Tag", isSwapped ? "x" : "y", isToMany: isToMany))</entity>
      <entity name="Tag" representedClassName="Tag" syncable="YES">
      \(link("x", "Note", x, isToMany: true))\(link("y", "Note", y, isToMany: true))</entity>
      """
  }

  private func with(isToMany: Bool, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let versions = [("v1", false), ("v2", true)].map {
        (name: $0, entities: Self.version(isToMany: isToMany, isSwapped: $1))
      }
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  /// The links of a relationship of notes, from note to tag.
  private func links(_ name: String, of store: String, isToMany: Bool) throws -> [String] {
    let connection = try SQLiteConnection(path: store, access: .readOnly)
    guard isToMany else {
      return try connection.rows("SELECT Z_PK, Z\(name) FROM ZNOTE WHERE Z\(name) > 0 ORDER BY 1")
        .map { "\($0)" }
    }
    return try connection.rows("SELECT * FROM Z_1\(name) ORDER BY 1, 2").map { "\($0)" }
  }

  @Test(arguments: [true, false])
  func `a person says which links stay, and these do`(isToMany: Bool) throws {
    try with(isToMany: isToMany) { folder in
      let hop = "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      #expect(
        CommandRun("generate", "v1", "--rows", "40", "-o", "a.sqlite", in: folder).status
          == .success
      )
      #expect(CommandRun("init", "--hop", "v1", "v2", "-o", hop, in: folder).status == .success)
      let text = try String(contentsOfFile: hop, encoding: .utf8)
      #expect(text.split(separator: "TODO").count - 1 == 4, "\(text)")
      #expect(text.contains("Tag.x was the other end, Tag.y is it now"), "\(text)")
      // All four decided to stay: no store can have that.
      let undecided = text.split(separator: "\n").map { $0.split(separator: "  # TODO")[0] }
        .joined(separator: "\n")
      try SketchedModel.write(undecided, to: hop)
      let check = CommandRun("check", "--mappings", hop, in: folder)
      #expect(check.status == .answerIsNo && check.words.contains("WS421"), "\(check.output)")
      #expect(check.words.contains("are the two ends of one relationship"), "\(check.output)")
      #expect(CommandRun("plan", "a.sqlite", in: folder).status == .noPath)
      let decided = undecided.replacing("x: {from: x}", with: "x: null")
        .replacing("'y': {from: 'y'}", with: "'y': null")
      #expect(decided != undecided)
      try SketchedModel.write(decided, to: hop)
      #expect(CommandRun("check", "--mappings", hop, in: folder).status == .success)
      let run = CommandRun(
        "migrate",
        "a.sqlite",
        "-o",
        "b.sqlite",
        "--verify",
        "full",
        "--accept-unproven-names",
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      for name in ["P", "Q"] {
        let before = try links(name, of: "\(folder)/a.sqlite", isToMany: isToMany)
        let after = try links(name, of: "\(folder)/b.sqlite", isToMany: isToMany)
        #expect(before == after && !before.isEmpty)
      }
    }
  }

  @Test func `two relationships without inverse may become the ends of one`() throws {
    try TemporaryFolder.with { folder in
      func link(_ name: String, _ entity: String, _ inverse: String?) -> String {
        let end = inverse.map { #"inverseName="\#($0)" inverseEntity="\#(entity)""# } ?? ""
        return #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
          + #"destinationEntity="\#(entity)" \#(end)/>"#
      }
      let versions = [("v1", false), ("v2", true)].map { name, isOne in
        (
          name: name,
          entities:
            #"<entity name="Note" syncable="YES">\#(link("p", "Tag", isOne ? "x" : nil))</entity>"#
            + #"<entity name="Tag" syncable="YES">\#(link("x", "Note", isOne ? "p" : nil))</entity>"#
        )
      }
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let hop = "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      #expect(CommandRun("init", "--hop", "v1", "v2", "-o", hop, in: folder).status == .success)
      let text = try String(contentsOfFile: hop, encoding: .utf8)
      #expect(!text.contains("TODO"), "\(text)")
      let check = CommandRun("check", "--mappings", hop, in: folder)
      #expect(!check.words.contains("WS421"), "\(check.output)")
    }
  }
}
