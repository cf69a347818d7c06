/// What a pass over the rows of a table gathers: how many there are, and their sum for each index.
///
/// What each row needs is kept in plain memory. An array would be retained and released for each row.
@safe struct TableContent: TreeContent, ~Copyable {
  static var isIndex: Bool { false }

  private var fields: RecordFields
  private var last: Int64 = .min
  private var isBegun = false
  private let affinities: FixedArray<UInt8>
  private let hasText: Bool
  private let columnCount: Int
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
  /// What was found in each column that is not plain.
  private let blemishes: FixedArray<UInt8>

  /// Rows of a table; of one whose rows anything may be in where there is no shape.
  init(_ shape: TableShape?) {
    let columns = shape?.affinities.count ?? Self.greatestCount
    fields = RecordFields(capacity: columns)
    let given = shape?.affinities.map(\.rawValue)
    affinities = FixedArray(given ?? [UInt8](repeating: 0, count: columns))
    columnCount = columns
    hasText = shape?.affinities.contains(.text) ?? false
    numberColumn = shape?.numberColumn ?? -1
    let indexes = shape?.indexes ?? []
    terms = FixedArray(indexes.flatMap { $0.columns + [-1] })
    indexCount = indexes.count
    sums = FixedArray([UInt64](repeating: 0, count: indexes.count))
    greatestColumn = indexes.flatMap(\.columns).max() ?? -1
    entityColumn = shape?.entityColumn ?? -1
    entities = FixedArray([Int64](repeating: 0, count: Self.greatestEntity + 1))
    blemishes = FixedArray([UInt8](repeating: 0, count: columns))
  }

  /// Something of another class than a column is declared for.
  private static let isOfAnotherClass: UInt8 = 1
  /// A text that is not UTF-8 or was not looked at, or a blob that is not of sixteen bytes.
  private static let isOdd: UInt8 = 2

  /// Rows of an entity of a greater number are not counted.
  private static let greatestEntity = 1_023

  /// The largest row, in bytes, of which texts are looked at beyond its own page.
  private static let greatestText = 1 << 20

  /// The serial type of a blob of sixteen bytes.
  private static let typeOfUUID: UInt64 = 44

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
    where blemishes[column] & Self.isOfAnotherClass == 0 && !shape.defaulted.contains(column) {
      let (name, isOdd) = (shape.columns[column], blemishes[column] & Self.isOdd != 0)
      switch affinity {
      case .number: rows.plainNumbers.insert(name)
      case .text: if !isOdd { rows.plainTexts.insert(name) }
      case .any:
        rows.plainBlobs.insert(name)
        if !isOdd { rows.plainUUIDs.insert(name) }
      }
    }
    return rows
  }

  func needsAll(
    of payload: UnsafeRawPointer,
    local: Int,
    total: Int
  ) throws(Unproven) -> Bool {
    let takesText = hasText && total <= Self.greatestText
    guard greatestColumn >= 0 || takesText else { return false }
    var place = 0
    let size = try unsafe BigEndian.variable(payload, &place, local)
    guard size <= UInt64(local) else { throw Unproven() }
    let end = Int(size)
    var body = end
    var column = 0
    while place < end, column <= greatestColumn || takesText {
      let type = try unsafe BigEndian.variable(payload, &place, end)
      guard type < 0x1_0000_0000, column < columnCount else { throw Unproven() }
      body += try RecordFields.size(of: type)
      let isWanted =
        column <= greatestColumn
        || type >= 12 && affinities[column] == 1 && blemishes[column] == 0
      if isWanted, body > local { return true }
      column += 1
    }
    return false
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
      if type == 0 || column == numberColumn { continue }
      let isBlob = type >= 12 && type & 1 == 0
      if affinity == 0 {
        if !isBlob { blemishes[column] |= Self.isOfAnotherClass }
        if type != Self.typeOfUUID { blemishes[column] |= Self.isOdd }
      } else if affinity == 1 {
        if type < 12 { throw Unproven() }
        if isBlob {
          blemishes[column] |= Self.isOfAnotherClass
        } else if blemishes[column] == 0 {
          let isPlain = try unsafe fields.isPlainText(column, payload, local: local)
          if !isPlain { blemishes[column] |= Self.isOdd }
        }
      } else if type >= 12 {
        // Whether SQLite should have made a number of a text, only SQLite says.
        guard isBlob else { throw Unproven() }
        blemishes[column] |= Self.isOfAnotherClass
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
