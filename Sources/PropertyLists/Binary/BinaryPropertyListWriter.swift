/// A writer that lays a property list out as Apple's CFBinaryPList.c does.
///
/// Objects are in depth-first order from the root (a dictionary's keys, then its values), equal scalars
/// are stored once, offsets and references take the fewest bytes that suffice. Unlike Apple's,
/// dictionaries are in ascending byte order of their keys, so that equal values give equal bytes.
struct BinaryPropertyListWriter {
  /// The identity of a scalar, by which equal ones become one object: type and bytes.
  ///
  /// `String` equality would not do, because it holds for differently composed text.
  private struct Scalar: Hashable {
    let type: UInt8
    let bytes: [UInt8]
  }

  private enum Slot {
    case scalar([UInt8])
    case container(marker: UInt8, count: Int, references: [Int])
  }

  private var slots: [Slot] = []
  private var scalars: [Scalar: Int] = [:]

  static func bytes(of value: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(value)
    return writer.layout()
  }

  private mutating func add(_ value: PropertyList) -> Int {
    switch value {
    case .array(let items):
      return addContainer(0xa0, items.count) { writer in items.map { writer.add($0) } }
    case .set(let items):
      let sorted = items.map { ($0, Self.order(of: $0)) }.sorted {
        $0.1.lexicographicallyPrecedes($1.1)
      }
      return addContainer(0xc0, items.count) { writer in sorted.map { writer.add($0.0) } }
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return addContainer(0xd0, entries.count) { writer in
        let keys = sorted.map { writer.add(.string($0.key)) }
        return keys + sorted.map { writer.add($0.value) }
      }
    case .uid(let number):
      // Each reference is an object of its own, as the archiver's are: it is not a scalar there.
      let size = Self.size(of: number)
      return append(.scalar([0x80 | UInt8(size - 1)] + Self.bigEndian(number, size: size)))
    default:
      return addScalar(Self.encoded(value))
    }
  }

  private mutating func append(_ slot: Slot) -> Int {
    slots.append(slot)
    return slots.count - 1
  }

  private mutating func addScalar(_ bytes: [UInt8]) -> Int {
    let scalar = Scalar(type: bytes.first ?? 0, bytes: bytes)
    if let known = scalars[scalar] { return known }
    let index = append(.scalar(bytes))
    scalars[scalar] = index
    return index
  }

  private mutating func addContainer(
    _ marker: UInt8,
    _ count: Int,
    children: (inout Self) -> [Int]
  ) -> Int {
    let index = append(.container(marker: marker, count: count, references: []))
    let references = children(&self)
    slots[index] = .container(marker: marker, count: count, references: references)
    return index
  }

  private func layout() -> [UInt8] {
    let referenceSize = Self.size(of: UInt64(slots.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt64] = []
    for slot in slots {
      offsets.append(UInt64(bytes.count))
      switch slot {
      case .scalar(let encoded): bytes += encoded
      case .container(let marker, let count, let references):
        bytes += Self.header(marker, count: count)
        for reference in references {
          bytes += Self.bigEndian(UInt64(reference), size: referenceSize)
        }
      }
    }
    let table = UInt64(bytes.count)
    let offsetSize = Self.size(of: table)
    for offset in offsets { bytes += Self.bigEndian(offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    bytes += Self.bigEndian(UInt64(slots.count), size: 8)
    bytes += Self.bigEndian(0, size: 8)
    bytes += Self.bigEndian(table, size: 8)
    return bytes
  }

  private static func encoded(_ value: PropertyList) -> [UInt8] {
    switch value {
    case .boolean(let flag): return [flag ? 0x09 : 0x08]
    case .integer(let number):
      // Negative numbers take 8 bytes: the shorter forms have no sign.
      let size = number < 0 ? 8 : size(of: UInt64(number))
      return [0x10 | UInt8(size.trailingZeroBitCount)]
        + bigEndian(UInt64(bitPattern: number), size: size)
    case .unsigned(let number):
      return number <= Int64.max
        ? encoded(.integer(Int64(number)))
        : [0x14] + bigEndian(0, size: 8) + bigEndian(number, size: 8)
    case .real(let number): return [0x23] + bigEndian(number.bitPattern, size: 8)
    case .date(let seconds): return [0x33] + bigEndian(seconds.bitPattern, size: 8)
    case .data(let data): return header(0x40, count: data.count) + data
    case .string(let text):
      let bytes = Array(text.utf8)
      guard bytes.contains(where: { $0 >= 0x80 }) else {
        return header(0x50, count: bytes.count) + bytes
      }
      let units = Array(text.utf16)
      return units.reduce(into: header(0x60, count: units.count)) { result, unit in
        result.append(UInt8(unit >> 8))
        result.append(UInt8(unit & 0xff))
      }
    case .null, .array, .set, .dictionary, .uid: return [0x00]
    }
  }

  /// Returns bytes that differ for different values, by which a set's elements are put in order.
  ///
  /// Not the binary form, whose sets would have to be ordered again at each level.
  private static func order(of value: PropertyList) -> [UInt8] {
    switch value {
    case .array(let items):
      return items.reduce(into: header(0xa0, count: items.count)) { $0 += order(of: $1) }
    case .set(let items):
      let sorted = items.map { order(of: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
      return header(0xc0, count: items.count) + sorted.joined()
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return sorted.reduce(into: header(0xd0, count: entries.count)) {
        $0 += encoded(.string($1.key)) + order(of: $1.value)
      }
    case .uid(let number): return [0x87] + bigEndian(number, size: 8)
    default: return encoded(value)
    }
  }

  private static func header(_ marker: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0f] + encoded(.integer(Int64(count)))
  }

  /// Returns the fewest bytes, of 1, 2, 4 and 8, that hold the number.
  private static func size(of number: UInt64) -> Int {
    switch number {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }

  private static func bigEndian(_ number: UInt64, size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var shift = UInt64(8 * size)
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: number &>> shift))
    }
    return bytes
  }
}
