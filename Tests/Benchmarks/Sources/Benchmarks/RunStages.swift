#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The stages of a run of `waystone migrate --format json`, with their times.
struct RunStages: Decodable {
  private struct Stage: Decodable {
    let kind: String
    let seconds: Double?
    let processorSeconds: Double?
  }

  private let stages: [Stage]

  /// Reads what a run printed.
  init(printedInto file: String) throws {
    let data = try Data(contentsOf: URL(filePath: file))
    self = try JSONDecoder().decode(RunStages.self, from: data)
  }

  /// The time that the check of the store took; nothing in builds that do not report it.
  var check: Measurement.Check {
    let checks = stages.filter { $0.kind == "checking" }
    return Measurement.Check(
      wall: checks.compactMap(\.seconds).reduce(0, +),
      processor: checks.compactMap(\.processorSeconds).reduce(0, +)
    )
  }
}
