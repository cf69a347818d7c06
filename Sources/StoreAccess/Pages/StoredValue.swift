#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A value of a record, in place.
@safe struct StoredValue {
  /// The kinds in SQLite's order, except that numbers of both kinds are ordered by value.
  enum Kind: Int {
    case null, integer, real, text, blob
  }

  let kind: Kind
  /// The integer, or the bits of the real number.
  let integer: Int64
  let bytes: UnsafeRawPointer
  let count: Int

  /// Returns the same value, whose bytes are so much further on in memory.
  func moved(by distance: Int) -> StoredValue {
    unsafe StoredValue(kind: kind, integer: integer, bytes: bytes + distance, count: count)
  }

  private var real: Double { Double(bitPattern: UInt64(bitPattern: integer)) }

  /// Adds the value to the number of its row, as `waystone_digest` does.
  @inline(__always)
  func fold(into row: UInt64, _ hash: RowHash) -> UInt64 {
    switch kind {
    case .null: return hash.foldNull(into: row)
    case .integer: return hash.fold(integer: integer, into: row)
    case .real: return hash.fold(real: real, into: row)
    case .text: return unsafe hash.fold(text: bytes, count: count, into: row)
    case .blob: return unsafe hash.fold(blob: bytes, count: count, into: row)
    }
  }

  /// Returns a number below, at or above 0 as the value is before, equal to or behind another in an index
  /// that compares text byte by byte.
  @inline(__always)
  func compare(_ other: StoredValue) -> Int {
    if kind == .integer, other.kind == .integer {
      return integer < other.integer ? -1 : integer > other.integer ? 1 : 0
    }
    if kind == .real, other.kind == .real {
      return real < other.real ? -1 : real > other.real ? 1 : 0
    }
    return compareOthers(other)
  }

  private func compareOthers(_ other: StoredValue) -> Int {
    let ranks = (rank, other.rank)
    guard ranks.0 == ranks.1 else { return ranks.0 - ranks.1 }
    switch (kind, other.kind) {
    case (.null, _): return 0
    case (.integer, .real): return NumberOrder.compare(integer, other.real)
    case (.real, .integer): return -NumberOrder.compare(other.integer, real)
    default:
      let order = unsafe memcmp(bytes, other.bytes, min(count, other.count))
      return order == 0 ? count - other.count : Int(order)
    }
  }

  private var rank: Int {
    switch kind {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
