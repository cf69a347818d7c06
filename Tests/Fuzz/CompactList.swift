import PropertyLists

/// A writer of binary property lists that shares all objects that can be shared.
///
/// The package's writer is no help here: it shares neither references nor containers, and so cannot
/// make a small file that expands to a large value.
struct CompactList {
  private var objects: [[UInt8]] = []
  private var known: [PropertyList: Int] = [:]

  /// Adds a container, marked 0xa0 (array) or 0xc0 (set), of objects that were added before; returns its
  /// index.
  mutating func container(_ items: [Int], marker: UInt8 = 0xa0) -> Int {
    objects.append(Self.header(marker, items.count) + items.flatMap(Self.reference))
    return objects.count - 1
  }

  /// Adds an object in encoded form, and returns its index.
  mutating func raw(_ bytes: [UInt8]) -> Int {
    objects.append(bytes)
    return objects.count - 1
  }

  /// Adds a value, and returns its index.
  mutating func add(_ value: PropertyList) -> Int {
    switch value {
    case .array(let items): return container(items.map { add($0) })
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key < $1.key }
      let items = sorted.map { add(.string($0.key)) } + sorted.map { add($0.value) }
      return raw(Self.header(0xd0, sorted.count) + items.flatMap(Self.reference))
    case .integer(let number):
      return shared(
        value,
        [0x13] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
      )
    case .uid(let number): return shared(value, [0x82] + Self.reference(Int(number)))
    case .boolean(let flag): return shared(value, [flag ? 0x09 : 0x08])
    case .string(let text):
      return shared(value, Self.header(0x50, text.utf8.count) + Array(text.utf8))
    default: return shared(value, [0x00])
    }
  }

  /// Returns the file's bytes, with one of the objects as its root.
  func bytes(top: Int) -> [UInt8] {
    var result = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += Self.reference(result.count)
      result += object
    }
    let start = result.count
    result += table + [0, 0, 0, 0, 0, 0, 3, 3]
    for number in [objects.count, top, start] {
      result += [0, 0, 0, 0, 0] + Self.reference(number)
    }
    return result
  }

  private mutating func shared(_ value: PropertyList, _ bytes: [UInt8]) -> Int {
    if let index = known[value] { return index }
    known[value] = raw(bytes)
    return objects.count - 1
  }

  private static func header(_ marker: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [marker | UInt8(count)] : [marker | 0x0f, 0x12, 0] + reference(count)
  }

  private static func reference(_ number: Int) -> [UInt8] {
    [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
