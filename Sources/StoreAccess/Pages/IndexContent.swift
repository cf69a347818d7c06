/// The entries of an index.
@safe struct IndexContent: TreeContent, ~Copyable {
  static var isIndex: Bool { true }

  /// The values of an entry before the row's number, or -1 where nothing is said of entries but that
  /// their pages are whole.
  private let columnCount: Int
  private let descending: FixedArray<Bool>
  private let isUnique: Bool
  private let key = RowHash.key
  private var fields: RecordFields
  private var lastFields: RecordFields
  private var last: UnsafeRawPointer?
  private var lastSize = 0
  private var kept = PayloadMemory()
  private var isKept = false
  /// How many entries there are.
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
    lastFields = RecordFields(capacity: columnCount + 1)
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
    swap(&fields, &lastFields)
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
    if let last = unsafe last { isInOrder = try unsafe follows(last, payload) }
    unsafe last = payload
    lastSize = total
    isKept = false
    var row = self.key
    for field in 0..<fields.count {
      row = try unsafe fields.value(field, payload).fold(into: row)
    }
    sum &+= RowHash.finish(row)
  }

  /// Whether an entry stands behind the one before it.
  @inline(__always)
  private func follows(
    _ before: UnsafeRawPointer,
    _ payload: UnsafeRawPointer
  ) throws(Unproven) -> Bool {
    var hasNull = false
    for field in 0...columnCount {
      let old = try unsafe lastFields.value(field, before)
      let new = try unsafe fields.value(field, payload)
      let order = old.compare(new)
      if order == 0 {
        hasNull = hasNull || old.kind == .null
        continue
      }
      if field == columnCount, isUnique, !hasNull { return false }
      return descending[field] ? order > 0 : order < 0
    }
    return false
  }

  mutating func pass(bound: Int64) {}

  mutating func endPage() {
    // Of entries out of order none is compared again, and the one kept may be gone.
    guard isInOrder, let old = unsafe last, !isKept else { return }
    let memory = unsafe kept.room(for: max(1, lastSize))
    unsafe memory.copyMemory(from: old, byteCount: lastSize)
    unsafe last = UnsafeRawPointer(memory)
    isKept = true
  }
}
