import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

@Suite struct `What a store has` {
  private static let model = """
    abstract Thing { name: String?; owner -> Person.things }
    Lamp : Thing { watts: Int32? }
    Person { things ->> Thing.owner; friends ->> Person.friendOf; friendOf ->> Person.friends }
    Note { text: String?; more ->> Person }
    """

  @Test func `rows, values and links are counted by what the model declares`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.model)
      let path = "\(folder)/a.sqlite"
      try StoreGenerator(model: model, rows: 90, seed: 5).write(to: path)
      let found = try StorePopulation(of: path, model: model)
      #expect(found.rows == ["Lamp": 30, "Person": 30, "Note": 30])
      let connection = try SQLiteConnection(path: path, access: .readOnly)
      func count(_ column: String, _ table: String) throws -> Int {
        Int(try connection.integer("SELECT COUNT(\(column)) FROM \(table)") ?? -1)
      }
      func place(_ entity: String, _ property: String) -> PropertyReference {
        PropertyReference(entityName: entity, propertyName: property)
      }
      #expect(try found.values[place("Lamp", "watts")] == count("ZWATTS", "ZTHING"))
      #expect(try found.values[place("Thing", "name")] == count("ZNAME", "ZTHING"))
      #expect(try found.links[place("Thing", "owner")] == count("ZOWNER", "ZTHING"))
      #expect(found.links[place("Person", "things")] == found.links[place("Thing", "owner")])
      #expect(found.links[place("Person", "friends")] ?? 0 > 0)
      #expect(found.links[place("Note", "more")] ?? 0 > 0)
      #expect(found.values[place("Lamp", "watts")] ?? 30 < 30)
    }
  }

  @Test func `an empty store has nothing of everything`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.model)
      let path = "\(folder)/a.sqlite"
      try StoreGenerator(model: model, rows: 0, seed: 5).write(to: path)
      let found = try StorePopulation(of: path, model: model)
      #expect(found.rows == ["Lamp": 0, "Person": 0, "Note": 0])
      #expect(found.values.count == 3)
      #expect(found.values.values.allSatisfy { $0 == 0 })
      #expect(found.links.count == 5)
    }
  }
}

@Suite struct `A store of 100 MB that nobody has` {
  private func bytes(_ versions: String...) throws -> Int64? {
    let model = VersionedModel(
      name: "Notes",
      versions: try versions.enumerated().map { index, sketch in
        ModelVersion(
          modelName: "Notes",
          name: "v\(index + 1)",
          model: try ModelSketch.model(sketch)
        )
      }
    )
    let graph = VersionGraph(model)
    let plan = try MigrationPlanner(graph: graph)
      .plan(from: graph.nodes[0], to: graph.nodes[graph.nodes.count - 1])
    var hops = HopCache()
    return ReferenceStore(model: graph.nodes[0].model).bytesWritten(by: plan, among: &hops)
  }

  @Test func `a new column costs next to nothing, and a rebuilt table all of it`() throws {
    let added = try bytes("Note { a: String? }", "Note { a: String?; b: String? }")
    #expect(added ?? .max < 1_000_000)
    let rebuilt = try bytes("Note { a: String? }", "Letter { b: Date? } Note { a: String? }")
    #expect(rebuilt ?? 0 > 90_000_000)
    let part = try bytes(
      "Note { a: String? } Tag { b: String? }",
      "Note { a: String? } Tag { b: String?; c: Int32? }"
    )
    #expect(part ?? .max < 1_000_000)
  }

  @Test func `what another store's plan writes grows with the store`() {
    let size = HopSize(rows: 10, bytes: (64 << 10) + 500_000, diskNeeded: 0)
    let scaled = ReferenceStore.scaled([size], storeOf: 1_000_000)
    #expect(scaled == (64 << 10) + 50_000_000)
    #expect(ReferenceStore.scaled([], storeOf: 0) == 0)
  }
}
