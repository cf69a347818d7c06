#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures Waystone beside floors, a script by hand and the migrators of PyPI: the same steps, on
/// the same store, in the same run, in turns.
struct ComparisonBenchmark {
  let waystone: String
  let own: String
  /// The interpreter of the peers; without it they are left out.
  let python: String?
  /// The library that counts calls; without it they are not counted.
  let library: String?
  let folder: String
  let rows: Int
  let runs: Int
  /// Whether ten million rows are measured too.
  let isLarge: Bool

  /// The folder of the peers' scripts.
  static var scripts: String {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Peers"
  }

  /// The steps of a history on the axis of hops.
  static let hops = [1, 2, 6, 20]
  /// The steps wherever something else varies.
  static let middle = 6

  /// A store, and the histories that it is brought through.
  private struct Group {
    var shape: Shape
    var rows: Int
    var hops: [Int]
  }

  private var groups: [Group] {
    let counts = Set([1_000, 100_000, 1_000_000].filter { $0 < rows } + [rows])
      .union(isLarge ? [10_000_000] : [])
    return counts.sorted().map {
      Group(shape: .narrow, rows: $0, hops: $0 == rows ? Self.hops : [Self.middle])
    }
      + Shape.all.filter { shape in shape.name != "narrow" || !counts.contains(rows / 10) }.map {
        Group(shape: $0, rows: max(1, rows / 10), hops: [Self.middle])
      }
  }

  /// Measures, prints the table and writes the report.
  ///
  /// - Parameters:
  ///   - report: The folder for the report; nil for none.
  ///   - command: What the report says it was made by.
  /// - Returns: Whether all limits hold.
  func run(report: String?, command: String) throws -> Bool {
    if python == nil { print("Python is absent: peers are left out.") }
    if library == nil { print("Calls are counted on Linux only: they are left out.") }
    var series: [ComparisonSeries] = []
    for group in groups {
      print("measuring \(group.shape.name), \(group.rows) rows")
      fflush(nil)
      series += try measure(group.shape, rows: group.rows, hops: group.hops)
    }
    let result = ComparisonReport(
      series: series,
      rows: rows,
      runs: runs,
      command: command,
      machine: Machine(folder: folder)
    )
    print("\n" + result.markdown)
    if let report { try result.write(to: report) }
    return result.isWithinLimits
  }

  /// Measures a store and the histories that it is brought through, turn by turn.
  ///
  /// - Parameter selection: Who takes part, where Python is there for peers.
  /// - Returns: The floors, whose number of hops is 0, and one element for each history.
  func measure(
    _ shape: Shape,
    rows: Int,
    hops: [Int],
    only selection: [Contender] = Contender.allCases
  ) throws -> [ComparisonSeries] {
    let base = "\(folder)/comparison.sqlite"
    // The floors are a history without steps.
    var histories = try ([0] + hops).map {
      try PreparedHistory(shape, hops: $0, programs: self)
    }
    defer { for path in [base] + histories.map(\.folder) { remove(path) } }
    try generate(shape, rows, histories[0].archive, base)
    for index in histories.indices { try histories[index].prepare(base) }
    var series = histories.map {
      ComparisonSeries(shape: shape, rows: rows, hops: $0.hops, size: size(of: base))
    }
    for turn in 0..<runs {
      for (index, history) in histories.enumerated() {
        for contender in contenders(of: history, selection)
        where !series[index].hasEnough(of: contender) {
          let measurement = try history.run(contender, base, isChecked: turn == 0)
          series[index].measurements[contender, default: []].append(measurement)
        }
      }
    }
    guard let library else { return series }
    for (index, history) in histories.enumerated() {
      for contender in contenders(of: history, selection) where !contender.isPeer {
        series[index].calls[contender] = try history.count(contender, base, library: library)
      }
    }
    return series
  }

  private func contenders(
    of history: PreparedHistory,
    _ selection: [Contender]
  ) -> [Contender] {
    selection.filter {
      $0.isMigrating == (history.hops > 0) && (python != nil || !$0.isPeer)
    }
  }

  private func generate(_ shape: Shape, _ rows: Int, _ archive: String, _ base: String) throws {
    let main = shape.entities.map { ($0, rows / shape.entities.count) }
    let others = [("Notebook", rows / 1000)] + shape.linkedEntities.map { ($0, rows / 200) }
    let counts = (main + others).flatMap { ["--rows-of", "\($0.0)=\(max(1, $0.1))"] }
    let options = ["--models", archive, "--seed", "1", "--output", base, "--quiet"]
    _ = try Measurement.running(waystone, ["generate", "v1"] + options + counts)
    if let sql = shape.preparation { try Database.run(sql, in: base) }
  }

  private func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
  }

  private func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
