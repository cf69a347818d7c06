/// The limits of reading, which keep memory, time and stack bounded for every input.
package enum SourceLimits {
  /// The size of a file in bytes; the largest model file seen in a public app has 60 KB.
  package static let fileSize = 512 << 10
  /// The number of files.
  package static let fileCount = 20_000
  /// The size of all files in bytes.
  package static let totalSize = 256 << 20
  /// The threads that parse, each with a tree of its own in memory.
  static let threads = 4
  /// The stack of each; the pages that are not used take no memory.
  static let stackSize = 256 << 20
}
