private import CSQLite

extension SQLiteConnection {
  /// Registers the aggregates that compare many rows without sorting them.
  ///
  /// - `waystone_digest(value, …)` is a number of all rows that does not depend on their order: two
  ///   queries with the same rows, each as often, have the same. Rows that differ have another, but for
  ///   one chance in 2^64 that an attacker cannot influence: the key is random in each process. Numbers
  ///   are equal as by SQLite's `IS`; text and blobs are compared byte by byte.
  /// - `waystone_disorder(form, value, …)` counts the rows that do not follow the one before them. The
  ///   form has a character for each value, `+` for ascending and `-` for descending, after a first one:
  ///   `u` where no two rows may agree in all values but the last without a NULL among them, else `.`.
  ///   Text is compared byte by byte (`BINARY`).
  ///
  /// Statements call them, and never a schema. About 30 ns a value.
  ///
  /// - Throws: ``SQLiteError``.
  package func createRowFunctions() throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    let digest = unsafe sqlite3_create_function_v2(
      handle,
      "waystone_digest",
      -1,
      flags,
      nil,
      nil,
      { context, count, values in unsafe RowDigest.add(context, count, values) },
      { context in unsafe RowDigest.finish(context) },
      nil
    )
    guard digest == SQLITE_OK else { throw error(digest) }
    let disorder = unsafe sqlite3_create_function_v2(
      handle,
      "waystone_disorder",
      -1,
      flags,
      nil,
      nil,
      { context, count, values in unsafe RowOrder.add(context, count, values) },
      { context in unsafe RowOrder.finish(context) },
      nil
    )
    guard disorder == SQLITE_OK else { throw error(disorder) }
    callbacks.functions.formUnion(["waystone_digest", "waystone_disorder"])
  }
}

/// The state of `waystone_digest`: a sum, to which the order of its terms is nothing.
private struct RowDigest {
  private var sum: UInt64

  static func add(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    // Zeros at first, as a sum begins.
    let place = unsafe sqlite3_aggregate_context(context, Int32(MemoryLayout<Self>.size))
    guard let state = unsafe place?.assumingMemoryBound(to: Self.self), let values = unsafe values
    else { return unsafe sqlite3_result_error_nomem(context) }
    let hash = RowHash.shared
    var row = hash.key
    for index in 0..<Int(count) { row = unsafe Self.fold(row, values[index], hash) }
    unsafe state.pointee.sum &+= hash.finish(row)
  }

  static func finish(_ context: OpaquePointer?) {
    let place = unsafe sqlite3_aggregate_context(context, 0)
    let state = unsafe place?.assumingMemoryBound(to: Self.self)
    unsafe sqlite3_result_int64(context, Int64(bitPattern: state?.pointee.sum ?? 0))
  }

  private static func fold(_ row: UInt64, _ value: OpaquePointer?, _ hash: RowHash) -> UInt64 {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: return unsafe hash.fold(integer: sqlite3_value_int64(value), into: row)
    case SQLITE_FLOAT: return unsafe hash.fold(real: sqlite3_value_double(value), into: row)
    case SQLITE_TEXT:
      let start = unsafe sqlite3_value_text(value)
      let count = unsafe Int(sqlite3_value_bytes(value))
      return unsafe hash.fold(text: UnsafeRawPointer(start), count: count, into: row)
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(value)
      let count = unsafe Int(sqlite3_value_bytes(value))
      return unsafe hash.fold(blob: start, count: count, into: row)
    default: return hash.foldNull(into: row)
    }
  }
}

/// The state of `waystone_disorder`: the row before, and the number of misplaced rows so far.
@safe private struct RowOrder {
  private var faults: Int64
  private var isBegun: Bool
  private var count: Int32
  /// The values of the row before, in memory that SQLite gives.
  private var slots: UnsafeMutablePointer<Slot>?

  /// A value of the row before.
  @safe private struct Slot {
    var type: Int32
    var integer: Int64
    var real: Double
    var bytes: UnsafeMutableRawPointer?
    var count: Int
    var capacity: Int
  }

  static func add(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    let place = unsafe sqlite3_aggregate_context(context, Int32(MemoryLayout<Self>.size))
    guard count > 1, let state = unsafe place?.assumingMemoryBound(to: Self.self),
      let values = unsafe values, let form = unsafe sqlite3_value_text(values[0]),
      unsafe sqlite3_value_bytes(values[0]) == count
    else { return unsafe sqlite3_result_error(context, "waystone_disorder lacks a form", -1) }
    let number = Int(count) - 1
    if unsafe state.pointee.slots == nil {
      let size = number * MemoryLayout<Slot>.stride
      guard let memory = unsafe sqlite3_malloc64(UInt64(size)) else {
        return unsafe sqlite3_result_error_nomem(context)
      }
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      unsafe state.pointee.slots = memory.bindMemory(to: Slot.self, capacity: number)
      unsafe state.pointee.count = Int32(number)
    }
    guard let slots = unsafe state.pointee.slots, unsafe Int(state.pointee.count) == number else {
      return unsafe sqlite3_result_error(
        context,
        "waystone_disorder has another number of values",
        -1
      )
    }
    if unsafe state.pointee.isBegun {
      let isRight = unsafe follows(slots, values + 1, number, form)
      if !isRight { unsafe state.pointee.faults += 1 }
    }
    unsafe state.pointee.isBegun = true
    for index in 0..<number {
      guard unsafe keep(values[index + 1], in: &slots[index]) else {
        return unsafe sqlite3_result_error_nomem(context)
      }
    }
  }

