import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

/// The written schema, read back by SQLite.
@Suite struct SchemaWriterTests {
  typealias Parts = ModelParts

  private func write(
    _ model: ManagedObjectModel,
    to connection: borrowing SQLiteConnection,
    database: String = "main"
  ) throws -> PhysicalSchema {
    let schema = PhysicalSchema(model: model)
    let writer = SchemaWriter(schema, database: database)
    try SchemaWriter.prepareNewFile(connection, database: database)
    try writer.createTables(connection)
    try writer.createIndexes(connection)
    try writer.createTriggers(connection)
    try writer.createSystemTables(connection)
    try writer.writePrimaryKeys(connection, greatestKeys: ["Book": 7])
    return schema
  }

  @Test(arguments: ["main", "destination", "odd \"name"])
  func `What is written is what was predicted`(database: String) throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    if database != "main" {
      try connection.attach(path: "", as: database, access: .inMemory)
    }
    let schema = try write(try Parts.library(), to: connection, database: database)
    let real = try StoreSchema(of: connection, in: database)
    let comparison = SchemaComparison(predicted: schema, real: real)
    #expect(comparison.level == .identical)
    #expect(comparison.internalTables == ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    #expect(real.indexes.map(\.sql) == schema.indexes.map(\.sql))
    #expect(real.triggers.map(\.sql) == schema.triggers.map(\.sql))
    let tables = try connection.rows(
      "SELECT sql FROM \(SQL.identifier(database)).sqlite_master "
        + "WHERE type = 'table' AND name LIKE 'Z%' ORDER BY rowid"
    )
    let expected = [
      schema.tables[0].createSQL, schema.tables[1].createSQL, schema.joinTables[0].createSQL,
      schema.tables[2].createSQL, schema.tables[3].createSQL,
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
    #expect(tables.compactMap { $0.first?.text } == expected)
  }

  @Test func `Primary keys are kept at the roots, internal rows as they are`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let schema = try write(try Parts.library(), to: connection)
    let history = PrimaryKeyTable.Row(
      entityNumber: 16_001,
      name: "CHANGE",
      superentityNumber: 0,
      maximum: 9
    )
    try SchemaWriter(schema).writePrimaryKeys(
      connection,
      greatestKeys: ["Book": 7, "Comic": 8],
      internalRows: [history]
    )
    let rows = try StoreSchema(of: connection).entityRows
    #expect(rows.map(\.entityNumber) == [1, 2, 3, 4, 5, 16_001])
    #expect(rows.map(\.name) == ["Author", "Book", "Comic", "Page", "Shelf", "CHANGE"])
    #expect(rows.map(\.superentityNumber) == [0, 0, 2, 0, 0, 0])
    #expect(rows.map(\.maximum) == [0, 7, 0, 0, 0, 9])
  }

  @Test func `A new file gets the settings of Core Data, an old one is refused`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try SchemaWriter.prepareNewFile(connection)
    #expect(try connection.text("PRAGMA encoding") == "UTF-8")
    #expect(try connection.integer("PRAGMA auto_vacuum") == 2)
    let old = try SQLiteConnection(path: "", access: .inMemory)
    try old.execute("CREATE TABLE T (A)")
    #expect(throws: SQLiteError.self) { try SchemaWriter.prepareNewFile(old) }
  }

  @Test func `The model cache holds one row or none`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let writer = SchemaWriter(try write(try Parts.library(), to: connection))
    try writer.writeModelCache(connection, [1, 2, 3])
    try writer.writeModelCache(connection, [4, 5])
    #expect(try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE") == [[.blob([4, 5])]])
    try writer.writeModelCache(connection, nil)
    #expect(try connection.integer("SELECT COUNT(*) FROM Z_MODELCACHE") == 0)
  }

  @Test func `Triggers and the computation agree on derived values`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/a.sqlite"
    let connection = try SQLiteConnection(path: path, access: .create)
    let model = try Parts.library()
    let schema = PhysicalSchema(model: model)
    let writer = SchemaWriter(schema)
    try writer.createTables(connection)
    try writer.createTriggers(connection)
    try AppDatabase.run(
      path,
      """
      INSERT INTO ZAUTHOR VALUES (1, 1, 1, 'Ann'), (2, 1, 1, 'Bob');
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) VALUES (1, 2, 1, 1), (2, 3, 1, 2);
      INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (1, 4, 1, 1), (2, 4, 1, 1), (3, 4, 1, 2);
      UPDATE ZPAGE SET ZBOOK = 2 WHERE Z_PK = 1;
      DELETE FROM ZPAGE WHERE Z_PK = 3;
      UPDATE ZBOOK SET ZAUTHOR = 1 WHERE Z_PK = 2;
      UPDATE ZAUTHOR SET ZNAME = 'Eve' WHERE Z_PK = 1;
      """
    )
    let query = "SELECT Z_PK, ZPAGECOUNT, ZAUTHORNAME FROM ZBOOK ORDER BY Z_PK"
    let rows = try connection.rows(query)
    #expect(rows == [[1, 1, "Eve"], [2, 1, "Eve"]])
    for trigger in schema.triggers { try connection.execute("DROP TRIGGER \(trigger.name)") }
    try connection.execute("UPDATE ZBOOK SET ZPAGECOUNT = 99, ZAUTHORNAME = NULL")
    try writer.computeDerivedAttributes(connection)
    #expect(try connection.rows(query) == rows)
  }
}
