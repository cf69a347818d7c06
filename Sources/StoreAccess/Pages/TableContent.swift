/// The facts gathered in a pass over the rows of a table: their number, and their sum for each index.
///
/// The state that each row needs is in plain memory. An array would be retained and released for each row.
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
  /// The number of rows.
  private(set) var count: Int64 = 0
  /// The sum of the rows, as each index must have it.
  private let sums: FixedArray<UInt64>
  /// The greatest column that an index has.
  private let greatestColumn: Int
  private let entityColumn: Int
  /// The rows of each entity, by its number.
  private let entities: FixedArray<Int64>
  /// The reasons that each column is not plain, as bits.
  private let blemishes: FixedArray<UInt8>

  /// The place of the counts of each entity's values, by its number; 0 where it has none yet.
  private let slots: FixedArray<UInt8>
  private var slotCount: UInt8 = 0
  /// The values that are not NULL, by the place of their row's entity and by column.
  private let values: FixedArray<Int64>
  /// Whether there are rows whose values are not counted.
  private var hasUncounted = false
  /// The sets that rows' keys are added to, and the set of each column that leads on, or -1.
  ///
  /// The reader of the tables owns the sets.
  private let keySets: KeySets.Memory?
  private let ownKeys: Int
  private let keysOfColumn: FixedArray<Int>
  /// The sum of each column's values, and of all values of each row.
  private let columnSums: FixedArray<UInt64>
  private let isSummed: Bool
  private let isRowSummed: Bool
  private var rowSum: UInt64 = 0
  private let hash = RowHash.shared

  /// Rows that anything may be in, as of the table of the schema.
  init() {
    self.init(
      affinities: [UInt8](repeating: 0, count: Self.greatestCount),
      numberColumn: -1,
      entityColumn: -1,
      indexes: [],
      keys: nil,
      sums: false
    )
  }

  /// Rows of a table.
  ///
  /// - Parameters:
  ///   - keys: The set that collects the keys of rows.
  ///   - sums: Whether values are summed up.
  init(_ shape: TableShape, keys: ReferenceKeys.Places?, sums: Bool) {
    self.init(
      affinities: shape.affinities.map(\.rawValue),
      numberColumn: shape.numberColumn,
      entityColumn: shape.entityColumn,
      indexes: shape.indexes.map(\.columns),
      keys: keys,
      sums: sums
    )
  }

  private init(
    affinities: [UInt8],
    numberColumn: Int,
    entityColumn: Int,
    indexes: [[Int]],
    keys: ReferenceKeys.Places?,
    sums wantsSums: Bool
  ) {
    let columns = affinities.count
    fields = RecordFields(capacity: columns)
    self.affinities = FixedArray(affinities)
    columnCount = columns
    hasText = affinities.contains(TableShape.Affinity.text.rawValue)
    self.numberColumn = numberColumn
    terms = FixedArray(indexes.flatMap { $0 + [-1] })
    indexCount = indexes.count
    sums = FixedArray([UInt64](repeating: 0, count: indexes.count))
    greatestColumn = indexes.joined().max() ?? -1
    self.entityColumn = entityColumn
    entities = FixedArray([Int64](repeating: 0, count: Self.greatestEntity + 1))
    blemishes = FixedArray([UInt8](repeating: 0, count: columns))
    slots = FixedArray([UInt8](repeating: 0, count: Self.greatestEntity + 1))
    values = FixedArray([Int64](repeating: 0, count: columns * (Self.greatestSlot + 1)))
    keySets = keys?.sets.memory
    ownKeys = keys?.own ?? -1
    var keysOfColumn = [Int](repeating: -1, count: columns)
    for (column, set) in keys?.columns ?? [:] { keysOfColumn[column] = set }
    self.keysOfColumn = FixedArray(keysOfColumn)
    isSummed = wantsSums
    isRowSummed = wantsSums && columns <= Self.greatestRow && numberColumn < 0
    columnSums = FixedArray([UInt64](repeating: 0, count: columns))
  }

  /// The greatest number of entities whose values are counted separately.
  private static let greatestSlot = 30

  /// The rows of tables of so many columns are summed up as a whole.
  private static let greatestRow = 4

  /// The largest row, in bytes, whose values are summed up beyond its own page.
  private static let greatestSummed = 4 << 20

  /// A value of another class than a column is declared for.
  private static let isOfAnotherClass: UInt8 = 1
  /// A text that is not UTF-8 or was not checked, or a blob that is not of sixteen bytes.
  private static let isOdd: UInt8 = 2
  /// A value that was not summed up.
  private static let isLeftOut: UInt8 = 4

  /// Rows of an entity of a greater number are not counted.
  private static let greatestEntity = 1_023

  /// The largest row, in bytes, whose texts are checked beyond its own page.
  private static let greatestText = 1 << 20

  /// The serial type of a blob of sixteen bytes.
  private static let typeOfUUID: UInt64 = 44

  /// The table of a schema has five columns.
  private static let greatestCount = 5

  /// Returns the sum of the rows as an index must have it.
  func sum(_ index: Int) -> UInt64 { sums[index] }

  /// Returns the facts about the rows.
  func facts(_ shape: TableShape) -> PageVerification.Rows {
    var rows = PageVerification.Rows(count: count)
    rows.columns = shape.columns
    if entityColumn >= 0 {
      for number in 0...Self.greatestEntity where entities[number] > 0 {
        rows.countByEntity[Int64(number)] = entities[number]
      }
    }
    for (column, name) in shape.columns.enumerated() where !shape.defaulted.contains(column) {
      let isWhole = isSummed && blemishes[column] & Self.isLeftOut == 0
      rows.values[name] = PageVerification.Rows.Values(
        countByEntity: counts(of: column),
        sum: isWhole ? columnSums[column] : nil
      )
    }
    let isWhole = (0..<columnCount).allSatisfy { blemishes[$0] & Self.isLeftOut == 0 }
    if isRowSummed, isWhole, shape.defaulted.isEmpty { rows.sum = rowSum }
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

  /// Returns the number of values of a column that are not NULL, by the number of their row's entity.
  private func counts(of column: Int) -> [Int64: Int64]? {
    guard !hasUncounted else { return nil }
    guard entityColumn >= 0 else { return [0: values[column]] }
    var counts: [Int64: Int64] = [:]
    for number in 0...Self.greatestEntity where slots[number] > 0 {
      counts[Int64(number)] = values[Int(slots[number]) * columnCount + column]
    }
    return counts
  }

  func needsAll(
    of payload: UnsafeRawPointer,
    local: Int,
    total: Int
  ) throws(Unproven) -> Bool {
    if isSummed, total <= Self.greatestSummed { return true }
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
    let slot = try unsafe slot(payload, local: local)
    let rowKey = hash.fold(integer: number, into: hash.key)
    if ownKeys >= 0 { keySets?.insert(number, into: ownKeys) }
    if numberColumn >= 0 {
      values.add(1, at: slot + numberColumn)
      if isSummed { columnSums.add(hash.finish(rowKey), at: numberColumn) }
    }
    for column in 0..<fields.count {
      let affinity = affinities[column]
      let type = unsafe fields.types[column]
      if type == 0 || column == numberColumn { continue }
      values.add(1, at: slot + column)
      let isBlob = type >= 12 && type & 1 == 0
      if affinity == 0 {
        if !isBlob { blemishes[column] |= Self.isOfAnotherClass }
        if type != Self.typeOfUUID { blemishes[column] |= Self.isOdd }
      } else if affinity == 1 {
        if type < 12 { throw Unproven() }
        if isBlob {
          blemishes[column] |= Self.isOfAnotherClass
        } else if blemishes[column] & ~Self.isLeftOut == 0 {
          let isPlain = try unsafe fields.isPlainText(column, payload, local: local)
          if !isPlain { blemishes[column] |= Self.isOdd }
        }
      } else if type >= 12 {
        // Only SQLite decides whether it should have made a number of a text.
        guard isBlob else { throw Unproven() }
        blemishes[column] |= Self.isOfAnotherClass
      }
      if type == 7 { try unsafe noteNumber(column, payload, local: local) }
      if isSummed { try unsafe sum(column, payload, local: local, rowKey) }
      if keysOfColumn[column] >= 0 { try unsafe noteKey(column, payload, local: local) }
    }
    if isRowSummed { try unsafe sumRow(payload, local: local) }
    var term = 0
    for index in 0..<indexCount {
      var row = hash.key
      while true {
        let column = terms[term]
        term += 1
        if column < 0 { break }
        if column == numberColumn {
          row = hash.fold(integer: number, into: row)
        } else if column >= fields.count {
          row = hash.foldNull(into: row)
        } else {
          row = try unsafe fields.value(column, payload).fold(into: row, hash)
        }
      }
      sums.add(hash.finish(hash.fold(integer: number, into: row)), at: index)
    }
  }

  /// Counts a row for its entity.
  ///
  /// - Returns: The index at which the counts of its values begin.
  @inline(__always)
  private mutating func slot(_ payload: UnsafeRawPointer, local: Int) throws(Unproven) -> Int {
    guard entityColumn >= 0 else { return 0 }
    // It is at the beginning of a row, and is read in place.
    guard entityColumn < fields.count, entityColumn != numberColumn,
      try fields.end(of: entityColumn) <= local
    else {
      hasUncounted = true
      return 0
    }
    let value = try unsafe fields.value(entityColumn, payload)
    guard value.kind == .integer, value.integer >= 0, value.integer <= Self.greatestEntity else {
      hasUncounted = true
      return 0
    }
    let number = Int(value.integer)
    entities.add(1, at: number)
    if slots[number] == 0 {
      guard slotCount < Self.greatestSlot else {
        hasUncounted = true
        return 0
      }
      slotCount += 1
      slots[number] = slotCount
    }
    return Int(slots[number]) * columnCount
  }

  /// Adds a value that is not NULL to the sum of its column.
  @inline(__always)
  private mutating func sum(
    _ column: Int,
    _ payload: UnsafeRawPointer,
    local: Int,
    _ rowKey: UInt64
  ) throws(Unproven) {
    guard try fields.end(of: column) <= local else {
      blemishes[column] |= Self.isLeftOut
      return
    }
    let value = try unsafe fields.value(column, payload)
    columnSums.add(hash.finish(value.fold(into: rowKey, hash)), at: column)
  }

  /// Notes a real column whose value is NaN: SQLite reads it as NULL, and a count would take it for a
  /// value.
  private mutating func noteNumber(
    _ column: Int,
    _ payload: UnsafeRawPointer,
    local: Int
  ) throws(Unproven) {
    if try fields.end(of: column) <= local,
      try unsafe fields.value(column, payload).kind != .null
    {
      return
    }
    blemishes[column] |= Self.isLeftOut
    hasUncounted = true
  }

  /// Adds all values of a row to the sum of rows.
  private mutating func sumRow(_ payload: UnsafeRawPointer, local: Int) throws(Unproven) {
    var row = hash.key
    for column in 0..<columnCount {
      if column >= fields.count {
        row = hash.foldNull(into: row)
      } else {
        guard try fields.end(of: column) <= local else { return }
        row = try unsafe fields.value(column, payload).fold(into: row, hash)
      }
    }
    rowSum &+= hash.finish(row)
  }

  /// Notes the row to which a column leads.
  private mutating func noteKey(
    _ column: Int,
    _ payload: UnsafeRawPointer,
    local: Int
  ) throws(Unproven) {
    guard let keySets else { return }
    let set = keysOfColumn[column]
    guard try fields.end(of: column) <= local else { return keySets.spoil(set) }
    let value = try unsafe fields.value(column, payload)
    guard value.kind == .integer else { return keySets.spoil(set) }
    keySets.insert(value.integer, into: set)
  }

  mutating func pass(bound: Int64) throws(Unproven) {
    guard !isBegun || last <= bound else { throw Unproven() }
    isBegun = true
    last = bound
  }

  mutating func endPage() {}
}
