/// A 64-bit digest of bytes that detects damage.
///
/// Different bytes have different digests, but for one chance in 2^64. It is not collision-resistant
/// against an attacker.
package struct ByteDigest: Hashable, Sendable {
  /// The number of all that was added.
  package private(set) var value: UInt64

  /// The digest of nothing.
  ///
  /// - Parameter seed: A number that distinguishes equal bytes of different meaning.
  package init(seed: UInt64 = 0x9e37_79b9_7f4a_7c15) { value = seed }

  /// Adds bytes, and how many they are.
  package mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }

  /// Adds bytes, and how many they are.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var digest = value
    var index = 0
    if bytes.count >= 32 {
      // Four at once: none waits for the multiplication of another.
      var (first, second, third, fourth) = (digest, digest &+ 1, digest &+ 2, digest &+ 3)
      while index + 32 <= bytes.count {
        unsafe first = Self.fold(first, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        unsafe second = Self.fold(
          second,
          bytes.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
        )
        unsafe third = Self.fold(
          third,
          bytes.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self)
        )
        unsafe fourth = Self.fold(
          fourth,
          bytes.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self)
        )
        index += 32
      }
      digest = Self.fold(Self.fold(Self.fold(first, second), third), fourth)
    }
    while index + 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      digest = Self.fold(digest, word)
      index += 8
    }
    while index < bytes.count {
      digest = unsafe Self.fold(digest, UInt64(bytes[index]))
      index += 1
    }
    value = Self.fold(digest, UInt64(bytes.count))
  }

  private static func fold(_ digest: UInt64, _ word: UInt64) -> UInt64 {
    let product = (digest ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(
      by: word ^ 0xe703_7ed1_a0b4_28db
    )
    // Where a word makes a factor 0, what came before it still counts.
    return product.high ^ product.low ^ digest
  }
}
