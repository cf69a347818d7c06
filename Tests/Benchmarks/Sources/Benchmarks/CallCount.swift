#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The calls of a process to the system and to SQLite, as `Calls/calls.c` counts them on Linux.
struct CallCount {
  /// Statements that were prepared.
  var statements: Int
  /// Calls of `pread`, which is how SQLite reads pages.
  var reads: Int
  /// The bytes that these returned.
  var readBytes: Int
  /// Calls of `fsync` and `fdatasync`.
  var syncs: Int
  /// Calls of `malloc`, `calloc` and `realloc`.
  var allocations: Int

  /// Runs a program to its end and counts; it takes longer then, so that it is not timed.
  ///
  /// - Parameter library: The library of `Calls/calls.c`.
  /// - Throws: ``BenchmarkError`` where the program fails.
  static func running(
    _ program: String,
    _ arguments: [String],
    library: String,
    folder: String
  ) throws -> CallCount {
    let path = "\(folder)/calls.bin"
    try Data(count: 4096).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try Measurement.running(
      program,
      arguments,
      environment: ["LD_PRELOAD=\(library)", "WAYSTONE_CALLS=\(path)"],
      printing: false
    )
    guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else {
      throw BenchmarkError("\(path) cannot be read")
    }
    let numbers = data.withUnsafeBytes { bytes in
      (0..<5).map { Int(bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)) }
    }
    return CallCount(
      statements: numbers[0],
      reads: numbers[1],
      readBytes: numbers[2],
      syncs: numbers[3],
      allocations: numbers[4]
    )
  }
}
