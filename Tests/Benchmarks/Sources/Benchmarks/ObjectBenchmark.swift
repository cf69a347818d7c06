#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures managed objects of an opened store beside rows of GRDB and bare statements of SQLite.
///
/// Each measurement is a process of its own that prints the processor time of its work alone: opening a store
/// reads its model, which would hide a count. The least of several runs in turn counts.
struct ObjectBenchmark {
  /// The program with managed objects.
  let program: String
  /// The program with GRDB's rows; nil where it was not built.
  let rowProgram: String?
  let waystone: String
  let own: String
  let folder: String
  let rows: Int
  let runs: Int

  /// The most notes that are measured; memory is measured with ten times as many.
  static let greatestRows = 100_000
  /// The greatest ratio to rows of the same columns.
  static let objectLimit = 3.0
  /// The greatest ratio of identifiers to rows of keys.
  static let keyLimit = 1.2
  /// The greatest ratio of a count to `SELECT count(*)`.
  static let countLimit = 1.1
  /// The greatest ratio of inserted objects, each with a to-one, to prepared inserts.
  static let insertLimit = 3.0
  /// The most memory that ten times the rows may take, as a factor, where no object is kept.
  static let growthLimit = 1.2

  private struct Run: Decodable {
    var seconds: Double
  }

  private var model: String { "\(folder)/Objects.xcdatamodeld" }

  /// Measures and prints both tables.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    let store = try makeStore(rows)
    let isFast = try compare(store)
    return try measureMemory(store) && isFast
  }

  private func compare(_ store: String) throws -> Bool {
    var table = AlignedTable([["objects", "CPU s", "beside", "CPU s", "x", "limit", ""]])
    var isWithinLimits = true
    for (kind, yardstick, limit) in [
      ("objects", "rows", Self.objectLimit), ("keys", "keys", Self.keyLimit),
      ("keys", "bare keys", nil), ("count", "count", Self.countLimit),
      ("insert", "insert", Self.insertLimit),
    ] as [(String, String, Double?)] {
      let isOfRows = yardstick == "rows" || yardstick == "keys"
      guard let other = isOfRows ? rowProgram : own else { continue }
      var (ours, theirs) = (Double.infinity, Double.infinity)
      for _ in 0..<runs {
        theirs = min(
          theirs,
          try onCopy(of: store, if: kind == "insert") { copy in
            try seconds(
              other,
              isOfRows ? [yardstick, copy] : ["objects", kind, copy, "\(rows)"]
            )
          }
        )
        ours = min(
          ours,
          try onCopy(of: store, if: kind == "insert") { copy in
            try seconds(program, [kind, copy, model, "\(rows)"])
          }
        )
      }
      let isWithin = limit.map { ours / theirs <= $0 } ?? true
      isWithinLimits = isWithinLimits && isWithin
      table.append([
        kind, ResultTable.text(ours), isOfRows ? "GRDB \(yardstick)" : "SQLite \(kind)",
        ResultTable.text(theirs), ResultTable.text(ours / theirs),
        limit.map { ResultTable.text($0) } ?? "", limit == nil ? "" : isWithin ? "ok" : "OVER",
      ])
    }
    if rowProgram == nil { print("\nobjects: there is no GRDB to measure beside") }
    print(
      """

      all objects of a store of \(rows) notes, with \(rows) more for `insert`, and a hundred counts; the least of \
      \(runs) runs in turn

      """
    )
    print(table.text(leadingColumns: [0, 2, 6]))
    return isWithinLimits
  }

  /// Compares the memory of walks over the store with those over one of ten times the rows.
  private func measureMemory(_ store: String) throws -> Bool {
    let large = try makeStore(10 * rows)
    defer { try? FileManager.default.removeItem(atPath: large) }
    var table = AlignedTable([
      ["walk", "MB", "MB, 10 x rows", "bytes a further row", "limit", ""]
    ])
    var isWithinLimits = true
    for (kind, isFlat) in [
      ("links", true), ("batches", false), ("objects", false),
    ] {
      let peaks = try [store, large].map { store in
        Double(try Measurement.running(program, [kind, store, model], output: output).peak)
      }
      let isWithin = !isFlat || peaks[1] <= peaks[0] * Self.growthLimit
      isWithinLimits = isWithinLimits && isWithin
      table.append([
        kind, "\(Int(peaks[0]) >> 20)", "\(Int(peaks[1]) >> 20)",
        "\(Int(max(0, peaks[1] - peaks[0])) / (9 * rows))",
        isFlat ? "x \(ResultTable.text(Self.growthLimit))" : "",
        isFlat ? isWithin ? "ok" : "OVER" : "",
      ])
    }
    print(
      "\nmost memory of walks over \(rows) and \(10 * rows) notes, of which `batches` and `objects` hold all\n"
    )
    print(table.text(leadingColumns: [0, 5]))
    return isWithinLimits
  }

  private var output: String { "\(folder)/objects.json" }

  private func seconds(_ program: String, _ arguments: [String]) throws -> Double {
    _ = try Measurement.running(program, arguments, output: output)
    let printed = FileManager.default.contents(atPath: output) ?? Data()
    return try JSONDecoder().decode(Run.self, from: printed).seconds
  }

  /// Runs a closure on a store, or on a copy that is removed, with the files beside it, afterwards.
  private func onCopy(
    of store: String,
    if isCopied: Bool,
    _ body: (String) throws -> Double
  ) throws -> Double {
    guard isCopied else { return try body(store) }
    let copy = "\(folder)/objects-copy.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: copy + suffix)
      }
    }
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    return try body(copy)
  }

  private func makeStore(_ rows: Int) throws -> String {
    let version = "\(model)/base.xcdatamodel"
    try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
    try Data(ModelText().contents.utf8).write(to: URL(fileURLWithPath: "\(version)/contents"))
    let store = "\(folder)/objects-\(rows).sqlite"
    _ = try Measurement.running(
      waystone,
      [
        "generate", "base", "--models", model, "--rows-of", "Note=\(rows)",
        "--rows-of", "Notebook=\(max(1, rows / 100))", "--rows-of", "Tag=1000", "--output", store,
        "--quiet",
      ]
    )
    return store
  }
}
