import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Stores that hop files alone bring to another version.
@Suite struct HopRunTests {
  private static let people: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("first", ""), ("surname1", ""), ("surname2", "")])),
  ]

  private static let hop = """
    from: v1
    to: v2
    entities:
      - source: Book
        attributes:
          first: FUNCTION($source.title, "componentsSeparatedByString:", ", ")[1]
          surname1: FUNCTION(FUNCTION($source.title, "componentsSeparatedByString:", ", ")[0],
            "componentsSeparatedByString:", " ")[0]
          surname2: FUNCTION(FUNCTION($source.title, "componentsSeparatedByString:", ", ")[0],
            "componentsSeparatedByString:", " ")[1]
    """

  private func values(_ store: String) throws -> [String] {
    let connection = try SQLiteConnection(path: store, access: .readOnly)
    return try (1...3).map { key in
      try connection.text(
        "SELECT ZFIRST || '|' || ZSURNAME1 || '|' || ZSURNAME2 FROM ZBOOK WHERE Z_PK = \(key)"
      ) ?? ""
    }
  }

  @Test func `a full name becomes its parts by a hop file alone`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.people, into: "\(folder)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "3", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      do {
        let connection = try AppDatabase("\(folder)/B.sqlite")
        try connection.execute("UPDATE ZBOOK SET ZTITLE = 'García Pérez, Ana ' || Z_PK")
      }
      // The same attribute names two things, which nobody could infer.
      try SketchedModel.write(Self.hop, to: "\(folder)/Hops/v1-to-v2.hop.yml")
      let run = CommandRun(
        ["migrate", "B.sqlite", "--mappings", "Hops", "-o", "C.sqlite"],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let found = try values("\(folder)/C.sqlite")
      #expect(found == (1...3).map { "Ana \($0)|García|Pérez" })
    }
  }

  @Test func `a plan counts rows for which an expression fails, by the same code`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.people, into: "\(folder)/ModelArchive")
      try SketchedModel.write(Self.hop, to: "\(folder)/ModelArchive/v1-to-v2.hop.yml")
      let made = CommandRun("generate", "v1", "--rows", "3", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/B.sqlite",
        "UPDATE ZBOOK SET ZTITLE = 'no comma'; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let plan = CommandRun("plan", "B.sqlite", "--verbose", in: folder)
      #expect(plan.status == .answerIsNo, "\(plan.words)")
      #expect(plan.words.contains("WS428 v2 Book.first"), "\(plan.words)")
      let run = CommandRun("migrate", "B.sqlite", "-o", "C.sqlite", "--format", "json", in: folder)
      #expect(try run.json()["code"] as? String == "WS428", "\(run.output)")
      #expect(!run.output.contains("comma"))
    }
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `a run with mappings from the command line is resumed with them`(signal: Int32) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.people, into: "\(folder)/ModelArchive")
      let hop = "from: v1\nto: v2\nentities: [{source: Book, attributes: {first: $source.title}}]"
      try SketchedModel.write(hop, to: "\(folder)/Hops/v1-to-v2.hop.yml")
      let made = CommandRun("generate", "v1", "--rows", "20000", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      let stopped = try ProcessRun(
        ["migrate", "B.sqlite", "--mappings", "Hops", "--progress", "ndjson"],
        in: folder,
        stoppedBy: signal
      )
      #expect(stopped.status != 0, "\(stopped.errors)")
      let resumed = CommandRun("resume", "B.sqlite", in: folder)
      #expect(resumed.status == .success, "\(resumed.errors)")
      let verified = CommandRun("verify", "B.sqlite", in: folder)
      #expect(verified.output.contains("against v2"), "\(verified.output)")
    }
  }

  @Test func `what the plan could not count is counted before the hop`() throws {
    try TemporaryFolder.with { folder in
      let versions = ["name", "title", "heading"].enumerated().map { index, name in
        ("v\(index + 1)", SketchedModel.book([(name, ""), ("color", "")]))
      }
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      do {
        let connection = try AppDatabase("\(folder)/B.sqlite")
        try connection.execute("UPDATE ZBOOK SET ZNAME = 'a,b' || Z_PK, ZCOLOR = Z_PK")
      }
      let split = """
        from: v1
        to: v2
        entities:
          - source: Book
            split: {text: $source.name, separator: ","}
            attributes: {title: $piece, color: $source.color}
        """
      let merge = """
        from: v2
        to: v3
        entities:
          - source: Book
            destination: Book
            deduplicate: [heading]
            attributes: {heading: $source.title, color: $source.color}
        """
      try SketchedModel.write(split, to: "\(folder)/Hops/v1-to-v2.hop.yml")
      try SketchedModel.write(merge, to: "\(folder)/Hops/v2-to-v3.hop.yml")
      let run = CommandRun(
        ["migrate", "B.sqlite", "--mappings", "Hops", "-o", "C.sqlite"],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let words = run.output + run.errors
      #expect(words.contains("WS420: in Book, 20 rows become one object"), "\(words)")
    }
  }

  @Test(arguments: ["", "  - source: B\n", "  - source: A\n    destination: B\n    name: more\n"])
  func `parts of a text become objects of an entity that gets others too`(last: String) throws {
    let store = AwkwardStore(
      testDescription: "",
      after: AwkwardStore.base + AwkwardStore.new,
      hop: "  - source: A\n  - source: A\n    destination: B\n"
        + "    split: {text: $source.t, separator: '-'}\n    attributes: {u: $piece}\n" + last,
      damage: .sql("UPDATE ZA SET ZT = 'b-c'"),
      code: nil
    )
    try TemporaryFolder.with { folder in
      try store.write(in: folder)
      let rows = "SELECT COUNT(*) FROM Z"
      let before = try AppDatabase("\(folder)/in/s.sqlite")
      let texts = try before.integer(rows + "A") ?? 0
      let others = try before.integer(rows + (last.contains("A") ? "A" : "B")) ?? 0
      let carried = last.contains("A") ? try before.integer(rows + "B") ?? 0 : 0
      let run = CommandRun(
        ["migrate", "in/s.sqlite", "-o", "o.sqlite", "--to", "v2", "--models", "."],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let after = try AppDatabase("\(folder)/o.sqlite").integer(rows + "B")
      #expect(after == 2 * texts + others + carried, "\(texts) \(others) \(carried)")
    }
  }
}
