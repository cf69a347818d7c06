import Foundation
import MigrationPlanning
import MigrationTestSupport
import StoreMigration
import Testing

/// A count of both stores by somebody else: a script that knows nothing of ours but the JSON.
enum PlainCount {
  /// Expects that each line of a run's certificate is what the script counts.
  static func check(
    _ outcome: MigrationOutcome,
    source: String,
    result: String,
    _ folder: String,
    _ note: String = ""
  ) throws {
    let certificate = try #require(outcome.certificate)
    #expect(certificate.hops.count == outcome.passes && certificate.total.isBalanced, "\(note)")
    // Of an empty store there is nothing to compare.
    guard !certificate.total.departures.isEmpty else { return }
    let path = folder + "/plain-count.json"
    try JSONEncoder().encode(certificate).write(to: URL(fileURLWithPath: path))
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = [
      "python3", SampleArchive.root + "/../Tests/ReportTests/check_certificate.py", path, source,
      result,
    ]
    let output = Pipe()
    python.standardOutput = output
    try python.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(),
      as: UTF8.self
    )
    python.waitUntilExit()
    #expect(python.terminationStatus == 0, "\(note) \(text)")
  }
}
