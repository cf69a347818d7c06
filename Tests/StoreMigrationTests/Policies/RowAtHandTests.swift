import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Acts of a policy on objects beyond the row of which they are made, whose columns it never reads.
@Suite struct RowAtHandTests {
  private static let first =
    "N { t: String?; n: Int32?; d: Double?; b: Binary?; next -> N.last; last -> N.next }"
  private static let second =
    "N { t: String?; n: Int32?; d: Double?; b: Binary?; next -> N.last; last -> N.next; note: String? }"
  private static let rows = """
    INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZT, ZN, ZD, ZB, ZNEXT, ZLAST) VALUES
      (1, 1, 1, 'a', 5, 0.1, x'01', 2, NULL), (2, 1, 1, NULL, NULL, NULL, NULL, 4, 1),
      (4, 1, 1, CAST(x'ff61' AS TEXT), -7, 2, x'', NULL, 2), (7, 1, 1, 'd', 8, 1e300, zeroblob(70000), NULL, NULL)
    """
  private static let names = ["t", "n", "d", "b"]

  private func run(
    _ policy: EntityMigrationPolicy.Type,
    batchSize: Int,
    relationships: [String: String] = [:]
  ) throws -> [[SQLiteValue]] {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      _ = try SketchedStore(source, rows: Self.rows, at: folder + "/before.sqlite")
      var registry = MigrationRegistry()
      registry.register(policy)
      let hop = try PolicyHop(
        PolicyHop.mapping(
          [("N", "N", "\(policy)")],
          attributes: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, $0) }),
          relationships: relationships
        ),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder,
        registry: registry,
        batchSize: batchSize
      )
      try hop.run()
      return try hop.rows("SELECT Z_PK, ZT, ZN, ZD, length(ZB), ZNOTE, Z_OPT FROM ZN ORDER BY Z_PK")
    }
  }

  private static let malformed = SQLiteValue.malformedText([0xff, 0x61])

  /// Reads what it made, changes it later, and reads the source objects when their rows are long gone.
  final class Hoarder: EntityMigrationPolicy {
    private var sources: [ManagedObject] = []
    private var made: [ManagedObject] = []

    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      guard let object = try manager.createDefaultInstance(forSource: sInstance) else { return }
      // The number of the object itself, which nobody has written yet.
      if try object.integer(forKey: "n") == 5 {
        try object.setValue(.scalar(.integer(6)), forKey: "n")
      }
      if made.count == 1 { try manager.destinationContext.save() }
      let same = try manager.destinationContext.object(with: object.objectID)
      #expect(same === object)
      sources.append(sInstance)
      made.append(object)
      for earlier in made.dropLast() {
        #expect(try manager.destinationContext.object(with: earlier.objectID) === earlier)
      }
    }

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager)
      throws
    {
      for (source, object) in zip(sources, made) {
        let numbers = [try source.integer(forKey: "n"), try object.integer(forKey: "n")]
        let text = numbers.map { $0.map(String.init) ?? "-" }.joined(separator: " ")
        try object.setValue(.scalar(.string(text)), forKey: "note")
      }
    }
  }

  @Test(arguments: [1, 3, 100]) func `objects that are held are read and changed later`(
    _ batchSize: Int
  ) throws {
    #expect(
      try run(Hoarder.self, batchSize: batchSize) == [
        [1, "a", 6, .real(0.1), 1, "5 6", 1], [2, nil, nil, nil, nil, "- -", 1],
        [4, Self.malformed, -7, .real(2), 0, "-7 -7", 1],
        [7, "d", 8, .real(1e300), 70000, "8 8", 1],
      ]
    )
  }

  /// Deletes the object behind each that it connects, and makes another one meanwhile.
  final class Deleter: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      try manager.createDefaultRelationships(forDestination: dInstance)
      guard let next = try dInstance.object(forKey: "next") else { return }
      let more = try manager.destinationContext.insert(entityName: "N")
      try more.setValue(dInstance.value(forKey: "t"), forKey: "note")
      try manager.destinationContext.delete(next)
      #expect(try dInstance.object(forKey: "next") == nil)
    }
  }

  @Test(arguments: [1, 100]) func `objects that are deleted while others are connected stay gone`(
    _ batchSize: Int
  ) throws {
    let rows = try run(Deleter.self, batchSize: batchSize, relationships: ["next": "next"])
    #expect(rows.map { $0[0] } == [1, 4, 7, 1001])
    #expect(rows.last?[5] == "a" && rows[0][2] == 5)
  }

  /// Saves what is there while a value of it is computed.
  final class Saver: EntityMigrationPolicy {
    override func call(
      _ selector: String,
      arguments: [ExpressionValue],
      manager: MigrationManager
    ) throws -> ExpressionValue {
      try manager.destinationContext.save()
      return .scalar(.string("saved"))
    }
  }

  @Test(arguments: [1, 100]) func `an object that is written while it is assigned gets all values`(
    _ batchSize: Int
  ) throws {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      _ = try SketchedStore(source, rows: Self.rows, at: folder + "/before.sqlite")
      var registry = MigrationRegistry()
      registry.register(Saver.self)
      var mapping = EntityMapping(mappingType: .custom, source: "N", destination: "N")
      mapping.entityMigrationPolicyClassName = "Saver"
      let note = Expression.function(
        .variable("entityPolicy"),
        selector: "save",
        arguments: []
      )
      mapping.attributeMappings = [
        PropertyMapping(name: "t", valueExpression: .source("t")),
        PropertyMapping(name: "note", valueExpression: note),
        PropertyMapping(name: "n", valueExpression: .source("n")),
        PropertyMapping(name: "d", valueExpression: .source("d")),
      ]
      let hop = try PolicyHop(
        MappingModel(entityMappings: [mapping]),
        from: source,
        to: ModelSketch.model("N { t: String?; note: String?; n: Double?; d: Decimal? }"),
        in: folder,
        registry: registry,
        batchSize: batchSize
      )
      try hop.run()
      #expect(
        try hop.rows("SELECT Z_PK, ZT, ZNOTE, ZN FROM ZN WHERE Z_PK < 3 ORDER BY Z_PK") == [
          [1, "a", "saved", .real(5)], [2, nil, "saved", nil],
        ]
      )
    }
  }
}
