#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures what a command costs before it does anything: `--version`, and `inspect` of a large
/// store.
struct StartBenchmark {
  let waystone: String
  let folder: String
  let runs: Int
  /// Whether a store of 1 GB is made and inspected too.
  let isLarge: Bool

  /// The most seconds of wall time.
  static let versionLimit = 0.010
  static let inspectLimit = 0.060
  /// The notes of a store of 1 GB, as `ModelText` has them.
  static let rows = 2_600_000

  /// Measures and prints the table.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    var table = AlignedTable([["start", "wall ms", "CPU ms", "limit ms", ""]])
    var isWithinLimits = try add("--version", ["--version"], Self.versionLimit, to: &table)
    if isLarge {
      let store = try PolicyHop(program: "", waystone: waystone, folder: folder)
        .makeStore(rows: Self.rows)
      defer { try? FileManager.default.removeItem(atPath: store) }
      let arguments = ["inspect", store, "--models", "\(folder)/policy.xcdatamodeld"]
      isWithinLimits =
        try add("inspect, 1 GB", arguments, Self.inspectLimit, to: &table) && isWithinLimits
    }
    print("\nmedians of \(max(runs, 5)) runs\n")
    print(table.text(leadingColumns: [0, 4]))
    return isWithinLimits
  }

  private func add(
    _ name: String,
    _ arguments: [String],
    _ limit: Double,
    to table: inout AlignedTable
  ) throws -> Bool {
    let measured = try (0..<max(runs, 5)).map { _ in
      try Measurement.running(waystone, arguments, printing: false)
    }
    let wall = ResultTable.median(measured.map(\.wall))
    table.append([
      name, ResultTable.text(wall * 1000),
      ResultTable.text(ResultTable.median(measured.map(\.processor)) * 1000),
      ResultTable.text(limit * 1000), wall <= limit ? "ok" : "OVER",
    ])
    return wall <= limit
  }
}
