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

  /// The most that a hop may cost, in loops over the same rows.
  static let limit = 4.0
  /// The most memory that a process may have resident, in bytes.
  static let memoryLimit = 250 << 20
  /// How much more memory ten times the rows may take, as a factor.
  static let growthLimit = 1.2

  private var archive: String { "\(folder)/heavy.xcdatamodeld" }

  /// Measures a tenth of the rows and all, and prints the table.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    for (version, model) in [("v1", ModelText()), ("v2", Self.next)] {
      let path = "\(archive)/\(version).xcdatamodel"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(model.contents.utf8).write(to: URL(filePath: "\(path)/contents"))
    }
    var table = AlignedTable([
      ["hop", "rows", "wall s", "us/row", "xloop wall", "xloop CPU", "MB", "limit", ""]
    ])
    var isWithinLimits = true
    var peaks: [String: Int] = [:]
    for rows in [rows / 10, rows] {
      let store = "\(folder)/heavy-\(rows).sqlite"
      _ = try Measurement.running(
        waystone,
        [
          "generate", "v1", "--models", archive, "--rows-of", "Note=\(rows)",
          "--rows-of", "Notebook=\(max(1, rows / 1000))", "--rows-of", "Tag=\(max(1, rows / 200))",
          "--seed", "1", "--output", store, "--quiet",
        ]
      )
      var loops: [Measurement] = []
      var hops: [String: [Measurement]] = [:]
      for _ in 0..<runs {
        let result = "\(folder)/loop.sqlite"
        loops.append(try Measurement.running(own, ["loop", "ZNOTE", store, result]))
        try remove(result)
        for kind in ["policy", "sql"] { hops[kind, default: []].append(try hop(kind, store)) }
      }
      table.append([
        "bare loop", "\(rows)", Self.median(loops, \.wall), microseconds(loops, rows), "1.00",
        "1.00", "\(ResultTable.median(loops.map { Double($0.peak) }).rounded() / 1048576)", "", "",
      ])
      for (kind, measured) in hops.sorted(by: { $0.key < $1.key }) {
        let peak = measured.map(\.peak).max() ?? 0
        let ratio = ResultTable.median(zip(measured, loops).map { $0.wall / $1.wall })
        let isFlat = peaks[kind].map { Double(peak) < Double($0) * Self.growthLimit } ?? true
        let isWithin =
          (kind != "policy" || ratio < Self.limit) && peak < Self.memoryLimit && isFlat
        peaks[kind] = peak
        isWithinLimits = isWithinLimits && isWithin
        table.append([
          kind, "\(rows)", Self.median(measured, \.wall), microseconds(measured, rows),
          ResultTable.text(ratio),
          ResultTable.text(
            ResultTable.median(zip(measured, loops).map { $0.processor / $1.processor })
          ),
          "\(peak >> 20)", kind == "policy" ? ResultTable.text(Self.limit) : "",
          isWithin ? "ok" : "OVER",
        ])
      }
      try remove(store)
    }
    print("\nmedians of \(runs) runs; xloop is the ratio to a bare loop over the same rows\n")
    print(table.text(leadingColumns: [0, 8]))
    return isWithinLimits
  }

  /// All that changes is that notes have one attribute more.
  private static let next = ModelText().changing {
    $0.append(("color", #"optional="YES" attributeType="String""#))
  }

  private func hop(_ kind: String, _ store: String) throws -> Measurement {
    let result = "\(folder)/heavy-result.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm", ".waystone"] { try? remove(result + suffix) }
    }
    return try Measurement.running(program, [kind, store, result, archive, "none"])
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
