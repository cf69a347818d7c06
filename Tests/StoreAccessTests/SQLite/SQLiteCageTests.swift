import MigrationTestSupport
import StoreAccess
import Testing

/// Acts that no connection does, however it was opened.
@Suite struct `The cage of every connection` {
  /// The origin of a connection.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case readOnly, readWrite, create, quiescent, inMemory, attached

    var testDescription: String { rawValue }

    var canWrite: Bool { self != .readOnly && self != .quiescent }

    /// Opens one over a file with a table, a view, triggers, and a full-text table.
    func open(in folder: String) throws -> SQLiteConnection {
      let path = folder + "/store.sqlite"
      switch self {
      case .readOnly: return try SQLiteConnection(path: path, access: .readOnly)
      case .readWrite: return try SQLiteConnection(path: path, access: .readWrite)
      case .quiescent: return try SQLiteConnection(path: path, access: .quiescent)
      case .create:
        let connection = try SQLiteConnection(path: folder + "/new.sqlite", access: .create)
        try fill(connection)
        return connection
      case .inMemory:
        let connection = try SQLiteConnection(path: "", access: .inMemory)
        try fill(connection)
        return connection
      case .attached:
        let connection = try SQLiteConnection(path: "", access: .inMemory)
        try connection.attach(path: path, as: "old", access: .readWrite)
        return connection
      }
    }

