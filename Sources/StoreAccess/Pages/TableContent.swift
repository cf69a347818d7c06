/// What a pass over the rows of a table gathers: how many there are, and their sum for each index.
///
/// What each row needs is kept in plain memory. An array would be retained and released for each row.
@safe struct TableContent: TreeContent, ~Copyable {
  static var isIndex: Bool { false }

  private var fields: RecordFields
  private var last: Int64 = .min
  private var isBegun = false
  private let affinities: FixedArray<UInt8>
  private let numberColumn: Int
  /// The columns of each index, and -1 behind them.
  private let terms: FixedArray<Int>
  private let indexCount: Int
  private let key = RowHash.key
  /// How many rows there are.
  private(set) var count: Int64 = 0
  /// The sum of the rows, as each index must have it.
  private let sums: FixedArray<UInt64>
  /// The greatest column that an index has.
  private let greatestColumn: Int
  private let entityColumn: Int
  /// The rows of each entity, by its number.
  private let entities: FixedArray<Int64>
  /// Whether a column that keeps numbers has a blob.
  private let hasBlob: FixedArray<Bool>

  /// Rows of a table; of one whose rows anything may be in where there is no shape.
  init(_ shape: TableShape?) {
    let columns = shape?.affinities.count ?? Self.greatestCount
    fields = RecordFields(capacity: columns)
    let given = shape?.affinities.map(\.rawValue)
    affinities = FixedArray(given ?? [UInt8](repeating: 0, count: columns))
    numberColumn = shape?.numberColumn ?? -1
    let indexes = shape?.indexes ?? []
    terms = FixedArray(indexes.flatMap { $0.columns + [-1] })
    indexCount = indexes.count
    sums = FixedArray([UInt64](repeating: 0, count: indexes.count))
    greatestColumn = indexes.flatMap(\.columns).max() ?? -1
    entityColumn = shape?.entityColumn ?? -1
    entities = FixedArray([Int64](repeating: 0, count: Self.greatestEntity + 1))
    hasBlob = FixedArray([Bool](repeating: false, count: columns))
  }

  /// Rows of an entity of a greater number are not counted.
  private static let greatestEntity = 1_023

  /// The table of a schema has five columns.
  private static let greatestCount = 5

  /// The sum of the rows as an index must have it.
  func sum(_ index: Int) -> UInt64 { sums[index] }

  /// What the rows are.
  func facts(_ shape: TableShape) -> PageProof.Rows {
    var rows = PageProof.Rows(count: count)
    if entityColumn >= 0 {
      for number in 0...Self.greatestEntity where entities[number] > 0 {
        rows.countByEntity[Int64(number)] = entities[number]
      }
    }
    for (column, affinity) in shape.affinities.enumerated()
    where affinity == .number && !hasBlob[column] && !shape.defaulted.contains(column) {
      rows.plainNumbers.insert(shape.columns[column])
    }
    return rows
  }

  func needsAll(
    of payload: UnsafeRawPointer,
    local: Int,
    total: Int
  ) throws(Unproven) -> Bool {
    guard greatestColumn >= 0 else { return false }
    var place = 0
    let size = try unsafe BigEndian.variable(payload, &place, local)
    guard size <= UInt64(local) else { throw Unproven() }
    let end = Int(size)
    var body = end
    var column = 0
    while place < end, column <= greatestColumn {
      let type = try unsafe BigEndian.variable(payload, &place, end)
      guard type < 0x1_0000_0000 else { throw Unproven() }
      body += try RecordFields.size(of: type)
      column += 1
    }
    return body > local
  }

  mutating func add(
    _ payload: UnsafeRawPointer,
    local: Int,
    total: Int,
    key number: Int64
  ) throws(Unproven) {
    guard !isBegun || number > last else { throw Unproven() }
    isBegun = true
    last = number
    try unsafe fields.read(payload, local: local, total: total)
    count += 1
    for column in 0..<fields.count {
      let affinity = affinities[column]
      let type = unsafe fields.types[column]
      if affinity == 0 || type == 0 || column == numberColumn { continue }
      if affinity == 1 {
        if type < 12 { throw Unproven() }
      } else if type >= 12 {
        // Whether SQLite should have made a number of a text, only SQLite says.
        if type & 1 == 1 { throw Unproven() }
        hasBlob[column] = true
      }
    }
    if entityColumn >= 0, entityColumn < fields.count, entityColumn != numberColumn {
      // It stands at the beginning of a row, and is read where it does.
      if try fields.end(of: entityColumn) <= local {
        let value = try unsafe fields.value(entityColumn, payload)
        if value.kind == .integer, value.integer >= 0, value.integer <= Self.greatestEntity {
          entities.add(1, at: Int(value.integer))
        }
      }
    }
    var term = 0
    for index in 0..<indexCount {
      var row = key
      while true {
        let column = terms[term]
        term += 1
        if column < 0 { break }
        if column == numberColumn {
          row = RowHash.fold(integer: number, into: row)
        } else if column >= fields.count {
          row = RowHash.foldNull(into: row)
        } else {
          row = try unsafe fields.value(column, payload).fold(into: row)
        }
      }
      sums.add(RowHash.finish(RowHash.fold(integer: number, into: row)), at: index)
    }
  }

  mutating func pass(bound: Int64) throws(Unproven) {
    guard !isBegun || last <= bound else { throw Unproven() }
    isBegun = true
    last = bound
  }

  mutating func endPage() {}
}
