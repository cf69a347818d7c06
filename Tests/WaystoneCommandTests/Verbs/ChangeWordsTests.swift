import MigrationTestSupport
import Testing
import WaystoneCommand

/// Sentences on changes name what is changed.
@Suite struct ChangeWordsTests {
  private static func note(_ attribute: String) -> String {
    #"<entity name="Note" syncable="YES">\#(attribute)</entity>"#
  }

  private static func flag(_ value: String?) -> String {
    let text = value.map { #"defaultValueString="\#($0)""# } ?? ""
    return note(
      #"<attribute name="flag" optional="YES" attributeType="Boolean" usesScalarValueType="YES" \#(text)/>"#
    )
  }

  private func with(_ old: String, _ new: String, _ body: (_ folder: String) throws -> Void) throws
  {
    try TemporaryFolder.with { folder in
      try SketchedModel.write([("v1", old), ("v2", new)], into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  @Test(
    arguments: [
      ("YES", nil, "the default YES is removed", "loses its default YES"),
      (nil, "YES", "the default YES is added", "gets the default YES"),
      ("YES", "NO", "default YES → NO", "changes its default from YES to NO"),
    ] as [(String?, String?, String, String)]
  )
  func `a default that is removed is not called NO`(
    old: String?,
    new: String?,
    inDiff: String,
    inCheck: String
  ) throws {
    try with(Self.flag(old), Self.flag(new)) { folder in
      let diff = CommandRun("diff", "v1", "v2", in: folder)
      #expect(diff.words.contains("attribute flag: \(inDiff)"), "\(diff.output)")
      let check = CommandRun("check", "--verbose", in: folder)
      #expect(check.words.contains("Note.flag \(inCheck);"), "\(check.output)")
    }
  }

  @Test func `a removed default of a locked version is not called NO`() throws {
    try with(Self.flag("YES"), Self.flag("YES")) { folder in
      let lock = CommandRun("lock", "v1", in: folder)
      #expect(lock.status == .success, "\(lock.errors)")
      try SketchedModel.write(
        [("v1", Self.flag(nil)), ("v2", Self.flag("YES"))],
        into: "\(folder)/ModelArchive"
      )
      let check = CommandRun("check", in: folder)
      #expect(!check.words.contains("YES → NO"), "\(check.output)")
      #expect(check.words.contains("locked: the default YES is removed."), "\(check.output)")
    }
  }

  @Test func `a type that changes with a new name names the old one`() throws {
    func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
      Self.note(#"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#)
    }
    try with(
      attribute("amount", "String"),
      attribute("total", "Integer 32", #"elementID="amount""#)
    ) { folder in
      let check = CommandRun("check", in: folder)
      #expect(
        check.words.contains("Note.total, which was amount, changes from string to integer32"),
        "\(check.output)"
      )
    }
  }
}
