/// The checksum of ISO 3309 and zlib, which detects a torn journal line.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xedb8_8320
    }
  }

  /// Returns the checksum of some bytes.
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { value, byte in table[Int((value ^ UInt32(byte)) & 255)] ^ value >> 8 }
  }
}
