import MigrationPlanning
import MigrationTestSupport
import StoreMigration
import Testing

/// Numbers beyond what their attribute's type holds, which a conversion would change without a word.
@Suite struct OddNumberTests {
  @Test(
    arguments: [
      ("Int16", "Double", "9007199254740993", false),
      ("Int32", "Double", "9007199254740993", false),
      ("Boolean", "Double", "9007199254740993", false),
      ("Int64", "Double", "9007199254740993", false),
      ("Int64", "Double", "9007199254740994", true), ("Int16", "Float", "16777217", false),
      ("Int32", "Float", "16777217", false), ("Int64", "Float", "16777217", false),
      ("Int64", "Float", "33554432", true), ("Double", "Float", "16777217.0", false),
      ("Double", "Float", "3.141592653589793", false), ("Double", "Float", "0.5", true),
      ("Decimal", "Float", "16777217", false), ("Decimal", "Float", "0.25", true),
    ]
  )
  func `what is another number afterwards is refused`(
    old: String,
    new: String,
    value: String,
    isKept: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let walk = try DeferredCleanupTests.Walk(folder, ["A { x: \(old)? }", "A { x: \(new)? }"])
      try SketchedStore.damage(
        walk.store,
        "UPDATE ZA SET ZX = NULL; UPDATE ZA SET ZX = \(value) WHERE Z_PK = 1"
      )
      if isKept {
        try walk.migrate("v1", "v2", defers: false)
      } else {
        let error = #expect(throws: MigrationError.self) {
          try walk.migrate("v1", "v2", defers: false)
        }
        #expect(error?.code == .failed, "\(String(describing: error))")
      }
    }
  }
}
