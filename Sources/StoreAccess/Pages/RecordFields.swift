/// The types and offsets of a record's values, in memory that is used again for each record.
@safe struct RecordFields: ~Copyable {
  /// The serial type of each value (sqlite.org/fileformat2.html#record_format).
  private(set) var types: UnsafeMutablePointer<UInt64>
  /// The offset of each value in the payload.
  private(set) var offsets: UnsafeMutablePointer<Int>
  /// The number of values.
  private(set) var count = 0
  private let capacity: Int

  /// Room for so many values.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe types = .allocate(capacity: max(1, capacity))
    unsafe offsets = .allocate(capacity: max(1, capacity))
  }

  deinit {
    unsafe types.deallocate()
    unsafe offsets.deallocate()
  }

  /// Reads the header of a record.
  ///
  /// - Parameters:
  ///   - local: The bytes of the payload that are at `payload`.
  ///   - total: The bytes of the payload.
  /// - Throws: ``Unproven`` where it is not in the local part, has more values than there is room for,
  ///   or does not describe all of the payload.
  @inline(__always)
  mutating func read(_ payload: UnsafeRawPointer, local: Int, total: Int) throws(Unproven) {
    var place = 0
    let size = try unsafe BigEndian.variable(payload, &place, local)
    guard size <= UInt64(local) else { throw Unproven() }
    let end = Int(size)
    var body = end
    var number = 0
    while place < end {
      let type = try unsafe BigEndian.variable(payload, &place, end)
      guard number < capacity, type < 0x1_0000_0000 else { throw Unproven() }
      unsafe types[number] = type
      unsafe offsets[number] = body
      body += try Self.size(of: type)
      number += 1
    }
    guard body == total else { throw Unproven() }
    count = number
  }

  /// Returns the bytes of a value.
  @inline(__always)
  static func size(of type: UInt64) throws(Unproven) -> Int {
    if type >= 12 { return Int((type - 12) / 2) }
    switch type {
    case 0, 8, 9: return 0
    case 1, 2, 3, 4: return Int(type)
    case 5: return 6
    case 6, 7: return 8
    default: throw Unproven()
    }
  }

  /// Returns the offset of a value's end in the payload.
  @inline(__always)
  func end(of field: Int) throws(Unproven) -> Int {
    try unsafe offsets[field] + Self.size(of: types[field])
  }

  /// Returns whether a text is in the local part of its payload, and is UTF-8.
  @inline(__always)
  func isPlainText(
    _ field: Int,
    _ payload: UnsafeRawPointer,
    local: Int
  ) throws(Unproven) -> Bool {
    let end = try end(of: field)
    guard end <= local else { return false }
    return unsafe UTF8Check.holds(payload + offsets[field], count: end - offsets[field])
  }

  /// Returns a value of a payload that is whole in memory.
  @inline(__always)
  func value(_ field: Int, _ payload: UnsafeRawPointer) throws(Unproven) -> StoredValue {
    let type = unsafe types[field]
    let start = unsafe payload + offsets[field]
    switch type {
    case 0: return unsafe StoredValue(kind: .null, integer: 0, bytes: start, count: 0)
    case 8, 9:
      return unsafe StoredValue(kind: .integer, integer: Int64(type - 8), bytes: start, count: 0)
    case 7:
      let bits = unsafe BigEndian.integer(start, count: 8)
      // A NaN is NULL to SQLite.
      let isNumber = !Double(bitPattern: UInt64(bitPattern: bits)).isNaN
      return unsafe StoredValue(
        kind: isNumber ? .real : .null,
        integer: bits,
        bytes: start,
        count: 0
      )
    case 1...6:
      let count = try Self.size(of: type)
      let number = unsafe BigEndian.integer(start, count: count)
      return unsafe StoredValue(kind: .integer, integer: number, bytes: start, count: 0)
    default:
      return unsafe StoredValue(
        kind: type & 1 == 1 ? .text : .blob,
        integer: 0,
        bytes: start,
        count: try Self.size(of: type)
      )
    }
  }
}
