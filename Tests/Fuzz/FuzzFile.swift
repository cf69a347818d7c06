#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A reader and writer of whole files, with the C library's functions.
enum FuzzFile {
  /// Returns the file's bytes; nil where it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Writes the file, or ends the process, since a seed or finding must not be lost unseen.
  static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written.") }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { fatalError("\(path) is incomplete.") }
  }
}
