package import StoreAccess

/// The source objects from which each destination object was made, kept in the scratch database.
///
/// A row means: entity mapping number *m* (its place in the mapping model) made the destination
/// object from the source object. Entities are the numbers of `Z_ENT`.
package final class AssociationTable {
  /// An end of an association.
  package struct End: Hashable, Sendable {
    /// The number of the object's own entity.
    package var entity: Int64
    /// The primary key of the object.
    package var key: Int64

    package init(entity: Int64, key: Int64) {
      self.entity = entity
      self.key = key
    }
  }

  /// A destination object, and a source object from which it was made.
  package struct Pair: Hashable, Sendable {
    /// The destination object.
    package var destination: End
    /// The source object; in the order of destination objects, of several the one with the least key.
    package var source: End
  }

  private struct Association {
    let mapping: Int64
    let source: End
    let destination: End

    /// Returns whether another is of the same mapping and entities.
    func isLike(_ other: Association) -> Bool {
      mapping == other.mapping && source.entity == other.source.entity
        && destination.entity == other.destination.entity
    }
  }

  /// The number of associations that are written by one statement, which costs half as much.
  private static let groupSize = 32

  /// The name of the table.
  package static let name = "association"
  /// The name of the table that records the order in which each mapping's objects are connected.
  private static let orderName = "association_order"
  /// The name of the index that leads from destination to source.
  package static let reverseIndexName = "association_reverse"

  private let database: PreparedDatabase
  private let insertSQL: String
  private let destinationSQL: String
  private let sourceSQL: String
  private let madeSQL: String
  private let inSourceOrderSQL: String
  private let tableSQL: String
  private let orderSQL: String
  /// The name under which the scratch database is attached.
  package let schema: String
  private let insertion = StatementSlot()
  private let manyInsertion = StatementSlot()
  private let alikeInsertion = StatementSlot()
  private var pending: [Association] = []
  private var isReversible = false
  private var settledOrders: [Int: Bool] = [:]

  /// The table of a database.
  ///
  /// - Parameter schema: The name under which it is attached.
  package init(database: PreparedDatabase, schema: String = "scratch") {
    let table = SQL.identifier(schema, Self.name)
    self.database = database
    self.schema = schema
    tableSQL = table
    orderSQL = SQL.identifier(schema, Self.orderName)
    insertSQL = "INSERT OR IGNORE INTO \(table) VALUES (?, ?, ?, ?, ?)"
    destinationSQL = """
      SELECT destination_entity, destination_key FROM \(table)
      WHERE mapping = ? AND source_key = ? AND source_entity = ?
      ORDER BY destination_entity, destination_key
      """
    sourceSQL = """
      SELECT source_entity, source_key FROM \(table)
      WHERE mapping = ? AND destination_key = ? AND destination_entity = ?
      ORDER BY source_key, source_entity
      """
    inSourceOrderSQL = """
      SELECT destination_key, destination_entity, source_key, source_entity FROM \(table)
      WHERE mapping = ? AND source_key > ?
      ORDER BY source_key, source_entity, destination_entity, destination_key
      """
    // SQLite takes the other columns of a row that has the least key.
    madeSQL = """
      SELECT destination_key, destination_entity, MIN(source_key), source_entity FROM \(table)
      WHERE mapping = ? AND destination_key > ?
      GROUP BY destination_key, destination_entity ORDER BY destination_key, destination_entity
      """
  }

  /// Makes the table, where it is not there yet.
  package func create() throws(SQLiteError) {
    try database.connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(tableSQL) (mapping INTEGER, source_entity INTEGER,
      source_key INTEGER, destination_entity INTEGER, destination_key INTEGER,
      PRIMARY KEY (mapping, source_key, source_entity, destination_entity, destination_key))
      WITHOUT ROWID
      """
    )
    try database.connection.execute(
      "CREATE TABLE IF NOT EXISTS \(orderSQL) (mapping INTEGER PRIMARY KEY, by_source INTEGER)"
    )
  }

  /// Makes the index from destination to source, where it is missing.
  ///
  /// It is made after all objects, because keeping it up to date meanwhile costs more.
  package func createReverseIndex() throws(SQLiteError) {
    guard !isReversible else { return }
    try flush()
    isReversible = true
    try database.settle()
    try database.connection.execute(
      """
      CREATE INDEX IF NOT EXISTS \(SQL.identifier(schema, Self.reverseIndexName))
      ON \(Self.name) (mapping, destination_key, destination_entity)
      """
    )
  }

  /// Records that a mapping made an object from another; once, however often it is called.
  ///
  /// The next read through this value finds it; other queries do so after ``flush()``.
  package func insert(mapping: Int, source: End, destination: End) throws(SQLiteError) {
    pending.append(
      Association(mapping: Int64(mapping), source: source, destination: destination)
    )
    if pending.count >= Self.groupSize { try flush() }
  }

  /// Writes the pending associations; must be called before other code queries the database.
  package func flush() throws(SQLiteError) {
    guard !pending.isEmpty else { return }
    var rest = pending[...]
    while rest.count >= Self.groupSize {
      try write(rest.prefix(Self.groupSize))
      rest = rest.dropFirst(Self.groupSize)
    }
    for association in rest {
      try database.queue.append(try insertion.queued(insertSQL, on: database)) {
        Self.bind(association, &$0)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes a whole group by one statement, which names the common values once.
  private func write(_ group: ArraySlice<Association>) throws(SQLiteError) {
    guard let first = group.first else { return }
    guard group.allSatisfy(first.isLike) else {
      let insert = try manyInsertion.queued(
        groupSQL { _ in "(?, ?, ?, ?, ?)" },
        on: database
      )
      return try database.queue.append(insert) {
        for association in group { Self.bind(association, &$0) }
      }
    }
    let insert = try alikeInsertion.queued(
      groupSQL { "(?1, ?2, ?\(2 * $0 + 4), ?3, ?\(2 * $0 + 5))" },
      on: database
    )
    try database.queue.append(insert) {
      $0.append(first.mapping)
      $0.append(first.source.entity)
      $0.append(first.destination.entity)
      for association in group {
        $0.append(association.source.key)
        $0.append(association.destination.key)
      }
    }
  }

  private func groupSQL(_ row: (Int) -> String) -> String {
    "INSERT OR IGNORE INTO \(tableSQL) VALUES "
      + (0..<Self.groupSize).map(row).joined(separator: ", ")
  }

  private static func bind(_ association: Association, _ values: inout BoundValues) {
    values.append(association.mapping)
    values.append(association.source.entity)
    values.append(association.source.key)
    values.append(association.destination.entity)
    values.append(association.destination.key)
  }

  /// Returns the objects that a mapping made from a source object, in order of entity and key.
  package func destinations(mapping: Int, source: End) throws(SQLiteError) -> [End] {
    try ends(destinationSQL, mapping, source)
  }

  /// Returns the objects from which a mapping made a destination object, in order of key.
  package func sources(mapping: Int, destination: End) throws(SQLiteError) -> [End] {
    try ends(sourceSQL, mapping, destination)
  }

  /// Decides the order in which a mapping's objects are connected; a resumed hop keeps it.
  ///
  /// Where each was made of one source object, they are read in the order in which they were
  /// recorded. Else the index of ``createReverseIndex()`` returns each once.
  /// - Parameter mayRepeat: Whether several source objects may have one.
  /// - Returns: Whether they are connected in the order of source objects.
  package func settleOrder(mapping: Int, mayRepeat: Bool) throws(SQLiteError) -> Bool {
    if let known = settledOrders[mapping] { return known }
    try database.settle()
    let (number, isBySource) = (SQLiteValue.integer(Int64(mapping)), mayRepeat ? Int64(0) : 1)
    try database.connection.execute(
      "INSERT OR IGNORE INTO \(orderSQL) VALUES (?, ?)",
      [number, .integer(isBySource)]
    )
    let settled = try database.connection.integer(
      "SELECT by_source FROM \(orderSQL) WHERE mapping = ?",
      [number]
    )
    settledOrders[mapping] = settled == 1
    return settled == 1
  }

  /// Returns the objects that a mapping made, each once.
  ///
  /// - Parameters:
  ///   - key: The key after which to begin; nil for the first.
  ///   - isBySource: Whether that is the key of the source object, and these give the order; the
  ///     result of ``settleOrder(mapping:mayRepeat:)``.
  ///   - count: The number given, unless fewer are left; more where several have the key of the last.
  package func made(
    mapping: Int,
    after key: Int64?,
    isBySource: Bool,
    count: Int
  ) throws(SQLiteError) -> [Pair] {
    try flush()
    if !isBySource { try createReverseIndex() }
    let query = try database.statement(isBySource ? inSourceOrderSQL : madeSQL)
    try query.statement.bind(Int64(mapping), at: 1)
    try query.statement.bind(key ?? .min, at: 2)
    var pairs: [Pair] = []
    pairs.reserveCapacity(count)
    while try query.statement.step() {
      let pair = Pair(
        destination: End(entity: query.statement.int64(1), key: query.statement.int64(0)),
        source: End(entity: query.statement.int64(3), key: query.statement.int64(2))
      )
      if pairs.count >= count, let last = pairs.last,
        isBySource
          ? last.source.key != pair.source.key : last.destination.key != pair.destination.key
      {
        break
      }
      pairs.append(pair)
    }
    query.statement.reset()
    return pairs
  }

  private func ends(_ sql: String, _ mapping: Int, _ end: End) throws(SQLiteError) -> [End] {
    try flush()
    let query = try database.statement(sql)
    try query.statement.bind(Int64(mapping), at: 1)
    try query.statement.bind(end.key, at: 2)
    try query.statement.bind(end.entity, at: 3)
    var ends: [End] = []
    while try query.statement.step() {
      ends.append(End(entity: query.statement.int64(0), key: query.statement.int64(1)))
    }
    return ends
  }
}
