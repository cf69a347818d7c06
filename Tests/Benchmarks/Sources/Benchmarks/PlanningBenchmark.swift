#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures how long it takes to plan from every version of a public app's model to every later one,
/// the verdicts on all edges included, beside NetworkX searching the same graph.
struct PlanningBenchmark {
  let waystone: String
  let folder: String
  let runs: Int

  /// The most seconds that planning for all pairs may take, beyond reading the models.
  static let limit = 2.0

  private static var script: String {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/yardstick.py"
  }

  /// Measures and prints the table; says so where the models or NetworkX are absent.
  ///
  /// - Returns: Whether all limits hold, and the paths cost what NetworkX says.
  func run() throws -> Bool {
    let models = ImportBenchmark.models.map { "\(ImportBenchmark.corpus)/\($0.0)" }
    guard models.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) else {
      print("The models of public apps are absent (set WAYSTONE_CORPUS): planning is skipped.")
      return true
    }
    var table = AlignedTable([
      [
        "model", "paths", "what", "wall s", "CPU s", "xNetworkX wall", "xNetworkX CPU", "limit s",
        "",
      ]
    ])
    var isWithinLimits = true
    for model in models { isWithinLimits = try measure(model, into: &table) && isWithinLimits }
    print(
      "\nmedians of \(runs) runs; planning is the graph with all paths without reading models\n"
    )
    print(table.text(leadingColumns: [0, 2, 8]))
    return isWithinLimits
  }

  private func measure(_ model: String, into table: inout AlignedTable) throws -> Bool {
    let name = URL(filePath: model).deletingPathExtension().lastPathComponent
    let graph = "\(folder)/\(name).json"
    let options = ["--models", model, "--format", "json"]
    var reading: [Measurement] = []
    var planning: [Measurement] = []
    var yardsticks: [(wall: Double, processor: Double)] = []
    var paths = 0
    for _ in 0..<runs {
      reading.append(
        try Measurement.running(waystone, ["versions"] + options, printing: false)
      )
      let whole = try Measurement.running(
        "/bin/sh",
        ["-c", "exec \"$0\" \"$@\" > '\(graph)'", waystone, "graph", "--paths"] + options
      )
      var own = whole
      own.wall = max(0, whole.wall - (reading.last?.wall ?? 0))
      own.processor = max(0, whole.processor - (reading.last?.processor ?? 0))
      planning.append(own)
      guard let yardstick = try yardstick(graph) else { continue }
      guard yardstick.different == 0 else {
        throw BenchmarkError("\(yardstick.different) paths of \(name) cost what they should not")
      }
      yardsticks.append((yardstick.wall, yardstick.processor))
      paths = yardstick.paths
    }
    func seconds(_ values: [Double]) -> String {
      ImportBenchmark.milliseconds(ResultTable.median(values))
    }
    func ratio(_ own: (Measurement) -> Double, _ other: ((Double, Double)) -> Double) -> String {
      yardsticks.isEmpty
        ? ""
        : ResultTable.text(
          ResultTable.median(zip(planning, yardsticks).map { own($0) / other($1) })
        )
    }
    if yardsticks.isEmpty {
      print("NetworkX is absent (pip install networkx): \(name) is not compared.")
    } else {
      table.append([
        name, "\(paths)", "NetworkX, search", seconds(yardsticks.map(\.wall)),
        seconds(yardsticks.map(\.processor)), "1.00", "1.00", "", "",
      ])
    }
    let isWithin = ResultTable.median(planning.map(\.wall)) < Self.limit
    table.append([
      yardsticks.isEmpty ? name : "", "", "infer, judge, search", seconds(planning.map(\.wall)),
      seconds(planning.map(\.processor)), ratio(\.wall, \.0), ratio(\.processor, \.1),
      ResultTable.text(Self.limit), isWithin ? "ok" : "OVER",
    ])
    return isWithin
  }

  /// The time of NetworkX for a graph; nil where it is absent.
  private func yardstick(
    _ graph: String
  ) throws -> (wall: Double, processor: Double, paths: Int, different: Int)? {
    let answer = "\(folder)/yardstick.txt"
    do {
      _ = try Measurement.running(
        "/bin/sh",
        ["-c", "exec python3 '\(Self.script)' < '\(graph)' > '\(answer)'"]
      )
    } catch is BenchmarkError {
      return nil
    }
    let text = FileManager.default.contents(atPath: answer).map {
      String(decoding: $0, as: UTF8.self)
    }
    let words = (text ?? "").split(whereSeparator: \.isWhitespace)
    guard words.count == 4, let wall = Double(words[0]), let processor = Double(words[1]),
      let paths = Int(words[2]), let different = Int(words[3])
    else { return nil }
    return (wall, processor, paths, different)
  }
}