    private func fill(_ connection: borrowing SQLiteConnection) throws {
      try connection.execute(
        script: """
          CREATE TABLE t (a); CREATE TABLE log (a); CREATE VIEW v AS SELECT a FROM t;
          CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a); END
          """
      )
    }
  }

  /// Texts that nothing of ours says, with what the error must name.
  static let denied: [(sql: String, named: String)] = [
    ("ATTACH 'victim.sqlite' AS z", "ATTACH"),
    ("ATTACH ':memory:' AS z", "ATTACH"),
    ("DETACH main", "DETACH"),
    ("VACUUM", "ATTACH"),
    ("VACUUM INTO 'made.sqlite'", "ATTACH"),
    ("PRAGMA writable_schema = ON", "writable_schema"),
    ("PRAGMA trusted_schema = ON", "trusted_schema"),
    ("PRAGMA schema_version = 7", "schema_version"),
    ("PRAGMA journal_mode = OFF", "journal_mode"),
    ("PRAGMA temp_store_directory = '/'", "temp_store_directory"),
    ("PRAGMA user_version = 7", "user_version"),
    ("PRAGMA mmap_size = 1000000", "mmap_size"),
    ("PRAGMA wal_checkpoint(TRUNCATE)", "wal_checkpoint"),
    ("PRAGMA incremental_vacuum", "incremental_vacuum"),
    ("SELECT * FROM pragma_module_list", "module_list"),
    ("SELECT load_extension('x')", "load_extension"),
    ("SELECT fts3_tokenizer('simple')", "fts3_tokenizer"),
    ("SELECT readfile('/etc/passwd')", "readfile"),
    ("SELECT writefile('made.txt', 'x')", "writefile"),
    ("SELECT edit('x')", "edit"),
    ("CREATE VIRTUAL TABLE temp.w USING fts5(a)", "virtual table"),
    ("CREATE VIRTUAL TABLE temp.w USING rtree(a, b, c)", "virtual table"),
    ("SELECT * FROM v", "v"),
    ("SELECT * FROM full_text", "full_text"),
    ("UPDATE sqlite_master SET sql = ''", "sqlite_master"),
    ("DELETE FROM sqlite_schema", "sqlite_master"),
    ("SELECT 1; ATTACH 'victim.sqlite' AS z", "More than one statement"),
  ]

  private func with(_ kind: Kind, _ body: (borrowing SQLiteConnection, String) throws -> Void)
    throws
  {
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try AppDatabase.run(
        path,
        """
        CREATE TABLE t (a); CREATE TABLE log (a); CREATE VIEW v AS SELECT a FROM t;
        CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (NEW.a); END;
        CREATE VIRTUAL TABLE full_text USING fts5(a)
        """
      )
      try AppDatabase.run(folder + "/victim.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let victim = TemporaryFolder.bytes(of: folder + "/victim.sqlite")
      do {
        let connection = try kind.open(in: folder)
        try body(connection, folder)
      }
      #expect(TemporaryFolder.bytes(of: folder + "/victim.sqlite") == victim)
      #expect(!TemporaryFolder.names(in: folder).contains { $0.hasPrefix("made") })
    }
  }

  @Test(arguments: Kind.allCases)
  func `does not do what is not on its lists`(kind: Kind) throws {  // C2
    try with(kind) { connection, folder in
      for (text, named) in Self.denied {
        let sql = text.replacing("victim.sqlite", with: folder + "/victim.sqlite")
          .replacing("made.", with: folder + "/made.")
        let error = #expect(throws: SQLiteError.self, "\(text)") { try connection.execute(sql) }
        #expect(error?.message.contains(named) == true, "\(text): \(error?.message ?? "")")
        // SQL that a person wrote may be several statements; the second is refused by itself.
        let authored = #expect(throws: SQLiteError.self, "\(text)") {
          try connection.execute(authored: sql)
        }
        let words = authored?.message ?? ""
        #expect(
          words.contains(named) || words.contains("ATTACH is not allowed"),
          "\(text): \(words)"
        )
      }
    }
  }

  @Test(arguments: Kind.allCases.filter(\.canWrite))
  func `fires no trigger of its file`(kind: Kind) throws {  // C5
    try with(kind) { connection, _ in
      try connection.execute("INSERT INTO t VALUES (1)")
      #expect(try connection.integer("SELECT COUNT(*) FROM t") == 1)
      #expect(try connection.integer("SELECT COUNT(*) FROM log") == 0)
    }
  }

  @Test(arguments: Kind.allCases) func `sets what our own code sets`(kind: Kind) throws {
    try with(kind) { connection, folder in
      try connection.execute(script: "PRAGMA main.cache_size = -100; SELECT 1")
      #expect(try connection.integer("PRAGMA main.cache_size") == -100)
      try connection.attach(path: folder + "/victim.sqlite", as: "z", access: .readOnly)
      #expect(try connection.integer("SELECT COUNT(*) FROM z.t") == 1)
      try connection.detach("z")
      // A permission ends with the call that it was given for.
      #expect(throws: SQLiteError.self) { try connection.execute("PRAGMA main.cache_size = -7") }
      let error = #expect(throws: SQLiteError.self) {
        try connection.execute("ATTACH ':memory:' AS z")
      }
      #expect(error?.code == .denied)
    }
  }

  @Test func `lets no SQL of a person end a transaction`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute("BEGIN")
    for sql in ["COMMIT; BEGIN", "ROLLBACK", "SAVEPOINT a", "END"] {
      let error = #expect(throws: SQLiteError.self) { try connection.execute(authored: sql) }
      #expect(error?.code == .denied)
    }
    #expect(connection.isInTransaction == true)
  }

  @Test func `makes of a schema's text the one object that its row names`() throws {  // C2
    let good: [SchemaObject] = [
      .init(
        kind: .table,
        name: "app",
        tableName: "app",
        sql:
          "CREATE TABLE app(a INTEGER PRIMARY KEY AUTOINCREMENT, b UNIQUE CHECK (length(b) < 9), "
          + "c AS (upper(b)))"
      ),
      .init(
        kind: .table,
        name: "odd \"n",
        tableName: "odd \"n",
        sql: "CREATE TABLE \"odd \"\"n\"(a)"
      ),
      .init(
        kind: .table,
        name: "bare",
        tableName: "bare",
        sql: "CREATE TABLE bare(a, b, PRIMARY KEY (a, b)) WITHOUT ROWID"
      ),
      .init(kind: .view, name: "v", tableName: "v", sql: "CREATE VIEW v AS SELECT * FROM app;"),
      .init(
        kind: .view,
        name: "w",
        tableName: "w",
        sql: "CREATE VIEW w AS SELECT * FROM v -- of v"
      ),
      .init(
        kind: .index,
        name: "i",
        tableName: "app",
        sql: "CREATE INDEX i ON app(lower(b)) WHERE b IS NOT NULL"
      ),
      .init(
        kind: .trigger,
        name: "g",
        tableName: "app",
        sql: "CREATE TRIGGER g AFTER INSERT ON app BEGIN DELETE FROM app; SELECT mine(1); END"
      ),
      .init(
        kind: .trigger,
        name: "h",
        tableName: "w",
        sql: "CREATE TRIGGER h INSTEAD OF INSERT ON w BEGIN INSERT INTO app(b) VALUES (NEW.b); END"
      ),
    ]
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    for object in good { try connection.create(object) }
    let made = try SchemaObject.all(in: connection)
    #expect(made.filter { $0.sql != nil && $0.name != "sqlite_sequence" }.count == good.count)
    try connection.drop(good.filter { $0.kind == .view || $0.kind == .trigger })
    for object in good where object.kind == .view || object.kind == .trigger {
      try connection.create(object)
    }
    #expect(Set(try SchemaObject.all(in: connection)) == Set(made))
  }

  @Test(
    arguments: [
      "CREATE TABLE app(a); ATTACH 'x' AS z", "CREATE TABLE app(a); DELETE FROM kept",
      "DELETE FROM kept", "CREATE TABLE other(a)", "CREATE TEMP TABLE app(a)",
      "CREATE TABLE app AS SELECT * FROM kept", "CREATE VIEW app AS SELECT 1", "",
      "COMMIT; VACUUM INTO 'x'; BEGIN", "CREATE TABLE IF NOT EXISTS kept(a)", "-- nothing",
      "CREATE TABLE app(a CHECK (load_extension(a)))", "CREATE VIRTUAL TABLE app USING fts5(a)",
      "EXPLAIN CREATE TABLE app(a)", "SELECT 1",
    ]
  )
  func `makes of any other text nothing`(sql: String) throws {  // C2
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute(script: "CREATE TABLE kept(a); INSERT INTO kept VALUES (1)")
    #expect(throws: SQLiteError.self) {
      try connection.create(.init(kind: .table, name: "app", tableName: "app", sql: sql))
    }
    #expect(try connection.integer("SELECT COUNT(*) FROM kept") == 1)
    #expect(try SchemaObject.all(in: connection).map(\.name) == ["kept"])
  }

  @Test func `stops a statement that does more work than its files explain`() throws {  // M8
    let endless =
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n"
    let rows = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute("CREATE TABLE t (a)")
    try connection.readingMetadata {
      let error = #expect(throws: SQLiteError.self) { try connection.integer(endless) }
      #expect(error?.code == .tooMuchWork)
      #expect(error?.message.contains("more work than its size explains") == true)
      // Row by row, with others between.
      let statement = try connection.prepare(rows)
      let other = try connection.prepare("INSERT INTO t VALUES (?)")
      var count: Int64 = 0
      let slow = #expect(throws: SQLiteError.self) {
        while try statement.step() {
          count += 1
          if count % 100_000 == 1 {
            try other.bind(count, at: 1)
            try other.run()
          }
        }
      }
      #expect(slow?.code == .tooMuchWork)
      #expect(count > 100_000)
      #expect(try connection.integer("SELECT 1") == 1)
    }
    // One statement that is run again and again starts anew each time.
    try connection.readingMetadata {
      let counted = try connection.prepare(rows + " LIMIT 100000")
      for _ in 0..<60 { try counted.run() }
    }
  }
}
