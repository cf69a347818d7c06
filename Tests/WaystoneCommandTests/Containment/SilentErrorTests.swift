import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Values of rows stay out of everything that is printed.
@Suite struct `Errors without values` {
  /// A text that stands in every column of a store, and nowhere else.
  private static let marker = "Xq7Marker"

  private static let request = "fetchRequestForSourceEntityNamed:predicateString:"
  private static let instances = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  private func project(
    _ expression: String,
    where condition: String? = nil,
    sql: String? = nil,
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", SketchedModel.book([("title", ""), ("isbn", "")])),
          ("v2", SketchedModel.book([("title", ""), ("isbn", ""), ("more", "")])),
        ],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        """
        from: v1
        to: v2
        \(sql.map { "sql: {before: [\"\($0)\"]}" } ?? "")
        entities:
          - source: Book
            \(condition.map { "where: '\($0)'" } ?? "name: BookToBook")
            attributes:
              more: '\(expression)'
        """,
        to: "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        folder + "/S.sqlite",
        "UPDATE ZBOOK SET ZTITLE = '\(Self.marker).' || Z_PK || '.\(Self.marker)', "
          + "ZISBN = '\(Self.marker)['; PRAGMA journal_mode = DELETE"
      )
      try body(folder)
    }
  }

  /// Every verb that may fail on the store says nothing of its rows.
  private func expectSilence(in folder: String, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    for verb in [
      ["migrate", "S.sqlite", "-o", "O.sqlite", "--allow-sql", "--verbose"],
      ["migrate", "S.sqlite", "--allow-sql", "--format", "json"],
      ["migrate", "S.sqlite", "-o", "P.sqlite", "--allow-sql", "--progress", "ndjson"],
    ] {
      let run = CommandRun(verb, in: folder)
      // Some expressions fail whatever the rows hold, which is known before there is a run.
      #expect(
        [.migrationFailed, .noPath].contains(run.status),
        "\(run.errors)",
        sourceLocation: sourceLocation
      )
      let text = run.output + run.errors
      #expect(!text.contains("Xq7"), "\(verb): \(text)", sourceLocation: sourceLocation)
    }
    for name in TemporaryFolder.names(in: folder) where name.hasSuffix(".waystone") {
      for file in TemporaryFolder.names(in: "\(folder)/\(name)") where file.hasSuffix("json") {
        let bytes = TemporaryFolder.bytes(of: "\(folder)/\(name)/\(file)") ?? []
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Xq7"))
      }
    }
  }

  @Test(
    arguments: [
      #"FUNCTION($source,"valueForKey:",$source.title)"#,
      #"FUNCTION($source,"valueForKeyPath:",$source.title)"#,
      #"FUNCTION($source,"valueForKeyPath:",FUNCTION("@",\"stringByAppendingString:\",$source.title))"#
        .replacing("\\", with: ""),
      #"FUNCTION($source.title,"valueForKey:",$source.isbn)"#,
      #"FUNCTION($manager,"valueForKey:",$source.isbn)"#,
      #"FUNCTION($entityMapping,"valueForKey:",$source.isbn)"#,
      "CAST($source.title, $source.title)", "CAST($source.title, $source.isbn)",
      #"CAST($source.title, "NSDate")"#,
      #"FUNCTION($manager,"\#(Self.instances)",$source.title,$source)"#,
      #"FUNCTION($manager,"sourceInstanceOfEntity:where:equals:",$source.title,"title","x")"#,
      #"FETCH(FUNCTION($manager,"\#(Self.request)","Book",$source.isbn),$manager.sourceContext,NO)"#,
      #"FETCH(FUNCTION($manager,"\#(Self.request)",$source.title,"1 == 1"),$manager.sourceContext,NO)"#,
      #"TERNARY($source.title MATCHES $source.isbn, "a", "b")"#,
      "$source.title + 1", "$source.title[7]",
    ]
  )
  func `name no text that an expression takes from a row`(expression: String) throws {  // M9
    try project(expression) { try expectSilence(in: $0) }
  }

  @Test func `name no text that a filter takes from a row`() throws {  // M9
    try project("$source.title", where: "title MATCHES isbn") { try expectSilence(in: $0) }
  }

  @Test(
    arguments: [
      "CREATE UNIQUE INDEX u ON ZBOOK (ZISBN)", "SELECT json_extract('{}', ZTITLE) FROM ZBOOK",
      "INSERT INTO ZBOOK (Z_PK) SELECT ZTITLE FROM ZBOOK",
      "SELECT abs(-9223372036854775808) FROM ZBOOK",
      "SELECT ZTITLE LIKE 'a' ESCAPE ZTITLE FROM ZBOOK",
      "SELECT nothing FROM ZBOOK WHERE ZTITLE = ZISBN",
    ]
  )
  func `name no text that SQL takes from a row`(sql: String) throws {  // M9
    try project("$source.title", sql: sql) { try expectSilence(in: $0) }
  }

  @Test func `name the property whose pattern takes too many steps`() throws {  // M8
    let hostile = "(?:" + String(repeating: "X?", count: 0) + "(.+)+)+[0-9]Z"
    try TemporaryFolder.with { folder in
      let pattern = hostile.replacing("&", with: "&amp;")
      try SketchedModel.write(
        [("v1", SketchedModel.book([("title", #"regularExpressionString="\#(pattern)""#)]))],
        into: "\(folder)/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "2", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        folder + "/S.sqlite",
        "UPDATE ZBOOK SET ZTITLE = '\(String(repeating: Self.marker, count: 40))'; "
          + "PRAGMA journal_mode = DELETE"
      )
      let start = Date()
      let run = CommandRun("validate", "S.sqlite", in: folder)
      #expect(run.status == .damagedInput, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("Book.title"), "\(run.errors)")
      #expect(!(run.output + run.errors).contains("Xq7"))
      #expect(Date().timeIntervalSince(start) < 20)
    }
  }

  @Test func `name the place of an expression whose pattern takes too many steps`() throws {  // M8
    let expression = #"TERNARY($source.title MATCHES "(.+)+!", "a", "b")"#
    try project(expression) { folder in
      try AppDatabase.run(
        folder + "/S.sqlite",
        "UPDATE ZBOOK SET ZTITLE = '\(String(repeating: Self.marker, count: 40))'"
      )
      try expectSilence(in: folder)
      let run = CommandRun("migrate", "S.sqlite", "-o", "Q.sqlite", in: folder)
      #expect(run.status == .migrationFailed)
      #expect(run.errors.contains("Book.more"), "\(run.errors)")
      #expect(run.errors.contains("cannot be computed"), "\(run.errors)")
    }
  }
}
