import CZlib

/// The compression of `Z_MODELCACHE`: a DEFLATE stream (RFC 1951) without header or checksum.
package enum RawDeflate {
  private static let chunkSize = 1 << 16

  /// Returns the bytes that the stream holds.
  ///
  /// - Parameter maximumSize: The size in bytes above which a stream is refused.
  /// - Throws: `ModelCodingError` where the stream is damaged, goes on after its end, or is larger.
  /// - Complexity: O(n) in the size of the result, which bounds the memory too.
  package static func inflate(
    _ bytes: [UInt8],
    maximumSize: Int
  ) throws(ModelCodingError) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe waystone_raw_inflate_init(&stream) == Z_OK else { throw outOfMemory }
    defer { unsafe inflateEnd(&stream) }
    var source = bytes
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    var status = Z_OK
    var left = UInt32(clamping: source.count)
    while status == Z_OK {
      let used = source.count - Int(left)
      let (code, rest, produced) = unsafe source.withUnsafeMutableBufferPointer { input in
        unsafe chunk.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_in = input.baseAddress?.advanced(by: used)
          unsafe stream.avail_in = left
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = UInt32(clamping: output.count)
          let code = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
          return unsafe (code, stream.avail_in, output.count - Int(stream.avail_out))
        }
      }
      status = code
      left = rest
      guard result.count + produced <= maximumSize else {
        throw ModelCodingError(
          .tooLarge,
          "The compressed model holds more than \(maximumSize) bytes.",
          recovery: "No real model is that large: take the file from a backup."
        )
      }
      result += chunk[..<produced]
    }
    guard status == Z_STREAM_END, left == 0 else {
      throw ModelCodingError(
        .damagedCompression,
        "The compressed model of \(bytes.count) bytes is damaged near byte"
          + " \(source.count - Int(left)).",
        recovery: "Take the file from a backup, or import the model from the app's sources."
      )
    }
    return result
  }

  /// Returns the bytes as a stream that ``inflate(_:maximumSize:)`` undoes.
  ///
  /// - Throws: `ModelCodingError` where memory ends.
  package static func deflate(_ bytes: [UInt8]) throws(ModelCodingError) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe waystone_raw_deflate_init(&stream, Z_DEFAULT_COMPRESSION) == Z_OK else {
      throw outOfMemory
    }
    defer { unsafe deflateEnd(&stream) }
    var source = bytes
    let bound = unsafe deflateBound(&stream, UInt(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(clamping: bound))
    let (status, produced) = unsafe source.withUnsafeMutableBufferPointer { input in
      unsafe result.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(clamping: input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(clamping: output.count)
        let status = unsafe CZlib.deflate(&stream, Z_FINISH)
        return unsafe (status, output.count - Int(stream.avail_out))
      }
    }
    guard status == Z_STREAM_END else { throw outOfMemory }
    return Array(result[..<produced])
  }

  private static var outOfMemory: ModelCodingError {
    ModelCodingError(
      .tooLarge,
      "There is not enough memory to compress or expand a model.",
      recovery: "Close other programs and try again."
    )
  }
}
