#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures how long it takes to read all versions that a public app ever shipped, in turn with
/// libxml2 merely parsing the same files.
struct ImportBenchmark {
  let waystone: String
  let own: String
  let folder: String
  let runs: Int

  /// The most seconds that all versions of a model may take.
  static let limit = 1.0

  /// The models, and how many versions each has at least.
  static let models = [
    ("woocommerce+woocommerce-ios/Storage/Storage/Model/WooCommerce.xcdatamodeld", 117),
    ("wireapp+wire-ios-data-model/Resources/zmessaging.xcdatamodeld", 90),
  ]

  /// The public apps' folder: the environment's `WAYSTONE_CORPUS`, else `shared/corpus` beside the
  /// project's folder.
  static var corpus: String {
    let project = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    return ProcessInfo.processInfo.environment["WAYSTONE_CORPUS"]
      ?? "/\(project)/../shared/corpus"
  }

  /// Measures and prints the table; says so where the models are absent.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    let models = Self.models.map { ("\(Self.corpus)/\($0)", $1) }
    guard models.allSatisfy({ FileManager.default.fileExists(atPath: $0.0) }) else {
      print("The models of public apps are absent (set WAYSTONE_CORPUS): imports are skipped.")
      return true
    }
    var table = AlignedTable([
      ["model", "versions", "what", "wall s", "CPU s", "xSAX wall", "xSAX CPU", "limit s", ""]
    ])
    var isWithinLimits = true
    for (model, least) in models {
      let count = XMLYardstick.versions(of: model).count
      guard count >= least else { throw BenchmarkError("\(model) has only \(count) versions") }
      isWithinLimits = try measure(model, count, into: &table) && isWithinLimits
    }
    print("\nmedians of \(runs) runs; xSAX is the ratio to libxml2 parsing the same files\n")
    print(table.text(leadingColumns: [0, 2, 8]))
    return isWithinLimits
  }

  /// Measures the two verbs that read everything: one prints all hashes, the other compares them
  /// with a store's.
  private func measure(
    _ model: String,
    _ count: Int,
    into table: inout AlignedTable
  ) throws -> Bool {
    let name = URL(filePath: model).deletingPathExtension().lastPathComponent
    let store = "\(folder)/\(name).sqlite"
    let options = ["--models", model, "--format", "json"]
    _ = try Measurement.running(
      waystone,
      ["generate", "@current", "--rows", "1", "--output", store] + options,
      printing: false
    )
    let verbs = [
      ("import, hash", ["versions"] + options),
      ("import, hash, identify", ["inspect", store] + options),
    ]
    var yardsticks: [Measurement] = []
    var measurements = verbs.map { _ in [Measurement]() }
    for _ in 0..<runs {
      yardsticks.append(try Measurement.running(own, ["parse", model]))
      for (index, verb) in verbs.enumerated() {
        measurements[index].append(
          try Measurement.running(waystone, verb.1, printing: false)
        )
      }
    }
    func seconds(_ values: [Double]) -> String { Self.milliseconds(ResultTable.median(values)) }
    table.append([
      name, "\(count)", "libxml2, SAX", seconds(yardsticks.map(\.wall)),
      seconds(yardsticks.map(\.processor)), "1.00", "1.00", "", "",
    ])
    var isWithinLimits = true
    for (verb, measured) in zip(verbs, measurements) {
      func ratio(_ value: (Measurement) -> Double) -> String {
        ResultTable.text(
          ResultTable.median(zip(measured, yardsticks).map { value($0) / value($1) })
        )
      }
      let isWithin = ResultTable.median(measured.map(\.wall)) < Self.limit
      isWithinLimits = isWithinLimits && isWithin
      table.append([
        "", "", verb.0, seconds(measured.map(\.wall)), seconds(measured.map(\.processor)),
        ratio(\.wall), ratio(\.processor), ResultTable.text(Self.limit), isWithin ? "ok" : "OVER",
      ])
    }
    return isWithinLimits
  }

  /// A number of seconds with three decimals.
  static func milliseconds(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1000).rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
