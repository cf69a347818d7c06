/// A hash of a row that depends in each bit on every value, on their order and on a key that is random
/// in each process, so that an attacker cannot make two rows of equal hashes.
///
/// Numbers are equal as by SQLite's `IS`; text and blobs are compared byte by byte.
///
/// Code that folds many rows keeps the instance: a global is looked up under a lock each time.
struct RowHash: Sendable {
  /// The one of this process.
  static let shared = RowHash()

  /// The number with which each row begins.
  let key = UInt64.random(in: 1 ... .max)

  /// The secret that values are mixed with; a value chosen to cancel it would erase a row.
  private let mask = UInt64.random(in: 1 ... .max)

  private init() {}

  /// Returns a number that depends in each bit on two others.
  @inline(__always)
  private func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = (one ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(by: other ^ mask)
    // Where a factor is 0, the row is still what it was.
    return product.high ^ product.low ^ one
  }

  // Each is added to the number of the row, so that kinds differ.
  private static let integerKind: UInt64 = 0x2545_f491_4f6c_dd1d
  private static let realKind: UInt64 = 0xda94_2042_e4dd_58b5
  private static let textKind: UInt64 = 0x6c62_272e_07bb_0142
  private static let blobKind: UInt64 = 0xb492_b66f_be98_f273
  private static let nullKind: UInt64 = 0x8f51_4b7e_33d6_02c9

  @inline(__always)
  func foldNull(into row: UInt64) -> UInt64 { fold(row &+ Self.nullKind, 0) }

  @inline(__always)
  func fold(integer: Int64, into row: UInt64) -> UInt64 {
    fold(row &+ Self.integerKind, UInt64(bitPattern: integer))
  }

  @inline(__always)
  func fold(real: Double, into row: UInt64) -> UInt64 {
    // 1 and 1.0 are the same to SQLite.
    if real >= -0x1p63, real < 0x1p63 {
      let integer = Int64(real)
      if Double(integer) == real { return fold(integer: integer, into: row) }
    }
    return fold(row &+ Self.realKind, real.bitPattern)
  }

  func fold(text start: UnsafeRawPointer?, count: Int, into row: UInt64) -> UInt64 {
    unsafe fold(row &+ Self.textKind, bytes: start, count: count)
  }

  func fold(blob start: UnsafeRawPointer?, count: Int, into row: UInt64) -> UInt64 {
    unsafe fold(row &+ Self.blobKind, bytes: start, count: count)
  }

  /// Returns the number of a whole row, as a term of the sum of all.
  @inline(__always)
  func finish(_ row: UInt64) -> UInt64 { fold(row, 0x9e37_79b9_7f4a_7c15) }

  private func fold(
    _ row: UInt64,
    bytes: UnsafeRawPointer?,
    count: Int
  ) -> UInt64 {
    var row = fold(row, UInt64(count))
    guard let bytes = unsafe bytes else { return row }
    var offset = 0
    while offset + 8 <= count {
      row = fold(row, unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    guard offset < count else { return row }
    var last: UInt64 = 0
    while offset < count {
      last = last << 8 | UInt64(unsafe bytes.load(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return fold(row, last)
  }
}

/// The order of an integer and a real number in SQLite.
enum NumberOrder {
  /// Returns a number below, at or above 0 as the integer is less, equal or greater; no digit of it is
  /// lost.
  static func compare(_ integer: Int64, _ real: Double) -> Int {
    if real < -0x1p63 { return 1 }
    if real >= 0x1p63 { return -1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }
}
