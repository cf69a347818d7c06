import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores whose schema has what only the app that made it can read, or much of its own.
@Suite struct `Stores with a schema of the app's own` {
  private static let models = ["--models", SampleArchive.root + "/Letters.xcdatamodeld"]

  /// Lends the body a folder with a store that an app changed.
  private func with(_ script: String, _ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let made = CommandRun(
        ["generate", "v1", "--rows", "40", "--seed", "1", "-o", "S.sqlite"] + Self.models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run("\(folder)/S.sqlite", script + "; PRAGMA journal_mode = DELETE")
      try body(folder)
    }
  }

  @Test(arguments: [
    ("ZNAME COLLATE APPSORT", "no such collation sequence: APPSORT"),
    ("appfold(ZNAME)", "unknown function: appfold()"),
  ])
  func `what only the app can sort or compute is named, and no fault of Waystone`(
    term: String,
    reason: String
  ) throws {
    let script =
      "CREATE INDEX ZAPP ON ZTOPIC (ZNAME); PRAGMA writable_schema = ON; UPDATE sqlite_schema SET "
      + "sql = 'CREATE INDEX ZAPP ON ZTOPIC (\(term))' WHERE name = 'ZAPP'; "
      + "PRAGMA writable_schema = OFF"
    try with(script) { folder in
      let before = TemporaryFolder.bytes(of: "\(folder)/S.sqlite")
      for verb in [
        ["verify", "S.sqlite"], ["migrate", "S.sqlite", "--to", "v4", "-o", "O.sqlite"],
        ["migrate", "S.sqlite", "--to", "v4"],
      ] {
        let run = CommandRun(verb + Self.models, in: folder)
        #expect(run.status == .damagedInput, "\(verb): \(run.errors)")
        #expect(run.errors.contains(reason), "\(verb): \(run.errors)")
        #expect(run.errors.contains("what only its app has"), "\(verb): \(run.errors)")
        #expect(!run.errors.contains("eport this"), "\(verb): \(run.errors)")
      }
      #expect(TemporaryFolder.bytes(of: "\(folder)/S.sqlite") == before)
      #expect(TemporaryFolder.names(in: folder) == ["S.sqlite"])
    }
  }

  @Test func `a table of the app's own may have as many columns as SQLite takes`() throws {
    let columns = (0..<1990).map { "c\($0)" }
    let script =
      "CREATE TABLE own (\(columns.joined(separator: ", "))); INSERT INTO own (c0, c1989) VALUES (1, 2)"
    try with(script) { folder in
      let run = CommandRun(
        ["migrate", "S.sqlite", "--to", "v4", "-o", "O.sqlite", "--accept-changed-values"]
          + Self.models,
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("verified"), "\(run.output)")
    }
  }

  @Test func `a value of another entity that later versions show is refused`() throws {
    try with("UPDATE ZCORRESPONDENT SET ZREMARK = 424242 WHERE Z_PK % 7 = 0") { folder in
      let before = TemporaryFolder.bytes(of: "\(folder)/S.sqlite")
      let run = CommandRun(
        ["migrate", "S.sqlite", "--to", "v4", "-o", "O.sqlite", "--accept-changed-values"]
          + Self.models,
        in: folder
      )
      #expect(run.status == .damagedInput, "\(run.errors)")
      #expect(
        run.errors.contains("is of another entity, with a value of it that a later version shows"),
        "\(run.errors)"
      )
      #expect(!run.errors.contains("424242"))
      #expect(TemporaryFolder.bytes(of: "\(folder)/S.sqlite") == before)
      #expect(TemporaryFolder.names(in: folder) == ["S.sqlite"])
    }
  }
}
