import MigrationTestSupport
import Testing
import WaystoneCommand

/// The advice of coverage where several steps, or several versions, are in the way.
@Suite struct CoverageAdviceTests {
  private static func note(_ attribute: String, isToMany: Bool) -> String {
    func link(_ name: String, _ entity: String, _ inverse: String, isToMany: Bool) -> String {
      #"<relationship name="\#(name)" optional="YES" \#(isToMany ? #"toMany="YES""# : #"maxCount="1""#) "#
        + #"deletionRule="Nullify" destinationEntity="\#(entity)" inverseName="\#(inverse)" "#
        + #"inverseEntity="\#(entity)"/>"#
    }
    return #"<entity name="Note" syncable="YES">"# + attribute
      + link("tags", "Tag", "notes", isToMany: isToMany) + "</entity>"
      + #"<entity name="Tag" syncable="YES">"# + link("notes", "Note", "tags", isToMany: true)
      + "</entity>"
  }

  private static func date(_ type: String) -> String {
    #"<attribute name="date" optional="YES" attributeType="\#(type)"/>"#
  }

  @Test func `each step that needs a mapping model is named, not the first alone`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.note(Self.date("String"), isToMany: true)),
          ("v2", Self.note(Self.date("Date"), isToMany: true)),
          ("v3", Self.note(Self.date("Date"), isToMany: false)),
        ],
        into: "\(folder)/ModelArchive"
      )
      let run = CommandRun("coverage", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(
        run.words.contains(
          "with a mapping model from v1 to v2 (WS311), and from v2 to v3 (WS317). Or give it a mapping model"
        ),
        "\(run.output)"
      )
    }
  }

  @Test
  func `a cause that stops versions for more than one reason counts the models for all of them`()
    throws
  {
    func book(year: String, count: String, more: String = "") -> String {
      SketchedModel.book([("title", more)]).replacing(
        "</entity>",
        with: #"<attribute name="year" optional="YES" attributeType="\#(year)"/>"#
          + #"<attribute name="count" optional="YES" attributeType="\#(count)"/></entity>"#
      )
    }
    func words(_ versions: [(name: String, entities: String)]) throws -> String {
      try TemporaryFolder.with { folder in
        try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
        return CommandRun("coverage", in: folder).words
      }
    }
    let integer = "Integer 32"
    let first = book(year: "String", count: "String")
    let versions = [
      ("v1", first),
      ("v2", book(year: "String", count: "String", more: #"versionHashModifier="2""#)),
      ("v3", book(year: "String", count: integer)), ("v4", book(year: integer, count: integer)),
    ]
    let all = try words(versions)
    #expect(
      all.contains("give it 3 mapping models, one from each of these versions, to v4"),
      "\(all)"
    )
    let twins = try words([versions[0], ("v2", first), versions[2], versions[3]])
    #expect(
      twins.contains(
        "2 mapping models, one from each of these versions (versions with the same hashes share one), to v4"
      ),
      "\(twins)"
    )
  }

  @Test func `versions after the current one are told in sentences of several`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try SketchedModel.write("current: v1\n", to: "\(folder)/waystone.yml")
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      let run = CommandRun("coverage", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(
        run.words.contains("In the order of versions v1 comes before these versions:"),
        "\(run.output)"
      )
      #expect(!run.words.contains("--to these versions"))
      #expect(!run.words.contains("these versions is"))
    }
  }

  @Test func `the file's last line counts versions as the report does`() throws {
    try TemporaryFolder.with { folder in
      let book = SketchedModel.book([("title", "")])
      let required = book.replacing(
        "</entity>",
        with: #"<attribute name="isbn" attributeType="String"/></entity>"#
      )
      try SketchedModel.write(
        [("v1", book), ("v2", book), ("v3", required)],
        into: "\(folder)/ModelArchive"
      )
      let run = CommandRun("coverage", "--output", "c.xml", in: folder)
      #expect(run.output.contains("c.xml is written. 2 versions have gaps."), "\(run.output)")
      #expect(CommandRun("coverage", in: folder).words.hasSuffix("2 versions have gaps."))
    }
  }
}
