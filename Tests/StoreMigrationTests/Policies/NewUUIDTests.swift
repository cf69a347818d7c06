import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// New UUIDs: one for each property, object, piece and run, and the same ones after a resume.
@Suite struct NewUUIDTests {
  private struct Killed: Error {}

  private static func mapping() -> MappingModel {
    var mapping = PolicyHop.mapping([("Note", "Note", nil)])
    mapping.entityMappings[0].attributeMappings = [
      PropertyMapping(
        name: "code",
        valueExpression: .function(.variable("manager"), selector: "newUUID", arguments: [])
      )
    ]
    return mapping
  }

  private func hop(in folder: String, isResumed: Bool) throws -> PolicyHop {
    try PolicyHop(
      Self.mapping(),
      from: ModelSketch.model("Note { title: String? }"),
      to: ModelSketch.model("Note { title: String?; code: UUID? }"),
      in: folder,
      isResumed: isResumed
    )
  }

  private func codes(_ hop: PolicyHop) throws -> [[SQLiteValue]] {
    try hop.rows("SELECT ZCODE FROM main.ZNOTE ORDER BY Z_PK")
  }

  @Test func `a run that is killed and resumed gives the UUIDs of one that is not`() throws {
    try TemporaryFolder.with { folder in
      let (whole, killed) = (folder + "/whole", folder + "/killed")
      try FileManager.default.createDirectory(
        atPath: whole,
        withIntermediateDirectories: false
      )
      let source = try ModelSketch.model("Note { title: String? }")
      try StoreGenerator(model: source, rows: 10, seed: 5).write(to: whole + "/before.sqlite")
      do { _ = try hop(in: whole, isResumed: false) }
      try FileManager.default.copyItem(atPath: whole, toPath: killed)

      let first = try hop(in: whole, isResumed: true)
      try first.database.connection.execute("BEGIN IMMEDIATE")
      try first.create(first.passes[0])
      let expected = try codes(first)
      #expect(Set(expected.map(\.description)).count == 10)

      var reached: Int64?
      do {
        let second = try hop(in: killed, isResumed: true)
        try second.database.connection.execute("BEGIN IMMEDIATE")
        #expect(throws: Killed.self) {
          try second.create(second.passes[0]) { key in
            reached = key
            if key >= 6 { throw Killed() }
          }
        }
      }
      let third = try hop(in: killed, isResumed: true)
      try third.database.connection.execute("BEGIN IMMEDIATE")
      try third.create(third.passes[0], after: reached)
      #expect(try codes(third) == expected)
    }
  }
}
