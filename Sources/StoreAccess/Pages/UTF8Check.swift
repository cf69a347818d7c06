/// A check that bytes are text in UTF-8, as the Unicode standard defines it (table 3-7).
package enum UTF8Check {
  /// Returns whether bytes are such text.
  @unsafe package static func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    return unsafe holds(start, count: bytes.count)
  }

  @inline(__always)
  static func holds(_ bytes: UnsafeRawPointer, count: Int) -> Bool {
    var place = 0
    while place + 32 <= count {
      let words = unsafe (bytes + place).loadUnaligned(as: SIMD4<UInt64>.self)
      guard (words.x | words.y | words.z | words.w) & highBits == 0 else { break }
      place += 32
    }
    while place < count {
      if place + 8 <= count,
        unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & highBits == 0
      {
        place += 8
        continue
      }
      let first = unsafe bytes.load(fromByteOffset: place, as: UInt8.self)
      if first < 0x80 {
        place += 1
        continue
      }
      let length = unsafe sequence(bytes + place, first, count: count - place)
      if length == 0 { return false }
      place += length
    }
    return true
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns the bytes of a character that is not ASCII; 0 where they are none.
  @inline(__always)
  private static func sequence(
    _ bytes: UnsafeRawPointer,
    _ first: UInt8,
    count: Int
  ) -> Int {
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, count >= length else { return 0 }
    let second = unsafe bytes.load(fromByteOffset: 1, as: UInt8.self)
    let (least, greatest): (UInt8, UInt8) =
      switch first {
      case 0xE0: (0xA0, 0xBF)
      case 0xED: (0x80, 0x9F)
      case 0xF0: (0x90, 0xBF)
      case 0xF4: (0x80, 0x8F)
      default: (0x80, 0xBF)
      }
    guard second >= least, second <= greatest else { return 0 }
    for offset in 2..<max(2, length)
    where unsafe bytes.load(fromByteOffset: offset, as: UInt8.self) & 0xC0 != 0x80 { return 0 }
    return length
  }
}
