import ObjectModel
import StoreAccess

/// A source of numbers that look random and depend on nothing but a seed, a purpose and an index.
///
/// As each is computed for itself, both ends of a relationship can compute the same link, and no
/// row has to be remembered. The mixing function is SplitMix64's.
struct SeededNumbers: Hashable, Sendable {
  private let start: UInt64

  /// The numbers for a purpose, such as an entity's and a property's name.
  init(seed: UInt64, _ purpose: String...) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in purpose.joined(separator: "\0").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    start = Self.mixed(seed ^ hash)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value &+ 0x9e37_79b9_7f4a_7c15
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// The number at an index.
  subscript(index: Int) -> UInt64 {
    Self.mixed(start &+ UInt64(bitPattern: Int64(index)) &* 0x9e37_79b9_7f4a_7c15)
  }

  /// Returns a UUID of version 4 in RFC 4122's order.
  func uuid(_ index: Int) -> [UInt8] {
    let words = [self[index &* 2], self[index &* 2 &+ 1]]
    var bytes = words.flatMap { word in
      stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }

  /// Returns a UUID as uppercase text, as `Z_UUID` has it.
  func uuidText(_ index: Int) -> String {
    var text = ""
    for (position, byte) in uuid(index).enumerated() {
      if [4, 6, 8, 10].contains(position) { text += "-" }
      text += Hexadecimal.string([byte])
    }
    return text.uppercased()
  }
}
