#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures `waystone dump` beside SQLite's own shell, which prints the same rows as SQL.
///
/// A dump also finds the members of each to-many relationship, which are rows of tables of their own for the
/// shell.
struct DumpBenchmark {
  let waystone: String
  let folder: String
  let rows: Int
  let runs: Int

  /// The greatest ratio to `sqlite3 STORE .dump`, in time and in processor time.
  static let limit = 2.0

  /// Measures and prints the figures.
  ///
  /// - Returns: Whether the limit holds; also where there is no shell.
  func run() throws -> Bool {
    guard let shell = Self.shell else {
      print("\ndump: there is no sqlite3 to measure beside (apt-get install sqlite3)")
      return true
    }
    let archive = "\(folder)/Dump.xcdatamodeld"
    let version = "\(archive)/base.xcdatamodel"
    try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
    try Data(ModelText().contents.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    let store = "\(folder)/dump.sqlite"
    _ = try Measurement.running(
      waystone,
      [
        "generate", "base", "--models", archive, "--rows-of", "Note=\(rows)",
        "--rows-of", "Notebook=1000", "--rows-of", "Tag=5000", "--output", store, "--quiet",
      ]
    )
    var table = AlignedTable([
      ["dump", "wall s", "x .dump wall", "x .dump CPU", "limit", "peak MB", ""]
    ])
    var isWithinLimits = true
    let options = ["--models", archive]
    let forms: [(name: String, arguments: [String], isHeld: Bool)] = [
      ("ndjson", ["dump", store] + options, true),
      ("csv, Note", ["dump", store, "Note", "--format", "csv"] + options, true),
      ("sqlite", ["dump", store, "--output", "\(folder)/plain.sqlite"] + options, false),
    ]
    for form in forms {
      var (own, theirs): ([Measurement], [Measurement]) = ([], [])
      for _ in 0..<runs {
        try? FileManager.default.removeItem(atPath: "\(folder)/plain.sqlite")
        theirs.append(try .running(shell, [store, ".dump"], output: "/dev/null"))
        own.append(try .running(waystone, form.arguments, output: "/dev/null"))
      }
      let wall = ResultTable.median(zip(own, theirs).map { $0.wall / $1.wall })
      let processor = ResultTable.median(zip(own, theirs).map { $0.processor / $1.processor })
      let isWithin = !form.isHeld || wall <= Self.limit && processor <= Self.limit
      isWithinLimits = isWithinLimits && isWithin
      table.append([
        form.name, ResultTable.text(ResultTable.median(own.map(\.wall))), ResultTable.text(wall),
        ResultTable.text(processor), form.isHeld ? ResultTable.text(Self.limit) : "",
        "\((own.map(\.peak).max() ?? 0) >> 20)", form.isHeld ? (isWithin ? "ok" : "OVER") : "",
      ])
    }
    print(
      "\nall objects of a store of \(rows) notes; medians of \(runs) runs in turn with sqlite3 .dump\n"
    )
    print(table.text(leadingColumns: [0, 6]))
    return isWithinLimits
  }

  private static var shell: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
      "\($0)/sqlite3"
    }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
