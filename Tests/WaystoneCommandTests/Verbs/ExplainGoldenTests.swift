import MigrationTestSupport
import Testing
import WaystoneCommand

/// Histories in which the edge straight from the first version to the last is a trap.
@Suite struct ExplainGoldenTests {
  /// A history, the hop files that go with it, and the codes that must be named.
  struct Trap: Sendable, CustomTestStringConvertible {
    let name: String
    let versions: [(name: String, entities: String)]
    var hops: [String: String] = [:]
    let codes: [String]
    let hopCount: Int
    var testDescription: String { name }
  }

  private static func book(_ names: String...) -> String {
    SketchedModel.book(names.map { ($0, "") })
  }

  private static func hop(_ from: String, _ to: String, _ entities: String) -> String {
    "from: \(from)\nto: \(to)\nentities:\n\(entities)\n"
  }

  private static let shouting = """
      - source: Book
        attributes:
          title: uppercase($source.title)
    """

  static let traps = [
    Trap(
      name: "bypassed",
      versions: [
        ("v1", book("title")), ("v2", book("title", "year")), ("v3", book("note", "title", "year")),
        ("v4", book("isbn", "note", "title", "year")),
      ],
      hops: ["v2-to-v3": hop("v2", "v3", shouting)],
      codes: ["WS414"],
      hopCount: 3
    ),
    Trap(
      name: "readded",
      versions: [
        ("v1", book("title", "year")), ("v2", book("title")),
        ("v3", book("isbn", "title", "year")),
      ],
      codes: ["WS412"],
      hopCount: 2
    ),
    Trap(
      name: "renamed-twice",
      versions: [
        ("v1", book("title")),
        ("v2", SketchedModel.book([("heading", #"elementID="title""#)])),
        ("v3", SketchedModel.book([("name", #"elementID="heading""#)])),
      ],
      codes: ["WS411"],
      hopCount: 2
    ),
    Trap(
      name: "reused-name",
      versions: [
        ("v1", book("title")),
        ("v2", SketchedModel.book([("heading", #"elementID="title""#)])),
        ("v3", book("heading")), ("v4", book("heading", "title")),
      ],
      codes: ["WS411", "WS413"],
      hopCount: 2
    ),
    Trap(
      name: "split",
      versions: [
        ("v1", book("author", "title")), ("v2", book("author", "title", "year")),
        ("v3", book("title", "year") + author),
      ],
      hops: [
        "v2-to-v3": hop(
          "v2",
          "v3",
          """
            - source: Book
              attributes:
                title: $source.title
                year: $source.year
            - source: Book
              destination: Author
              attributes:
                name: $source.author
          """
        )
      ],
      codes: ["WS414"],
      hopCount: 2
    ),
    Trap(
      name: "diamond",
      versions: [
        ("v1", book("title")), ("v2", book("title", "year")), ("v3", book("note", "title", "year")),
      ],
      hops: [
        "v2-to-v3": hop("v2", "v3", shouting),
        "v1-to-v3": hop(
          "v1",
          "v3",
          """
            - source: Book
              attributes:
                title: $source.title
          """
        ),
      ],
      codes: ["WS415"],
      hopCount: 1
    ),
  ]

  private static let author = """
    <entity name="Author" representedClassName="Author" syncable="YES">
    <attribute name="name" optional="YES" attributeType="String"/>
    </entity>
    """

  private func write(_ trap: Trap, _ folder: String) throws {
    try SketchedModel.write(trap.versions, into: "\(folder)/ModelArchive")
    for (name, text) in trap.hops {
      try SketchedModel.write(text, to: "\(folder)/ModelArchive/Mappings/\(name).hop.yml")
    }
  }

  @Test(arguments: traps) func `a trap is named with the property that it would cost`(
    trap: Trap
  ) throws {
    try TemporaryFolder.with { folder in
      try write(trap, folder)
      let run = CommandRun("explain", "v1", "@current", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let mismatch = Golden.mismatch(run.output, "explain-\(trap.name).txt")
      #expect(mismatch == nil)
      let json = try CommandRun("explain", "v1", "--format", "json", in: folder).json()
      #expect(json["schema"] as? String == "waystone.explain/1")
      let direct = json["direct"] as? [String: Any]
      let losses = direct?["losses"] as? [[String: Any]]
      #expect(Set(losses?.compactMap { $0["code"] as? String } ?? []) == Set(trap.codes))
      #expect((json["hops"] as? [Any])?.count == trap.hopCount)
    }
  }

  @Test func `the classic trap is told to programs too`() throws {
    try TemporaryFolder.with { folder in
      try write(Self.traps[0], folder)
      let run = CommandRun("explain", "v1", "v4", "--format", "json", in: folder)
      let mismatch = Golden.mismatch(run.output, "explain-bypassed.json")
      #expect(mismatch == nil)
    }
  }

  @Test func `the sample's shortcut puts the headings into the form of address`() throws {
    let run = CommandRun(
      "explain",
      "Letters/v1",
      "Letters/v4",
      "--models",
      SampleArchive.root
    )
    #expect(run.status == .success, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, "explain-letters.txt")
    #expect(mismatch == nil)
    #expect(run.output.contains("Letter.title"))
  }

  @Test func `a not equivalent edge is taken only by name`() throws {
    try TemporaryFolder.with { folder in
      try write(Self.traps[1], folder)
      func hops(_ more: String...) throws -> Int? {
        let run = CommandRun(["plan", "v1", "--format", "json"] + more, in: folder)
        return (try run.json()["hops"] as? [Any])?.count
      }
      #expect(try hops() == 2)
      #expect(try hops("--accept-loss", "any") == 2)
      #expect(try hops("--avoid", "v2") == 0)
      #expect(try hops("--avoid", "v2", "--accept-shortcut", "v1..v3") == 1)
      #expect(CommandRun("plan", "v1", "--accept-shortcut", "v1", in: folder).status == .usage)
    }
  }

  @Test func `a step that is not possible says what blocks it`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: "\(folder)/ModelArchive")
      let run = CommandRun("explain", "v2", "v3", in: folder)
      #expect(run.status == .noPath)
      let mismatch = Golden.mismatch(run.output, "explain-blocked.txt")
      #expect(mismatch == nil)
    }
  }
}
