#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures authored hops in turn with a bare loop over the same rows: one whose objects all go
/// through a policy in Swift, and one that SQL runs, links included.
struct HeavyBenchmark {
  /// The program with the policy.
  let program: String
  let waystone: String
  let own: String
  let folder: String
  let rows: Int
  let runs: Int

  /// The most wall time that a hop may cost, in loops over the same rows.
  static let limits = ["policy": 2.0, "sql": 1.5]
  /// The most memory that a process may have resident, in bytes.
  static let memoryLimit = 250 << 20
  /// The factor by which ten times the rows may take more memory.
  static let growthLimit = 1.2

  private var policyHop: PolicyHop {
    PolicyHop(program: program, waystone: waystone, folder: folder)
  }

  /// Measures a tenth of the rows and all, and prints the table.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    var table = AlignedTable([
      [
        "hop", "rows", "wall s", "us/row", "xloop wall", "xloop CPU", "limit", "MB", "",
        "whole run wall", "whole run CPU",
      ]
    ])
    var isWithinLimits = true
    var peaks: [String: Int] = [:]
    for rows in [rows / 10, rows] {
      let store = try policyHop.makeStore(rows: rows)
      var loops: [Measurement] = []
      var hops: [String: [Measurement]] = [:]
      for _ in 0..<runs {
        let result = "\(folder)/loop.sqlite"
        loops.append(try Measurement.running(own, ["loop", "ZNOTE", store, result]))
        try remove(result)
        for kind in Self.limits.keys {
          hops[kind, default: []].append(try policyHop.run(kind, store))
        }
      }
      table.append([
        "bare loop", "\(rows)", Self.median(loops, \.wall), microseconds(loops, rows), "1.00",
        "1.00", "", "\(Int(ResultTable.median(loops.map { Double($0.peak) })) >> 20)", "", "", "",
      ])
      for (kind, measured) in hops.sorted(by: { $0.key < $1.key }) {
        let peak = measured.map(\.peak).max() ?? 0
        let hopsAlone = measured.map(\.withoutCheck)
        let (wall, processor) = Self.ratios(hopsAlone, loops)
        let whole = Self.ratios(measured, loops)
        let isFlat = peaks[kind].map { Double(peak) < Double($0) * Self.growthLimit } ?? true
        let limit = Self.limits[kind] ?? 0
        let isWithin = wall <= limit && peak < Self.memoryLimit && isFlat
        peaks[kind] = peak
        isWithinLimits = isWithinLimits && isWithin
        table.append([
          kind, "\(rows)", Self.median(hopsAlone, \.wall), microseconds(hopsAlone, rows),
          ResultTable.text(wall), ResultTable.text(processor), ResultTable.text(limit),
          "\(peak >> 20)", isWithin ? "ok" : "OVER", ResultTable.text(whole.wall),
          ResultTable.text(whole.processor),
        ])
      }
      try remove(store)
    }
    print(
      "\nmedians of \(runs) runs; xloop is the ratio to a bare loop over the same rows, "
        + "without the check of the store\n"
    )
    print(table.text(leadingColumns: [0, 8]))
    return isWithinLimits
  }

  /// The medians of the ratios of runs to the loops beside them.
  private static func ratios(
    _ measured: [Measurement],
    _ loops: [Measurement]
  ) -> (wall: Double, processor: Double) {
    (
      ResultTable.median(zip(measured, loops).map { $0.wall / $1.wall }),
      ResultTable.median(zip(measured, loops).map { $0.processor / $1.processor })
    )
  }

  private static func median(
    _ measured: [Measurement],
    _ value: (Measurement) -> Double
  ) -> String {
    ResultTable.text(ResultTable.median(measured.map(value)))
  }

  private func microseconds(_ measured: [Measurement], _ rows: Int) -> String {
    ResultTable.text(ResultTable.median(measured.map { $0.wall / Double(rows) * 1e6 }))
  }

  private func remove(_ path: String) throws {
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
