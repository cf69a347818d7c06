import Foundation
import Testing

/// A scan that shows that plans are checked and run in one place each.
@Suite struct `The one driver of plans` {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources"

  /// The files outside the engine that contain a text.
  private func paths(with text: String) throws -> [String] {
    let all = try #require(FileManager.default.enumerator(atPath: Self.root))
    let paths = all.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("StoreMigration/")
    }
    #expect(paths.count > 300)
    return try paths.sorted().filter { path in
      try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8).contains(text)
    }
  }

  @Test(arguments: [
    ("StoreMigrator(", ["Planning/StorePlan+Running.swift", "Running/Run.swift"]),
    ("requireUnmigrated(", ["Planning/StorePlan+Running.swift"]),
    ("PlanCheck(", ["Planning/MigrationRequest.swift"]),
  ])
  func `no other code asks or runs the engine`(call: String, places: [String]) throws {
    #expect(try paths(with: call) == places.map { "Waystone/\($0)" })
  }
}
