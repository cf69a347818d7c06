import MigrationPlanning
import ObjectModel
import Testing

/// Derived attributes of other names and types, which no version hash sees.
@Suite struct DerivedColumnTests {
  private static func version(
    _ name: String,
    _ attribute: String,
    _ type: AttributeType,
    modifier: String? = nil
  ) throws -> ModelVersion {
    var title = AttributeDescription(name: "title", attributeType: .string)
    title.isOptional = true
    title.versionHashModifier = modifier
    var derived = AttributeDescription(name: attribute, attributeType: type)
    derived.isOptional = true
    derived.derivationExpression = .init(parsing: "canonical:(title)")
    var note = EntityDescription(name: "Note")
    note.attributes = [title, derived]
    return ModelVersion(
      modelName: "M",
      name: name,
      model: try ManagedObjectModel(entities: [note]),
      isCurrent: name == "v2",
      path: name
    )
  }

  @Test(
    arguments: [
      ("folded", .string, []), ("search", .string, ["error WS340 Note.search"]),
      ("folded", .integer64, ["error WS340 Note.folded"]),
    ] as [(String, AttributeType, [String])]
  )
  func `are reported where no store is migrated`(
    name: String,
    type: AttributeType,
    findings: [String]
  ) throws {
    let versions = try [
      Self.version("v1", "folded", .string), Self.version("v2", name, type),
    ]
    try #require(
      versions[0].model.entityVersionHashes == versions[1].model.entityVersionHashes
    )
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let told = graph.nodes[0].otherReadings(of: [versions[0]], in: versions[1])
    #expect(
      told.map { "\($0.severity) \($0.code.rawValue) \($0.place.subject ?? "")" } == findings
    )
    #expect(told.allSatisfy { $0.effectInApp == .unknown })
  }

  @Test func `are none where the hash changes, so that stores are migrated`() throws {
    let versions = try [
      Self.version("v1", "folded", .string),
      Self.version("v2", "search", .string, modifier: "2"),
    ]
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    #expect(graph.nodes.count == 2)
    #expect(graph.nodes[1].otherReadings(of: [versions[0]], in: versions[1]).isEmpty)
  }
}
