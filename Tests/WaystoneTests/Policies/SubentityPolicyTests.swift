import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing
import Waystone

/// A policy whose entity mapping leads to an abstract entity, of which it makes the subentities.
@Suite struct SubentityPolicyTests {
  final class PartPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      guard case .scalar(.integer(let size)) = try source.value(forKey: "size") else { return }
      let name = size % 2 == 0 ? "Rest" : "Set"
      let part = try manager.destinationContext.insert(entityName: name)
      try part.setValue(.scalar(.integer(size)), forKey: "size")
      try manager.associate(sourceInstance: source, withDestinationInstance: part, for: mapping)
    }
  }

  /// Relies on what a mapping makes by itself, which an abstract entity has not.
  final class PlainPolicy: EntityMigrationPolicy {}

  private func migrate(
    by policy: EntityMigrationPolicy.Type,
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/store.sqlite"
      let versions = try [
        "Step { size: Int32 }", "abstract Part { size: Int32 } Rest : Part {} Set : Part {}",
      ].enumerated().map { index, text in
        ModelVersion(modelName: "Gym", name: "v\(index + 1)", model: try ModelSketch.model(text))
      }
      try StoreGenerator(model: versions[0].model, rows: 20, seed: 3).write(to: path)
      try AppDatabase(path).execute("UPDATE ZSTEP SET ZSIZE = Z_PK")
      var mapping = EntityMapping(mappingType: .custom, source: "Step", destination: "Part")
      mapping.entityMigrationPolicyClassName = "PartPolicy"
      var options = MigrationOptions()
      options.registry.register(policy, as: "PartPolicy")
      options.edges = [
        AuthoredEdge(
          source: versions[0].model.entityVersionHashes,
          destination: versions[1].model.entityVersionHashes,
          mapping: MappingModel(entityMappings: [mapping]),
          origins: []
        )
      ]
      options.planning.acceptLoss = .any
      options.planning.acceptUnknown = true
      let models = ModelArchive(models: [VersionedModel(name: "Gym", versions: versions)])
      let store = try Store(reading: URL(filePath: path))
      try models.plan(for: store, to: "v2", options).migrate(store, options)
      try body(path)
    }
  }

  @Test func `it makes objects of subentities`() throws {
    try migrate(by: PartPolicy.self) { path in
      let rows = try SQLiteConnection(path: path, access: .readOnly).rows(
        "SELECT Z_NAME, COUNT(*), SUM(ZSIZE) FROM ZPART JOIN Z_PRIMARYKEY USING (Z_ENT) GROUP BY 1"
      )
      #expect(
        rows == [
          [.text("Rest"), .integer(10), .integer(110)],
          [.text("Set"), .integer(10), .integer(100)],
        ]
      )
    }
  }

  @Test func `an abstract entity itself ends the run by its name`() throws {
    let error = #expect(throws: (any Error).self) { try migrate(by: PlainPolicy.self) { _ in } }
    #expect("\(try #require(error))".contains("Part is abstract"))
  }
}
