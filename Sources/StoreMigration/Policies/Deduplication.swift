import ObjectModel
import StoreAccess

/// A search for the destination object that already has the values of a mapping's deduplication keys.
///
/// The values are kept in the scratch database, for all mappings that make objects of one entity
/// with the same keys. Nothing counts as a value of its own. Text is equal where its bytes are.
final class Deduplication {
  /// The slots of the keys.
  let slots: [Int]
  private let database: PreparedDatabase
  private let table: String
  private let group: String

  /// Makes the index of an entity's objects by their values of some attributes.
  ///
  /// - Throws: ``MigrationError`` where a key is no attribute of the entity.
  init(_ keys: [String], of layout: EntityLayout, database: PreparedDatabase, scratch: String)
    throws
  {
    self.database = database
    table = SQL.identifier(scratch, "deduplication")
    group = layout.entity.name + " " + keys.joined(separator: " ")
    slots = try keys.map { key in
      guard case .attribute(let slot) = try layout.property(key) else {
        throw MigrationError(
          .refused,
          "\(layout.entity.name).\(key) is no attribute by which objects can be told apart.",
          recovery: "Name stored attributes as deduplication keys."
        )
      }
      return slot.slot
    }
  }

  /// Makes the table, where it is not there yet.
  static func createTable(on database: PreparedDatabase, scratch: String) throws(SQLiteError) {
    try database.connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(SQL.identifier(scratch, "deduplication")) (
      entity TEXT, content BLOB, destination_key INTEGER, PRIMARY KEY (entity, content))
      WITHOUT ROWID
      """
    )
  }

  /// Returns the key of the object that has the values of a row, where there is one.
  func key(for values: [SQLiteValue]) throws -> Int64? {
    let query = try database.statement(
      "SELECT destination_key FROM \(table) WHERE entity = ? AND content = ?"
    )
    try query.statement.bind(group, at: 1)
    try query.statement.bind(content(values), at: 2)
    guard try query.statement.step() else { return nil }
    let key = query.statement.int64(0)
    query.statement.reset()
    return key
  }

  /// Notes the object that has the values of a row.
  func insert(_ key: Int64, for values: [SQLiteValue]) throws {
    let insert = try database.statement("INSERT INTO \(table) VALUES (?, ?, ?)")
    try insert.statement.bind(group, at: 1)
    try insert.statement.bind(content(values), at: 2)
    try insert.statement.bind(key, at: 3)
    try insert.statement.run()
  }

  /// Returns the keys' values as bytes, which differ where the values do.
  private func content(_ values: [SQLiteValue]) -> [UInt8] {
    var content: [UInt8] = []
    func append(_ tag: UInt8, _ bytes: some Collection<UInt8>) {
      content.append(tag)
      withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { content += $0 }
      content += bytes
    }
    func append(integer: Int64) {
      append(1, withUnsafeBytes(of: integer.bigEndian) { Array($0) })
    }
    for slot in slots {
      switch values[slot] {
      case .null: content.append(0)
      case .integer(let value): append(integer: value)
      case .real(let value):
        // A column keeps a whole number as an integer where its affinity lets it.
        if let whole = Int64(exactly: value) {
          append(integer: whole)
        } else {
          append(2, withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) })
        }
      case .text(let text): append(3, text.utf8)
      case .malformedText(let bytes): append(3, bytes)
      case .blob(let bytes): append(4, bytes)
      }
    }
    return content
  }
}
