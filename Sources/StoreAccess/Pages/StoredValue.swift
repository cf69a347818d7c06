/// A value of a record, where it stands.
@safe struct StoredValue {
  /// The kinds in SQLite's order, but that numbers stand among each other.
  enum Kind: Int {
    case null, integer, real, text, blob
  }

  let kind: Kind
  /// The integer, or the bits of the real number.
  let integer: Int64
  let bytes: UnsafeRawPointer
  let count: Int

  private var real: Double { Double(bitPattern: UInt64(bitPattern: integer)) }

  /// Adds the value to the number of its row, as `waystone_digest` does.
  @inline(__always)
  func fold(into row: UInt64) -> UInt64 {
    switch kind {
    case .null: return RowHash.foldNull(into: row)
    case .integer: return RowHash.fold(integer: integer, into: row)
    case .real: return RowHash.fold(real: real, into: row)
    case .text: return unsafe RowHash.fold(text: bytes, count: count, into: row)
    case .blob: return unsafe RowHash.fold(blob: bytes, count: count, into: row)
    }
  }

  /// Below, at or above 0 as the value stands before, at or behind another in an index that compares
  /// text byte by byte.
  @inline(__always)
  func compare(_ other: StoredValue) -> Int {
    if kind == .integer, other.kind == .integer {
      return integer < other.integer ? -1 : integer > other.integer ? 1 : 0
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
    case (.real, _): return real < other.real ? -1 : real > other.real ? 1 : 0
    default:
      let common = min(count, other.count)
      for offset in 0..<common {
        let one = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
        let second = unsafe other.bytes.load(fromByteOffset: offset, as: UInt8.self)
        if one != second { return Int(one) - Int(second) }
      }
      return count - other.count
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
