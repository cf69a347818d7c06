extension OpenFile {
  /// The ``ByteDigest`` of all bytes of the file.
  ///
  /// - Throws: ``FileError``.
  /// - Complexity: A pass over the file; far faster than a disk reads.
  package borrowing func digest() throws(FileError) -> UInt64 {
    var digest = ByteDigest()
    var offset: Int64 = 0
    while true {
      let bytes = try read(count: 1 << 20, at: offset)
      guard !bytes.isEmpty else { return digest.value }
      digest.add(bytes)
      offset += Int64(bytes.count)
    }
  }
}
