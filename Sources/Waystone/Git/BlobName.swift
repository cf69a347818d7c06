internal import ObjectModel

/// The name that git gives to the content of a file, without any conversion: the hash of a header and
/// its bytes, SHA-256 in a repository of that format, else SHA-1 (FIPS 180-4).
enum BlobName {
  /// Returns the name of some bytes, in the format of another name.
  static func name(of bytes: [UInt8], like other: String) -> String {
    let blob = Array("blob \(bytes.count)\0".utf8) + bytes
    let hash = other.utf8.count == 64 ? SHA256.hash(blob) : sha1(blob)
    return hash.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  private static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    var words = [UInt32](repeating: 0, count: 80)
    let whole = bytes.count / 64 * 64
    var last = Array(bytes[whole...]) + [0x80]
    last += [UInt8](repeating: 0, count: (120 - last.count % 64) % 64)
    let bitCount = UInt64(bytes.count) &* 8
    last += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }
    for start in stride(from: 0, to: whole, by: 64) { add(bytes, start, &state, &words) }
    for start in stride(from: 0, to: last.count, by: 64) { add(last, start, &state, &words) }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
    }
  }

  private static func add(
    _ bytes: [UInt8],
    _ start: Int,
    _ state: inout [UInt32],
    _ words: inout [UInt32]
  ) {
    func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
    for index in 0..<16 {
      let place = start + 4 * index
      words[index] =
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
        | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
    }
    for index in 16..<80 {
      words[index] = rotated(
        words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16],
        1
      )
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mixed, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[index]
      (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }
}
