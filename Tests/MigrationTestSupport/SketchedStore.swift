import ModelCoding
package import ObjectModel
import PropertyLists
package import StoreAccess

/// A small store of a sketched model, made as Core Data would make it.
package struct SketchedStore {
  package let path: String
  package let schema: PhysicalSchema

  package var model: ManagedObjectModel { schema.model }

  /// Makes a store whose rows some statements insert.
  package init(_ model: ManagedObjectModel, rows: String, at path: String) throws {
    self.path = path
    schema = PhysicalSchema(model: model)
    let connection = try SQLiteConnection(path: path, access: .create)
    try SchemaWriter.prepareNewFile(connection)
    let writer = SchemaWriter(schema)
    try connection.execute("BEGIN")
    try writer.createTables(connection)
    try connection.execute(authored: rows)
    try writer.computeDerivedAttributes(connection)
    try writer.createIndexes(connection)
    try writer.createTriggers(connection)
    try writer.createSystemTables(connection)
    var keys: [String: Int64] = [:]
    for table in schema.tables {
      keys[table.rootEntityName] = try connection.integer(
        "SELECT MAX(Z_PK) FROM \(SQL.identifier(table.name))"
      )
    }
    try writer.writePrimaryKeys(connection, greatestKeys: keys)
    try writer.writeModelCache(connection, ModelCache.encode(model))
    try StoreMetadata(
      uuid: "6F3A2B1C-0000-4000-8000-00000000CAFE",
      versionHashes: model.entityVersionHashes,
      versionHashesDigest: model.versionHashesDigest,
      versionChecksum: model.versionChecksum,
      others: ["NSStoreType": .string("SQLite"), "AppsOwn": .string("kept")]
    ).write(to: connection)
    try connection.execute("COMMIT")
  }

  /// Changes a store behind the back of everybody.
  package static func damage(_ path: String, _ statements: String) throws {
    let connection = try AppDatabase(path)
    try connection.execute(statements)
  }
}
