#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures the plan for one small store in a history of a hundred versions, and a batch of such stores.
///
/// Every row is asked about what each path drops, so that a search without bounds looks at all edges.
struct StorePlanBenchmark {
  let waystone: String
  let folder: String
  let runs: Int

  static let versionCount = 101
  static let rows = 200
  static let storeCount = 40
  static let workers = 2
  /// Seconds of processor time for one plan, the reading of all models included.
  static let planLimit = 0.8
  /// The fewest stores of one version that a batch migrates in a second.
  static let storeLimit = 10.0

  /// Measures and prints both figures.
  ///
  /// - Returns: Whether both limits hold.
  func run() throws -> Bool {
    let (seconds, rate) = (try planSeconds(), try storesPerSecond())
    let isWithinLimits = seconds <= Self.planLimit && rate >= Self.storeLimit
    var table = AlignedTable([["stores", "value", "limit", ""]])
    table.append([
      "CPU s of a plan", ResultTable.text(seconds), "\(Self.planLimit)",
      seconds <= Self.planLimit ? "ok" : "OVER",
    ])
    table.append([
      "stores a second", ResultTable.text(rate), "\(Self.storeLimit)",
      rate >= Self.storeLimit ? "ok" : "OVER",
    ])
    print(
      """

      stores of \(Self.rows) rows in a history of \(Self.versionCount) versions; medians of \(runs) runs of a \
      plan, and one batch of \(Self.storeCount) stores with \(Self.workers) workers

      """
    )
    print(table.text(leadingColumns: [0, 3]))
    return isWithinLimits
  }

  /// The median of the processor time of one plan for a store of the first version.
  func planSeconds() throws -> Double {
    let store = try makeStore("one.sqlite", seed: 1)
    let all = try (0..<runs).map { _ in
      try running(["plan", store, "--models", archive], output: "\(folder)/plan.txt").processor
    }
    return ResultTable.median(all)
  }

  /// The same in plans for the first version alone, which needs no store: the same on every machine.
  func planRatio() throws -> Double {
    let store = try planSeconds()
    let all = try (0..<runs).map { _ in
      try running(["plan", "v1", "--models", archive], output: "\(folder)/plan.txt").processor
    }
    return store / ResultTable.median(all)
  }

  private func storesPerSecond() throws -> Double {
    let stores = "\(folder)/stores"
    try FileManager.default.createDirectory(atPath: stores, withIntermediateDirectories: true)
    for seed in 1...Self.storeCount { _ = try makeStore("stores/\(seed).sqlite", seed: seed) }
    let batch = try running([
      "batch", stores, "--models", archive, "--output", "\(folder)/batch",
      "--jobs", "\(Self.workers)", "--progress", "none", "--quiet",
    ])
    return Double(Self.storeCount) / batch.wall
  }

  private var archive: String { "\(folder)/Stores.xcdatamodeld" }

  private func makeStore(_ name: String, seed: Int) throws -> String {
    if !FileManager.default.fileExists(atPath: archive) {
      try HistoryText(entityCount: 20).write(Self.versionCount, to: archive)
    }
    let store = "\(folder)/\(name)"
    _ = try running([
      "generate", "v1", "--rows", "\(Self.rows)", "--seed", "\(seed)", "--models", archive,
      "--output", store, "--quiet",
    ])
    return store
  }

  private func running(_ arguments: [String], output: String? = nil) throws -> Measurement {
    try Measurement.running(waystone, arguments, output: output)
  }
}
