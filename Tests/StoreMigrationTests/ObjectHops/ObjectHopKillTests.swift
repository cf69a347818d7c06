import Files
import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// A hop over 200,000 rows that is killed again and again.
@Suite struct ObjectHopKillTests {
  /// Marks each tag with the length of its name, in Swift.
  final class TagPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let tag = try manager.createDefaultInstance(forSource: source)
      guard case .scalar(.string(let name)) = try source.value(forKey: "name") else { return }
      try tag?.setValue(.scalar(.integer(Int64(name.utf8.count))), forKey: "length")
    }
  }

  static func step(in folder: String) throws -> AuthoredStep {
    var tag = AuthoredStep.mapping("Tag", "Tag", attributes: ["name": .source("name")])
    tag.entityMigrationPolicyClassName = "TagPolicy"
    var category = AuthoredStep.mapping(
      "Note",
      "Category",
      attributes: ["name": .source("category")]
    )
    category.deduplicationKeys = ["name"]
    return AuthoredStep(
      source: try ModelSketch.model(
        "Note { title: String; category: String?; tag -> Tag.notes } "
          + "Tag { name: String?; notes ->> Note.tag }"
      ),
      destination: try ModelSketch.model(
        "Note { title: String; category -> Category.notes; tag -> Tag.notes } "
          + "Category { name: String?; notes ->> Note.category ordered } "
          + "Tag { name: String?; length: Int16; notes ->> Note.tag }"
      ),
      mapping: MappingModel(entityMappings: [
        AuthoredStep.mapping(
          "Note",
          "Note",
          attributes: ["title": .source("title")],
          relationships: [
            "category": .instances(of: "NoteToCategory"),
            "tag": .instances(of: "TagToTag", at: "tag"),
          ]
        ),
        category, tag,
      ]),
      folder: folder
    )
  }

  /// 180,000 notes and 20,000 tags, written by SQL.
  static func makeStore(_ step: AuthoredStep) throws {
    try step.makeStore(rows: 0) { connection in
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'), 1, 'tag ' || i FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 180000)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCATEGORY, ZTAG)
        SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'), 1, 'note ' || i,
          'category ' || (i * 7919 % 1000), nullif(i * 31 % 20001, 0) FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Tag' THEN 20000 ELSE 180000 END
        """
      )
    }
  }

  /// Runs the hop, or what is left of it, and writes a byte into a file after each batch.
  static func run(_ folder: String, log: String) throws {
    let step = try step(in: folder)
    var registry = MigrationRegistry()
    registry.register(TagPolicy.self, as: "TagPolicy")
    let hop = try step.hop(registry: registry, batchSize: ObjectHop.defaultBatchSize)
    let output = try OpenFile(creating: log, permissions: 0o600)
    try hop.run(step.files, owner: "test", cancellation: Cancellation()) { event in
      if event == .passed(.batchWritten) { try? output.write([1]) }
    }
  }

  @Test func `a hop over many rows repeats at most the batch that it was killed in`() async throws {
    let folder = try ScratchFolder()
    let step = try Self.step(in: folder.path)
    try Self.makeStore(step)
    let clock = ContinuousClock()
    let duration = try clock.measure {
      try Self.run(folder.path, log: folder.path + "/log-whole")
    }
    let whole = try step.digest()
    let batches = try #require(try FileSystem.size(of: folder.path + "/log-whole"))
    try FileSystem.remove(step.files.new)
    try FileSystem.remove(step.files.scratch)

    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    let longest = UInt32(duration / .microseconds(1)) / 8
    var committed: Int64 = 0
    var kills: Int64 = 0
    for number in 0..<10 {
      let log = "\(folder.path)/log-\(number)"
      let delay = UInt32.random(in: 0...longest, using: &generator)
      await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
        [path = folder.path as String, log = log as String, delay = delay as UInt32] in
        Thread.detachNewThread {
          usleep(delay)
          KillPoint.die()
        }
        try ObjectHopKillTests.run(path, log: log)
        KillPoint.die()
      }
      committed += try FileSystem.size(of: log) ?? 0
      kills += 1
    }
    try Self.run(folder.path, log: folder.path + "/log-last")
    committed += try #require(try FileSystem.size(of: folder.path + "/log-last"))
    // A process may die after it committed a batch and before it said so.
    #expect((batches - kills...batches).contains(committed), "seed \(seed)")
    #expect(try step.digest() == whole, "seed \(seed)")
    print("\(kills) kills within \(batches) batches, seed \(seed)")
  }
}
