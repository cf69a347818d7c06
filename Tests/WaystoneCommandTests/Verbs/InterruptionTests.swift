import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Runs of the built command that are stopped from outside.
@Suite struct InterruptionTests {
  /// The sample models beside the package's manifest.
  private static let models: String = {
    let parts = #filePath.split(separator: "/")
    let root = parts.prefix { $0 != "Tests" }.joined(separator: "/")
    return "/\(root)/ModelArchive/Letters.xcdatamodeld"
  }()

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `a run that is stopped leaves the store as it was, and resume goes on`(signal: Int32) throws
  {
    try TemporaryFolder.with { folder in
      let store = "\(folder)/Letters.sqlite"
      let made = CommandRun(
        "generate",
        "v1",
        "--rows",
        "30000",
        "-o",
        store,
        "--models",
        Self.models
      )
      #expect(made.status == .success, "\(made.errors)")
      let stopped = try ProcessRun(
        ["migrate", store, "--to", "v4", "--models", Self.models, "--progress", "ndjson"],
        in: folder,
        stoppedBy: signal
      )
      if signal == SIGKILL {
        #expect(stopped.status == -1, "\(stopped.errors)")
      } else {
        #expect(stopped.status == CommandStatus.interrupted.rawValue, "\(stopped.errors)")
        #expect(stopped.errors.contains("next: "))
      }
      let still = try CommandRun("inspect", store, "--models", Self.models, "--format", "json")
        .json()
      #expect(still["versions"] as? [String] == ["v1"])

      let again = CommandRun("migrate", store, "--to", "v4", "--models", Self.models)
      #expect(again.status == .interrupted, "\(again.errors)")
      #expect(again.errors.contains("resume"))

      let resumed = CommandRun("resume", store)
      #expect(resumed.status == .success, "\(resumed.errors)")
      let verified = CommandRun("verify", store, "--models", Self.models)
      #expect(verified.status == .success, "\(verified.output)")
      #expect(verified.output.contains("against v4"))
    }
  }
}
