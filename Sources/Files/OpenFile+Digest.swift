extension OpenFile {
  /// A digest of all bytes of the file, by which damage is noticed.
  ///
  /// Bytes that differ have another, but for one chance in 2^64. It is not made to withstand somebody
  /// who wants two files to have the same.
  ///
  /// - Throws: ``FileError``.
  /// - Complexity: A pass over the file; far faster than a disk reads.
  package borrowing func digest() throws(FileError) -> UInt64 {
    var digest: UInt64 = 0x9e37_79b9_7f4a_7c15
    var offset: Int64 = 0
    while true {
      let bytes = try read(count: 1 << 20, at: offset)
      guard !bytes.isEmpty else { return digest }
      digest = Self.fold(digest, bytes)
      offset += Int64(bytes.count)
    }
  }

  private static func fold(_ start: UInt64, _ bytes: [UInt8]) -> UInt64 {
    var digest = start
    unsafe bytes.withUnsafeBytes { buffer in
      var index = 0
      while index + 8 <= buffer.count {
        let word = unsafe buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        digest = fold(digest, word)
        index += 8
      }
      while index < buffer.count {
        digest = unsafe fold(digest, UInt64(buffer[index]))
        index += 1
      }
    }
    return fold(digest, UInt64(bytes.count))
  }

  private static func fold(_ digest: UInt64, _ word: UInt64) -> UInt64 {
    let product = (digest ^ 0xa076_1d64_78bd_642f).multipliedFullWidth(
      by: word ^ 0xe703_7ed1_a0b4_28db
    )
    return product.high ^ product.low
  }
}
