#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures a policy hop of a store of 19 rows, where all that costs is what a run does once.
struct SmallStoreBenchmark {
  /// The program with the policy.
  let program: String
  let waystone: String
  /// The library that counts calls; without it `fsync` is not counted.
  let library: String?
  let folder: String
  let runs: Int

  static let rows = 19
  /// The most calls of `fsync` and `fdatasync`.
  static let syncLimit = 30
  /// The most seconds that a whole run may take on a file system in memory; elsewhere there is no limit.
  static let limit = 0.025

  /// Measures and prints the table.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    let memory = try MemoryFolder(else: folder)
    defer { memory.remove() }
    let isInMemory = memory.isInMemory
    let hop = PolicyHop(program: program, waystone: waystone, folder: memory.path)
    let store = try hop.makeStore(rows: Self.rows)
    let times = try (0..<max(runs, 5)).map { _ in try hop.run("policy", store).wall }
    let time = ResultTable.median(times)
    var isWithinLimits = !isInMemory || time <= Self.limit
    print("\na policy hop of \(Self.rows) rows, \(times.count) runs\n")
    var table = AlignedTable([["what", "median", "limit", ""]])
    table.append([
      isInMemory ? "wall ms, in memory" : "wall ms, on disk", ResultTable.text(time * 1000),
      isInMemory ? ResultTable.text(Self.limit * 1000) : "",
      isInMemory ? (isWithinLimits ? "ok" : "OVER") : "",
    ])
    if let library {
      let syncs = try hop.count("policy", store, library: library).syncs
      let isWithin = syncs <= Self.syncLimit
      isWithinLimits = isWithinLimits && isWithin
      table.append(["fsyncs", "\(syncs)", "\(Self.syncLimit)", isWithin ? "ok" : "OVER"])
    } else {
      table.append(["fsyncs", "not counted here", "\(Self.syncLimit)", ""])
    }
    print(table.text(leadingColumns: [0, 3]))
    return isWithinLimits
  }
}
