import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Contents of a store that its model does not explain: they arrive, or their loss is accepted.
@Suite struct UnexplainedContentsTests {
  private static let models = "\(SampleArchive.root)/Letters.xcdatamodeld"

  private func with(_ statements: String, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/S.sqlite"
      let made = CommandRun(
        ["generate", "v1", "--rows", "60", "-o", path, "--models", Self.models]
      )
      #expect(made.status == .success, "\(made.errors)")
      do {
        try AppDatabase.run(
          path,
          statements + "; PRAGMA wal_checkpoint(TRUNCATE)"
        )
      }
      try body(path)
    }
  }

  private func migrate(_ path: String, to version: String, _ more: String...) -> CommandRun {
    CommandRun(["migrate", path, "--to", version, "--models", Self.models] + more)
  }

  @Test(arguments: ["v2", "v4"], [true, false])
  func `the app's numbers, counters, row numbers and attributes arrive`(  // M6
    version: String,
    inPlace: Bool
  ) throws {
    let statements = """
      PRAGMA user_version = 4711; PRAGMA application_id = -5;
      CREATE TABLE app (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT COLLATE NOCASE);
      INSERT INTO app VALUES (1, 'a'), (500, 'b'); DELETE FROM app WHERE id = 500;
      CREATE TABLE loose (t); INSERT INTO loose (rowid, t) VALUES (3, 'x'), (900, x'00ff');
      CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO keyed VALUES ('k', 1.5);
      CREATE TABLE taken (rowid, _rowid_, oid); INSERT INTO taken VALUES (1, 2, 3), (1, 2, 3);
      CREATE TABLE gone (id INTEGER PRIMARY KEY AUTOINCREMENT)
      """
    try with(statements) { path in
      let canHaveAttributes = Self.attributes.set(path, "user.waystone", "kept")
      let result = inPlace ? path : path + ".out"
      let run = inPlace ? migrate(path, to: version) : migrate(path, to: version, "-o", result)
      #expect(run.status == .success, "\(run.output)\(run.errors)")
      let connection = try SQLiteConnection(path: result, access: .readOnly)
      #expect(try connection.integer("PRAGMA user_version") == 4711)
      #expect(try connection.integer("PRAGMA application_id") == -5)
      #expect(
        try connection.rows("SELECT name, seq FROM sqlite_sequence") == [[.text("app"), 500]]
      )
      #expect(
        try connection.rows("SELECT rowid, t FROM loose ORDER BY rowid")
          == [[3, .text("x")], [900, .blob([0, 255])]]
      )
      #expect(try connection.rows("SELECT k, v FROM keyed") == [[.text("k"), 1.5]])
      #expect(try connection.integer("SELECT COUNT(*) FROM taken") == 2)
      if canHaveAttributes {
        #expect(Self.attributes.get(result, "user.waystone") == "kept")
      } else {
        print("This folder's file system has no extended attributes: they are not looked at.")
      }
    }
  }

  private static let attributes = FileAttributes()

  @Test func `what differs in a table of the app's own fails the run`() throws {  // C5
    // A trigger of the store that fires on what a hop writes must not fire, or is found.
    let statements = """
      CREATE TABLE app (a); INSERT INTO app VALUES (1);
      CREATE TRIGGER t AFTER INSERT ON Z_METADATA BEGIN UPDATE app SET a = 77; END
      """
    try with(statements) { path in
      let run = migrate(path, to: "v2")
      let connection = try SQLiteConnection(path: path, access: .readOnly)
      #expect(try connection.integer("SELECT a FROM app") == 1, "\(run.status)")
    }
  }

  @Test func `a store whose text is not in UTF-8 is refused before it is touched`() throws {  // M7
    try TemporaryFolder.with { folder in
      let path = "\(folder)/S.sqlite"
      let made = CommandRun(
        ["generate", "v1", "--rows", "20", "-o", "\(folder)/U.sqlite", "--models", Self.models]
      )
      #expect(made.status == .success)
      try Self.copy("\(folder)/U.sqlite", to: path, encoding: "UTF-16le")
      let before = TemporaryFolder.bytes(of: path)
      #expect(CommandRun(["inspect", path, "--models", Self.models]).status == .success)
      let verify = CommandRun(["verify", path, "--models", Self.models])
      #expect(verify.status == .answerIsNo && verify.output.contains("UTF-16le"))
      for command in [
        ["plan", path, "--to", "v4"], ["migrate", path, "--to", "v4"],
        ["migrate", path, "--to", "v2", "-o", path + ".out"],
      ] {
        let run = CommandRun(command + ["--models", Self.models])
        #expect(run.status == .damagedInput, "\(command): \(run.output)\(run.errors)")
        #expect(run.errors.contains("UTF-16le"))
        #expect(isUnchanged(path, before))
      }
      let names = TemporaryFolder.names(in: folder).filter { $0.hasPrefix("S.") }
      #expect(names == ["S.sqlite"])
    }
  }

  /// Writes all of a database into one of another encoding.
  private static func copy(_ old: String, to new: String, encoding: String) throws {
    let source = try SQLiteConnection(path: old, access: .readOnly)
    let target = try AppDatabase(new)
    try target.execute("PRAGMA encoding = '\(encoding)'")
    let objects = try SchemaObject.all(in: source)
    for object in objects where object.kind == .table {
      try target.execute(object.sql ?? "")
      let rows = try source.rows("SELECT * FROM \(SQL.identifier(object.name))")
      for row in rows {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try target.execute("INSERT INTO \(SQL.identifier(object.name)) VALUES (\(marks))", row)
      }
    }
    for object in objects where object.kind == .index || object.kind == .trigger {
      if let sql = object.sql { try target.execute(sql) }
    }
  }
}

/// Whether a file still has its bytes; the bytes themselves are no part of what a failure prints.
func isUnchanged(_ path: String, _ before: [UInt8]?) -> Bool {
  TemporaryFolder.bytes(of: path) == before
}
