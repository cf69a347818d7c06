import MigrationTestSupport
import Testing
import WaystoneCommand

/// Several mappings between two versions, of which one reads what the other makes.
@Suite struct SeveralMappingsTests {
  private static func entities(_ link: String, _ backlink: String) -> String {
    """
    <entity name="Author" syncable="YES">
    <attribute name="name" optional="YES" attributeType="String"/>\(backlink)
    </entity>
    <entity name="Book" syncable="YES">
    <attribute name="writer" optional="YES" attributeType="String"/>\(link)
    </entity>
    """
  }

  private static let versions = [
    (name: "v1", entities: entities("", "")),
    (
      name: "v2",
      entities: entities(
        """
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        """,
        """
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        """
      )
    ),
  ]

  private static let books = """
    from: v1
    to: v2
    entities:
      - source: Book
        relationships:
          author: {lookup: {entity: Author, where: name, equals: $source.writer}}
    others: drop

    """

  private static let authors = """
    from: v1
    to: v2
    entities:
      - source: Author
    others: drop

    """

  private func with(_ mappings: String?, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let models = folder + "/Models"
      try SketchedModel.write(Self.versions, into: models)
      try SketchedModel.write(Self.books, to: models + "/a-books.hop.yml")
      try SketchedModel.write(Self.authors, to: models + "/b-authors.hop.yml")
      try SketchedModel.write(
        "models: Models\n" + (mappings.map { "mappings: \($0)\n" } ?? ""),
        to: folder + "/waystone.yml"
      )
      try body(folder)
    }
  }

  @Test(arguments: [nil, "[Models]"])
  func `an order that matters and that nobody gave is refused`(mappings: String?) throws {
    try with(mappings) { folder in
      let plan = CommandRun("plan", "v1", "--to", "v2", in: folder)
      #expect(plan.status == .noPath)
      let told = plan.output + plan.errors
      #expect(told.contains("a-books.hop.yml reads what b-authors.hop.yml makes"), "\(told)")
      #expect(CommandRun("check", in: folder).status == .answerIsNo)
    }
  }

  @Test func `an order that is listed is the one in which mappings run`() throws {
    try with("[Models/b-authors.hop.yml, Models/a-books.hop.yml]") { folder in
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let store = folder + "/s.sqlite"
      try AppDatabase.run(store, "UPDATE ZAUTHOR SET ZNAME = 'n' || Z_PK;")
      try AppDatabase.run(store, "UPDATE ZBOOK SET ZWRITER = 'n' || Z_PK;")
      let plan = try CommandRun("plan", "v1", "--to", "v2", "--format", "json", in: folder).json()
      let hops = try #require(plan["hops"] as? [[String: Any]])
      let files = hops.first?["mappings"] as? [String]
      #expect(files == ["Models/b-authors.hop.yml", "Models/a-books.hop.yml"])
      let run = CommandRun("migrate", "s.sqlite", "--to", "v2", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(try AppDatabase(store).integer("SELECT COUNT(ZAUTHOR) FROM ZBOOK") == 10)
      let check = CommandRun("check", in: folder)
      #expect(!check.output.contains("WS301"), "what one half drops, the other carries")
    }
  }
}
