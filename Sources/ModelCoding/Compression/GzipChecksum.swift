import CZlib

/// A check that gzip data is whole: each part's checksum and length are those of its contents (RFC 1952).
package enum GzipChecksum {
  private static let chunkSize = 256 << 10

  /// Returns whether a stream, read to its end, is whole.
  ///
  /// Parts may follow each other, with zeros behind the last, as on tapes.
  /// - Parameters:
  ///   - read: Fills the bytes with the next ones, and returns their number; 0 at the end.
  ///   - check: Receives the number of bytes decompressed so far.
  /// - Throws: The errors of the closures.
  /// - Complexity: O(*n*) in the decompressed bytes, in constant memory.
  package static func holds(
    reading read: (inout [UInt8]) throws -> Int,
    check: (Int64) throws -> Void
  ) throws -> Bool {
    var stream = unsafe z_stream()
    guard unsafe waystone_gzip_inflate_init(&stream) == Z_OK else { return false }
    defer { unsafe inflateEnd(&stream) }
    var source = [UInt8](repeating: 0, count: chunkSize)
    var output = source
    var total: Int64 = 0
    // Whether a part is at its end, and the next one may begin.
    var isBetween = false
    while true {
      var count = try read(&source)
      if count == 0 { return isBetween }
      while count > 0 {
        if isBetween {
          let end = source[..<count].firstIndex { $0 != 0 } ?? count
          source.replaceSubrange(..<(count - end), with: source[end..<count])
          count -= end
          if count == 0 { break }
          guard unsafe inflateReset(&stream) == Z_OK else { return false }
          isBetween = false
        }
        let (status, left, made) = unsafe step(&stream, &source, count, &output)
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
          return false
        }
        total += Int64(made)
        try check(total)
        isBetween = status == Z_STREAM_END
        if left == count, made == 0, !isBetween { return false }
        source.replaceSubrange(..<left, with: source[(count - left)..<count])
        count = left
      }
    }
  }

  /// Decompresses a piece of the source, perhaps not all of it.
  @unsafe private static func step(
    _ stream: inout z_stream,
    _ source: inout [UInt8],
    _ count: Int,
    _ output: inout [UInt8]
  ) -> (status: Int32, left: Int, made: Int) {
    unsafe source.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(clamping: count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(clamping: output.count)
        let status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        return unsafe (status, Int(stream.avail_in), output.count - Int(stream.avail_out))
      }
    }
  }
}