  /// Ends an aggregate; SQLite calls it also where the statement failed.
  static func finish(_ context: OpaquePointer?) {
    let place = unsafe sqlite3_aggregate_context(context, 0)
    let state = unsafe place?.assumingMemoryBound(to: Self.self)
    if let slots = unsafe state?.pointee.slots {
      for index in 0..<(unsafe Int(state?.pointee.count ?? 0)) {
        unsafe sqlite3_free(slots[index].bytes)
      }
      unsafe sqlite3_free(slots)
      unsafe state?.pointee.slots = nil
    }
    unsafe sqlite3_result_int64(context, state?.pointee.faults ?? 0)
  }

  /// Returns whether a row follows the one before it.
  private static func follows(
    _ slots: UnsafeMutablePointer<Slot>,
    _ values: UnsafeMutablePointer<OpaquePointer?>,
    _ count: Int,
    _ form: UnsafePointer<UInt8>
  ) -> Bool {
    var hasNull = false
    for index in 0..<count {
      let order = unsafe compare(slots[index], values[index])
      if order == 0 {
        hasNull = unsafe hasNull || slots[index].type == SQLITE_NULL
        continue
      }
      let isUnique = unsafe form[0] == UInt8(ascii: "u")
      // All but the last, which is the row's own number, agree.
      if isUnique, index == count - 1, !hasNull { return false }
      return unsafe form[index + 1] == UInt8(ascii: "-") ? order > 0 : order < 0
    }
    return false
  }

  /// Returns a number below, at or above 0 as the old value is before, at or behind the new one.
  private static func compare(_ slot: Slot, _ value: OpaquePointer?) -> Int {
    let type = unsafe sqlite3_value_type(value)
    let ranks = (rank(slot.type), rank(type))
    guard ranks.0 == ranks.1 else { return ranks.0 - ranks.1 }
    switch ranks.0 {
    case 0: return 0
    case 1: return unsafe compareNumbers(slot, type, value)
    default:
      let start = unsafe bytes(of: value, type)
      let count = unsafe Int(sqlite3_value_bytes(value))
      let common = min(slot.count, count)
      if common > 0, let old = unsafe slot.bytes, let start = unsafe start {
        for offset in 0..<common {
          let one = unsafe old.load(fromByteOffset: offset, as: UInt8.self)
          let other = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
          if one != other { return Int(one) - Int(other) }
        }
      }
      return slot.count - count
    }
  }

  private static func compareNumbers(
    _ slot: Slot,
    _ type: Int32,
    _ value: OpaquePointer?
  ) -> Int {
    func sign<Number: Comparable>(_ one: Number, _ other: Number) -> Int {
      one < other ? -1 : one > other ? 1 : 0
    }
    switch (slot.type == SQLITE_INTEGER, type == SQLITE_INTEGER) {
    case (true, true): return unsafe sign(slot.integer, sqlite3_value_int64(value))
    case (false, false): return unsafe sign(slot.real, sqlite3_value_double(value))
    case (true, false): return unsafe NumberOrder.compare(slot.integer, sqlite3_value_double(value))
    case (false, true): return unsafe -NumberOrder.compare(sqlite3_value_int64(value), slot.real)
    }
  }

  private static func rank(_ type: Int32) -> Int {
    switch type {
    case SQLITE_NULL: 0
    case SQLITE_INTEGER, SQLITE_FLOAT: 1
    case SQLITE_TEXT: 2
    default: 3
    }
  }

  private static func bytes(of value: OpaquePointer?, _ type: Int32) -> UnsafeRawPointer? {
    unsafe type == SQLITE_TEXT
      ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
  }

  /// Remembers a value.
  ///
  /// - Returns: Whether there was memory for it.
  private static func keep(_ value: OpaquePointer?, in slot: inout Slot) -> Bool {
    let type = unsafe sqlite3_value_type(value)
    slot.type = type
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: unsafe slot.integer = sqlite3_value_int64(value)
    case SQLITE_FLOAT: unsafe slot.real = sqlite3_value_double(value)
    default:
      let start = unsafe bytes(of: value, type)
      let count = unsafe Int(sqlite3_value_bytes(value))
      if count > slot.capacity {
        guard let grown = unsafe sqlite3_realloc64(slot.bytes, UInt64(count * 2)) else {
          return false
        }
        unsafe slot.bytes = grown
        slot.capacity = count * 2
      }
      slot.count = count
      if count > 0, let start = unsafe start {
        unsafe slot.bytes?.copyMemory(from: start, byteCount: count)
      }
    }
    return true
  }
}
