import StoreAccess

/// The keys that code is given for new objects, written to the scratch database with each batch.
final class KeyCounter {
  private let database: PreparedDatabase
  /// The name of each root entity's table.
  private let tables: [String: String]
  private var greatest: [String: Int64] = [:]

  init(_ database: PreparedDatabase, schema: PhysicalSchema) {
    self.database = database
    tables = Dictionary(
      uniqueKeysWithValues: schema.tables.map { ($0.rootEntityName, $0.name) }
    )
  }

  /// Returns the next key of a root entity's table.
  func next(_ root: String) throws -> Int64 {
    if let last = greatest[root] {
      greatest[root] = last + 1
      return last + 1
    }
    let last = try ScratchDatabase.greatestKey(in: tables[root] ?? "", on: database.connection)
    greatest[root] = last + 1
    return last + 1
  }

  /// Writes the greatest issued keys.
  func save() throws {
    for (root, key) in greatest.sorted(by: { $0.key < $1.key }) {
      guard let table = tables[root] else { continue }
      try ScratchDatabase.write(greatestKey: key, in: table, on: database.connection)
    }
  }

  /// Forgets everything, so that the next key is read again: SQL issues keys, too.
  func forget() {
    greatest.removeAll()
  }
}
