import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Hierarchies with more entities than SQLite nests expressions.
@Suite struct `Wide hierarchies` {
  /// A root with many subentities, each with an attribute of its own.
  private static func model(_ count: Int, _ extra: String) -> String {
    "Root { name: String?\(extra) } "
      + (0..<count).map { "S\($0) : Root { a\($0): Int32? }" }.joined(separator: " ")
  }

  @Test func `are migrated and compared like any other`() throws {  // M16
    try SketchedStep.run(
      Self.model(1200, ""),
      Self.model(1200, "; more: String?"),
      rows: 2400
    ) { step in
      #expect(step.outcome.verification.passed)
    }
  }
}
