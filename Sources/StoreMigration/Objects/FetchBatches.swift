import StoreAccess

/// The results of one fetch, whose values are read batch by batch.
///
/// Only the values of one batch are in memory, and those of objects that were changed.
final class FetchBatches {
  /// The number of objects of a batch.
  let size: Int
  /// The keys of the results, in their order.
  private let keys: [Int64]
  /// The places of the results by their keys, in ascending order; nil where that is the results' own.
  private let placesByKey: [UInt32]?
  /// The objects whose values were read last.
  private var current: [ManagedObject] = []
  private var rows: (columns: RowColumns, table: String, statement: PreparedStatement)?

  init(of keys: [Int64], size: Int) {
    self.keys = keys
    self.size = size
    let isAscending = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
    placesByKey =
      isAscending ? nil : (0..<UInt32(keys.count)).sorted { keys[Int($0)] < keys[Int($1)] }
  }

  /// Reads the values of an object's batch.
  ///
  /// - Returns: Whether the object's were read; they were not where it is none of the results.
  func read(_ object: ManagedObject, in context: ManagedObjectContext) throws -> Bool {
    guard let place = place(of: object.key) else { return false }
    letGo(in: context)
    let rows = try prepared(object.layout, in: context)
    let statement = rows.statement
    // Batches are the same in a walk from the end.
    let start = place - place % size
    for index in 0..<size {
      if keys.indices.contains(start + index) {
        try statement.statement.bind(keys[start + index], at: index + 1)
      } else {
        try statement.statement.bindNull(at: index + 1)
      }
    }
    while try statement.statement.step() {
      guard let member = try member(of: statement, object.layout, context),
        member.unsaved == nil, member.status == .stored,
        member.values.isEmpty || member.readAlong != 0
      else { continue }
      member.take(
        statement.statement.values(of: rows.columns.places(of: member.layout)),
        version: max(0, statement.statement.int64(2))
      )
      member.readAlong = member === object ? 0 : context.round
      current.append(member)
    }
    return !object.values.isEmpty
  }

  /// Lets go of the values that were read last, and of the objects that have nothing else.
  func letGo(in context: ManagedObjectContext) {
    for former in current where former.unsaved == nil && former.status == .stored {
      former.isSeen = former.hasBeenSeen
      former.values = []
      former.readAlong = 0
    }
    guard let table = current.first?.layout.tableIndex else { return }
    let keys = current.map(\.key)
    current = []
    context.letGo(of: keys, inTable: table)
  }

  /// Returns the object of the row of a statement, where code holds it.
  private func member(
    of row: PreparedStatement,
    _ root: EntityLayout,
    _ context: ManagedObjectContext
  ) throws -> ManagedObject? {
    let key = row.statement.int64(0)
    if let known = context.known(root, key) { return known }
    guard context.unreadObjects?.row(key, ofTable: root.tableIndex) != nil,
      let layout = try context.layout(number: row.statement.int64(1))
    else { return nil }
    return context.make(layout, key)
  }

  private func prepared(
    _ layout: EntityLayout,
    in context: ManagedObjectContext
  ) throws -> (columns: RowColumns, table: String, statement: PreparedStatement) {
    let table = try context.pendingRows?.fileOnly(layout.tableName) ?? layout.table
    if let rows, rows.table == table { return rows }
    let columns = try RowColumns(of: layout, in: context)
    let places = Array(repeating: "?", count: size).joined(separator: ", ")
    let statement = try context.database.cursor(
      "SELECT s.Z_PK, s.Z_ENT\(columns.list) FROM \(table) AS s WHERE s.Z_PK IN (\(places))"
    )
    rows = (columns, table, statement)
    return (columns, table, statement)
  }

  private func place(of key: Int64) -> Int? {
    var range = 0..<keys.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let place = placesByKey.map { Int($0[middle]) } ?? middle
      if keys[place] == key { return place }
      range = keys[place] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

/// The columns of an opened store's table, from which objects of each of its entities take their values.
struct RowColumns {
  /// The names of the columns behind the key and the entity: the number of saves, and those with values.
  private let names: [String]
  private let placesByEntity: [Int64: [Int]]

  init(of layout: EntityLayout, in context: ManagedObjectContext) throws {
    var seen: Set<String> = []
    let layouts = try context.schema.entityNumbers(below: layout.rootName)
      .compactMap { try context.layout(number: Int64($0)) }
    let columns = layouts.flatMap(\.columns).filter { seen.insert($0).inserted }
    names = ["Z_OPT"] + columns
    let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0 + 3) })
    placesByEntity = Dictionary(
      layouts.map { ($0.number, $0.columns.compactMap { places[$0] }) }
    ) { $1 }
  }

  /// The columns of the row `s`, each behind a comma.
  var list: String { names.map { ", s." + SQL.identifier($0) }.joined() }

  /// Returns the place of each slot's column in a row that begins with the key and the entity.
  func places(of layout: EntityLayout) -> [Int] { placesByEntity[layout.number] ?? [] }
}

extension ManagedObject {
  /// Takes values of its row, which had a number of saves.
  func take(_ values: [SQLiteValue], version: Int64) {
    isStale = self.version >= 0 && self.version != version
    if self.version < 0 { self.version = version }
    self.values = values
  }
}

extension ManagedObjectContext {
  /// Lets the values of a fetch's results be read batch by batch.
  ///
  /// - Parameters:
  ///   - keys: The keys of the results in their order.
  ///   - size: The number of objects of a batch.
  package func readBatches(of entityName: String, _ keys: [Int64], size: Int) throws {
    guard configuration.isOfOpenedStore, keys.count < UInt32.max else { return }
    try endBatches(of: entityName)
    let table = try layout(of: entityName).tableIndex
    batches[table] = FetchBatches(of: keys, size: max(1, min(size, Self.greatestBatch)))
  }

  /// Ends the reading of an entity's rows by batches, before a walk over all of its objects.
  package func endBatches(of entityName: String) throws {
    let table = try layout(of: entityName).tableIndex
    batches[table]?.letGo(in: self)
    batches[table] = nil
  }

  /// The most parameters that one statement of a batch has.
  private static let greatestBatch = 10_000
}
