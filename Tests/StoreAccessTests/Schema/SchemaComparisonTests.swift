import ObjectModel
import StoreAccess
import Testing

/// The differences that a comparison finds, and those that are tolerated.
@Suite struct SchemaComparisonTests {
  private func compare(after sql: String) throws -> SchemaComparison {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let schema = PhysicalSchema(model: try ModelParts.library())
    let writer = SchemaWriter(schema)
    try writer.createTables(connection)
    try writer.createIndexes(connection)
    try writer.createTriggers(connection)
    try writer.createSystemTables(connection)
    try writer.writePrimaryKeys(connection, greatestKeys: [:])
    try connection.execute(authored: sql)
    return SchemaComparison(predicted: schema, real: try StoreSchema(of: connection))
  }

  @Test func `Altered columns are found`() throws {
    let comparison = try compare(
      after: "ALTER TABLE ZPAGE DROP COLUMN ZNUMBER; ALTER TABLE ZPAGE ADD COLUMN ZNICK VARCHAR;"
        + "ALTER TABLE ZSHELF DROP COLUMN ZPLACE; ALTER TABLE ZSHELF ADD COLUMN ZPLACE BLOB"
    )
    #expect(comparison.missingColumns == [.init(tableName: "ZPAGE", columnName: "ZNUMBER")])
    #expect(comparison.extraColumns == [.init(tableName: "ZPAGE", columnName: "ZNICK")])
    #expect(comparison.differentTypes.map(\.real) == ["BLOB"])
    #expect(comparison.level == .unexplained)
  }

  @Test func `Another order of columns and stale indexes are tolerated`() throws {
    let comparison = try compare(
      after: "ALTER TABLE ZBOOK DROP COLUMN ZPRICE; ALTER TABLE ZBOOK ADD COLUMN ZPRICE DECIMAL;"
        + "CREATE INDEX Z_OLD ON ZPAGE (ZNUMBER); ALTER TABLE ZPAGE RENAME TO X;"
        + "ALTER TABLE X RENAME TO ZPAGE"
    )
    #expect(comparison.reorderedTables == ["ZBOOK"])
    #expect(comparison.extraIndexes == ["Z_OLD"])
    #expect(comparison.level == .tolerable)
  }

  @Test func `Missing and other indexes and triggers are found`() throws {
    let comparison = try compare(
      after: "DROP INDEX ZBOOK_Z_ENT_INDEX; DROP INDEX ZBOOK_ZAUTHOR_INDEX;"
        + "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR DESC);"
        + "DROP TRIGGER Z_DA_ZBOOK_Book_authorName_SOURCE_INSERT;"
        + "CREATE TRIGGER Mine AFTER INSERT ON ZPAGE BEGIN SELECT 1; END"
    )
    #expect(comparison.missingIndexes == ["ZBOOK_Z_ENT_INDEX"])
    #expect(comparison.differentIndexes == ["ZBOOK_ZAUTHOR_INDEX"])
    #expect(comparison.missingTriggers == ["Z_DA_ZBOOK_Book_authorName_SOURCE_INSERT"])
    #expect(comparison.extraTriggers == ["Mine"])
    #expect(comparison.level == .explained)
  }

  @Test func `A uniqueness clause inside the table counts as the index`() throws {
    let table = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR UNIQUE"
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute("CREATE TABLE ZA ( \(table) )")
    var entity = ModelParts.entity("A", [ModelParts.attribute("name")])
    entity.uniquenessConstraints = [["name"]]
    let schema = PhysicalSchema(model: try ManagedObjectModel(entities: [entity]))
    let comparison = SchemaComparison(predicted: schema, real: try StoreSchema(of: connection))
    #expect(comparison.inlineConstraints == ["Z_A_UNIQUE_name"])
    #expect(comparison.missingIndexes.isEmpty)
  }

  @Test func `Tables are told apart by who made them`() throws {
    let comparison = try compare(
      after: "CREATE TABLE Notes (A); CREATE VIEW V AS SELECT 1;"
        + "CREATE TABLE ZGONE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);"
        + "CREATE TABLE Z_9GONE (Z_1A INTEGER, Z_2B INTEGER);"
        + "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY); CREATE TABLE ANSCKEVENT (Z_PK);"
        + "DROP TABLE ZSHELF"
    )
    #expect(comparison.foreignTables == ["Notes", "V"])
    #expect(comparison.extraTables == ["ZGONE", "Z_9GONE"])
    #expect(comparison.internalTables.contains("ACHANGE"))
    #expect(comparison.internalTables.contains("ANSCKEVENT"))
    #expect(comparison.missingTables == ["ZSHELF"])
    #expect(comparison.level == .unexplained)
  }

  @Test func `Wrong, missing and additional entity rows are found`() throws {
    let comparison = try compare(
      after: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Writer' WHERE Z_ENT = 1;"
        + "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3; INSERT INTO Z_PRIMARYKEY VALUES "
        + "(9, 'Gone', 0, 0), (16001, 'CHANGE', 0, 4)"
    )
    #expect(comparison.entityDifferences.map(\.number) == [1, 3, 9])
    #expect(comparison.entityDifferences.map { $0.real?.name } == ["Writer", nil, "Gone"])
    #expect(comparison.level == .unexplained)
  }

  @Test func `A store of another model is unexplained`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let schema = PhysicalSchema(model: try ModelParts.library())
    let comparison = SchemaComparison(predicted: schema, real: try StoreSchema(of: connection))
    #expect(comparison.missingTables.count == 5)
    #expect(comparison.level == .unexplained)
  }
}
