/// The form of a table's rows and indexes, from the schema.
struct TableShape {
  /// The values that SQLite's quick check allows in a column.
  enum Affinity: UInt8 {
    case any
    /// The value is not a number.
    case text
    /// The value is not a text.
    case number
  }

  /// An index whose entries can be computed from the rows.
  struct Index: Sendable {
    let name: String
    /// The places of its columns in the table's rows.
    let columns: [Int]
    /// Whether each column, and the row's number behind them, is in descending order.
    let descending: [Bool]
    let isUnique: Bool
  }

  let affinities: [Affinity]
  /// The columns that have a value also where a row is too short for one.
  let defaulted: Set<Int>
  /// The column that is the row's number, ignoring the row's own value there, or -1.
  let numberColumn: Int
  /// The names of the columns.
  let columns: [String]
  /// The column with the number of the row's entity, where each row has its own, or -1.
  let entityColumn: Int
  /// The names of all indexes.
  let indexNames: [String]
  /// The indexes whose entries can be computed from the rows.
  private(set) var indexes: [Index] = []

  /// Reads a table's shape.
  ///
  /// - Throws: ``Unproven`` where rows have rules that SQLite must be asked about, or no numbers.
  init(
    of table: String,
    sql: String,
    schema: String,
    on connection: borrowing SQLiteConnection
  ) throws(Unproven) {
    let words = SQL.words(sql)
    guard words.isDisjoint(with: ["CHECK", "STRICT", "WITHOUT"]) else {
      throw Unproven()
    }
    do {
      let prefix = SQL.identifier(schema)
      let columns = try connection.rows("PRAGMA \(prefix).table_xinfo(\(SQL.identifier(table)))")
      var affinities: [Affinity] = []
      var defaulted: Set<Int> = []
      var keys: [Int] = []
      var numbers: [Int] = []
      for (place, column) in columns.enumerated() where column.count > 6 {
        let type = SQL.uppercased(column[2].text ?? "")
        if column[5].integer != 0 { keys.append(place) }
        if column[5].integer != 0, type == "INTEGER" { numbers.append(place) }
        guard column[6].integer == 0, column[3].integer == 0 else { throw Unproven() }
        if column[4] != .null { defaulted.insert(place) }
        affinities.append(Self.affinity(type))
      }
      self.affinities = affinities
      self.defaulted = defaulted
      let names = columns.map { $0[1].text ?? "" }
      self.columns = names
      let entity = names.firstIndex(of: "Z_ENT") ?? -1
      entityColumn = defaulted.contains(entity) ? -1 : entity
      let list = try connection.rows("PRAGMA \(prefix).index_list(\(SQL.identifier(table)))")
      // A key that has an index of its own is not the row's number, as in descending order.
      let hasKeyIndex = list.contains { $0.count > 3 && $0[3].text == "pk" }
      numberColumn = keys.count == 1 && !hasKeyIndex ? numbers.first ?? -1 : -1
      indexNames = list.compactMap { $0.count > 1 ? $0[1].text : nil }
      for row in list where row.count > 4 && row[4].integer == 0 {
        guard let name = row[1].text else { continue }
        let terms = try connection.rows("PRAGMA \(prefix).index_xinfo(\(SQL.identifier(name)))")
        let index = Self.index(name, isUnique: row[2].integer == 1, terms, names)
        if let index, defaulted.isDisjoint(with: index.columns) { indexes.append(index) }
      }
    } catch {
      throw Unproven()
    }
  }

  private static func index(
    _ name: String,
    isUnique: Bool,
    _ terms: [[SQLiteValue]],
    _ names: [String]
  ) -> Index? {
    var columns: [Int] = []
    var descending: [Bool] = []
    for term in terms where term.count > 5 && term[5].integer == 1 {
      guard let column = term[1].integer, column >= 0, column < names.count,
        term[4].text == "BINARY"
      else { return nil }
      columns.append(Int(column))
      descending.append(term[3].integer == 1)
    }
    return Index(
      name: name,
      columns: columns,
      descending: descending + [false],
      isUnique: isUnique
    )
  }

  /// Returns the values that a column of a declared type keeps (sqlite.org/datatype3.html).
  private static func affinity(_ type: String) -> Affinity {
    let has = { (part: String) in SQL.contains(type, part) }
    if has("INT") { return .number }
    if has("CHAR") || has("CLOB") || has("TEXT") { return .text }
    return has("BLOB") || type.isEmpty ? .any : .number
  }
}
