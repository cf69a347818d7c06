#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A reader of lines from a descriptor, which stays its owner's.
struct LineReader {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The number of the buffer's bytes that are known to contain no end of a line.
  private var searched = 0
  private var hasEnded = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next line without its end; nil where there is no more, or reading fails.
  mutating func next() -> [UInt8]? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        return line
      }
      searched = buffer.count
      guard !hasEnded else { return nil }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count > 0 {
        buffer += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        hasEnded = true
      }
    }
  }
}
