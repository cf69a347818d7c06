import Foundation
import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing
import WaystoneCommand

/// Stores of several models at once, and of one configuration, through the whole command.
@Suite struct MergedStoreTests {
  private static let notes: [(name: String, entities: String)] = [
    (
      "n1",
      #"<entity name="Note"><attribute name="a" optional="YES" attributeType="String"/></entity>"#
    ),
    (
      "n2",
      #"""
      <entity name="Note"><attribute name="a" optional="YES" attributeType="String"/>
      <attribute name="b" optional="YES" attributeType="Date"/></entity>
      """#
    ),
  ]
  private static let tags: [(name: String, entities: String)] = [
    (
      "t1",
      #"<entity name="Tag"><attribute name="x" optional="YES" attributeType="String"/></entity>"#
    ),
    (
      "t2",
      #"""
      <entity name="Label"/>
      <entity name="Tag"><attribute name="y" optional="YES" attributeType="String" elementID="x"/>
      </entity>
      """#
    ),
  ]

  /// Writes models and a store of a model made from the first versions.
  private func withStore(
    _ models: [String: [(name: String, entities: String)]],
    _ make: ([VersionedModel]) throws -> ManagedObjectModel,
    body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      for (name, versions) in models {
        try SketchedModel.write(versions, into: "\(folder)/ModelArchive", model: name)
      }
      let archive = try ArchiveLoader.load("\(folder)/ModelArchive")
      try StoreGenerator(model: make(archive.models), rows: 20, seed: 3)
        .write(to: "\(folder)/Old.sqlite")
      try body(folder)
    }
  }

  @Test func `a store of two models moves both, or one`() throws {
    try withStore(["Notes": Self.notes, "Tags": Self.tags]) { models in
      try ManagedObjectModel.merging(models.map { $0.versions[0].model })
    } body: { folder in
      let inspection = CommandRun("inspect", "Old.sqlite", "--format", "json", in: folder)
      let versions = try inspection.json()["versions"] as? [String]
      #expect(versions == ["n1", "t1"])
      let plan = CommandRun(
        ["plan", "Old.sqlite", "--to", "n2,t2", "--history", "--format", "json"],
        in: folder
      )
      #expect(plan.status == .success, "\(plan.errors)")
      let hops = try plan.json()["hops"] as? [[String: Any]]
      #expect(hops?.count == 2)
      for (end, expected) in [("n2,t2", ["n2", "t2"]), ("t2", ["n1", "t2"])] {
        let output = "\(expected.joined()).sqlite"
        let run = CommandRun("migrate", "Old.sqlite", "--to", end, "--output", output, in: folder)
        #expect(run.status == .success, "\(run.errors)")
        let result = CommandRun("inspect", output, "--format", "json", in: folder)
        let found = try result.json()["versions"] as? [String]
        #expect(found == expected)
      }
      let wrong = CommandRun("plan", "Old.sqlite", "--to", "v9", in: folder)
      #expect(wrong.status == .usage)
    }
  }

  @Test func `a store of one configuration keeps to it`() throws {
    let models = zip(Self.notes, Self.tags).map { note, tag in
      (
        name: note.name.replacingOccurrences(of: "n", with: "v"),
        entities: note.entities + tag.entities
          + #"<configuration name="Local"><memberEntity name="Tag"/></configuration>"#
      )
    }
    try withStore(["Both": models]) { models in
      try models[0].versions[0].model.restricted(to: ["Tag"])
    } body: { folder in
      let run = CommandRun(
        "migrate",
        "Old.sqlite",
        "--to",
        "v2",
        "--output",
        "New.sqlite",
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let store = try PersistentStore(reading: "\(folder)/New.sqlite")
      #expect(store.metadata.versionHashes.keys.sorted() == ["Tag"])
      #expect(try store.connection.integer("SELECT COUNT(*) FROM ZTAG") == 20)
      #expect(try store.connection.rows("SELECT ZY FROM ZTAG").isEmpty == false)
    }
  }
}
