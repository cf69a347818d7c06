/// The entries of an index.
@safe struct IndexContent: TreeContent, ~Copyable {
  static var isIndex: Bool { true }

  /// The number of values of an entry before the row's number, or -1 where only the wholeness of pages is
  /// checked.
  private let columnCount: Int
  private let descending: FixedArray<Bool>
  private let isUnique: Bool
  private let hash = RowHash.shared
  private var fields: RecordFields
  /// The values of an entry, and of the one before it.
  private var values: FixedArray<StoredValue>
  private var lastValues: FixedArray<StoredValue>
  private var last: UnsafeRawPointer?
  private var lastSize = 0
  private var kept = PayloadMemory()
  private var isKept = false
  /// The number of entries.
  private(set) var count: Int64 = 0
  /// The sum of the entries.
  private(set) var sum: UInt64 = 0
  /// Whether the entries are in order, and of the form that the index has.
  private(set) var isInOrder = true

  /// Entries of an index, of whose form nothing is known where there is no shape.
  init(_ index: TableShape.Index?) {
    columnCount = index?.columns.count ?? -1
    descending = FixedArray(index?.descending ?? [])
    isUnique = index?.isUnique ?? false
    fields = RecordFields(capacity: columnCount + 1)
    values = FixedArray(room: columnCount + 1)
    lastValues = FixedArray(room: columnCount + 1)
  }

  func needsAll(
    of payload: UnsafeRawPointer,
    local: Int,
    total: Int
  ) throws(Unproven) -> Bool { columnCount >= 0 }

  mutating func add(
    _ payload: UnsafeRawPointer,
    local: Int,
    total: Int,
    key: Int64
  ) throws(Unproven) {
    guard columnCount >= 0, isInOrder else { return }
    count += 1
    let isRead: Bool
    do {
      try unsafe fields.read(payload, local: local, total: total)
      isRead = true
    } catch {
      isRead = false
    }
    guard isRead, fields.count == columnCount + 1 else {
      // SQLite's quick check does not look into entries either.
      isInOrder = false
      return
    }
    swap(&values, &lastValues)
    var row = hash.key
    // Whether the entry follows the one before it; nil as long as they are equal.
    var follows = unsafe last == nil ? true : nil
    var hasNull = false
    for field in 0...columnCount {
      let value = try unsafe fields.value(field, payload)
      values[field] = value
      row = value.fold(into: row, hash)
      if follows != nil { continue }
      let order = lastValues[field].compare(value)
      if order == 0 {
        hasNull = hasNull || value.kind == .null
      } else {
        let repeats = field == columnCount && isUnique && !hasNull
        follows = !repeats && (descending[field] ? order > 0 : order < 0)
      }
    }
    isInOrder = follows ?? false
    sum &+= hash.finish(row)
    unsafe last = payload
    lastSize = total
    isKept = false
  }

  mutating func pass(bound: Int64) {}

  mutating func endPage() {
    // Entries out of order are not compared again, and the kept one may be gone.
    guard isInOrder, let old = unsafe last, !isKept else { return }
    let memory = unsafe kept.room(for: max(1, lastSize))
    unsafe memory.copyMemory(from: old, byteCount: lastSize)
    for field in 0...columnCount {
      values[field] = unsafe values[field].moved(by: UnsafeRawPointer(memory) - old)
    }
    unsafe last = UnsafeRawPointer(memory)
    isKept = true
  }
}
