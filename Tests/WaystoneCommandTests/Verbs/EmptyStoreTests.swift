import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone
import WaystoneCommand

/// Stores without rows, of steps that rows would stand against.
@Suite struct EmptyStoreTests {
  private static let parent = #"<attribute name="t" optional="YES" attributeType="String"/>"#
  private static let required = #"<attribute name="x" attributeType="String"/>"#

  private func with(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let children = #"<entity name="B" parentEntity="A" syncable="YES"/>"#
      func entity(_ attributes: String) -> String {
        #"<entity name="A" syncable="YES">\#(attributes)</entity>"# + children
      }
      try SketchedModel.write(
        [
          ("v1", entity(Self.parent)), ("v2", entity(Self.parent + Self.required)),
          ("v3", entity(Self.required)),
        ],
        into: folder
      )
      for (name, rows) in [("empty", "0"), ("full", "4")] {
        let made = CommandRun(
          "generate",
          "v1",
          "--rows",
          rows,
          "-o",
          "\(name).sqlite",
          "--models",
          folder,
          in: folder
        )
        try #require(made.status == .success, "\(made.errors)")
      }
      try body(folder)
    }
  }

  @Test func `no row of an empty store lacks a value that becomes required`() throws {
    try with { folder in
      let models = ["--models", folder]
      let plan = CommandRun(["plan", "empty.sqlite"] + models, in: folder)
      #expect(plan.status == .success, "\(plan.output)\(plan.errors)")
      #expect(plan.words.contains("note WS313 A.x is new and required"), "\(plan.output)")
      #expect(plan.words.contains("0 of 0 rows"), "\(plan.output)")
      let coverage = CommandRun(
        ["coverage", "empty.sqlite", "--format", "json"] + models,
        in: folder
      )
      let paths = try #require(try coverage.json()["paths"] as? [[String: Any]])
      let own = try #require(paths.first { $0["store"] as? String == "empty.sqlite" })
      #expect(own["reachable"] as? Bool == true, "\(own)")
      let run = CommandRun(
        ["migrate", "empty.sqlite", "--output", "new.sqlite"] + models,
        in: folder
      )
      #expect(run.status == .success, "\(run.output)\(run.errors)")
      #expect(CommandRun(["plan", "new.sqlite"] + models, in: folder).words.contains("v3"))
    }
  }

  @Test func `a store with rows is refused with the advice of what refuses it`() throws {
    try with { folder in
      let plan = CommandRun("plan", "full.sqlite", "--models", folder, in: folder)
      #expect(plan.status == .noPath)
      #expect(
        plan.errors.contains("next: A.x: Give it a default in the model"),
        "\(plan.errors)"
      )
      #expect(!plan.errors.contains("Write a mapping"), "\(plan.errors)")
    }
  }

  @Test func `a row that comes after the plan is refused by the run`() throws {
    try with { folder in
      let archive = try ModelArchive(contentsOf: URL(filePath: folder))
      let url = URL(filePath: "\(folder)/empty.sqlite")
      let plan = try archive.plan(for: Store(reading: url), to: .current)
      // An encoded plan is the way in which it was made, and makes it again.
      let data = try JSONEncoder().encode(plan)
      #expect(try JSONDecoder().decode(StorePlan.self, from: data) == plan)
      let store = "\(folder)/empty.sqlite"
      try AppDatabase.run(
        store,
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 1; "
          + "PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let before = TemporaryFolder.bytes(of: store)
      #expect(throws: (any Error).self) { try plan.migrate(plan.store) }
      #expect(TemporaryFolder.bytes(of: store) == before)
    }
  }
}
