import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct VersionIdentificationTests {
  private func version(
    _ name: String,
    of model: String = "M",
    _ sketch: String,
    configurations: [String: [String]] = [:]
  ) throws -> ModelVersion {
    let plain = try ModelSketch.model(sketch)
    let model = ModelVersion(
      modelName: model,
      name: name,
      model: try ManagedObjectModel(entities: plain.entities, configurations: configurations)
    )
    return model
  }

  private func hashes(_ sketch: String) throws -> [String: VersionHash] {
    try ModelSketch.model(sketch).entityVersionHashes
  }

  @Test func `a version is known by all its hashes`() throws {
    let versions = [try version("1", "A { }"), try version("2", "A { x: Int16? }")]
    let found = VersionIdentification(
      storeHashes: try hashes("A { x: Int16? }"),
      versions: versions
    )
    #expect(found.match == .exact)
    #expect(found.versions.map(\.name) == ["2"])
  }

  @Test func `equal versions are all named`() throws {
    let versions = [
      try version("1", "A { x: Int16? = 1 }"), try version("2", "A { x: Int16? = 2 }"),
    ]
    let found = VersionIdentification(
      storeHashes: try hashes("A { x: Int16? }"),
      versions: versions
    )
    #expect(found.match == .equalVersions)
    #expect(found.versions.map(\.name) == ["1", "2"])
  }

  @Test func `a store of several models is put together`() throws {
    let versions = [
      try version("1", of: "M", "A { }"), try version("2", of: "M", "A { x: Int16? }"),
      try version("1", of: "N", "B { }"), try version("2", of: "N", "B { } C { }"),
    ]
    let found = VersionIdentification(
      storeHashes: try hashes("A { } B { } C { }"),
      versions: versions
    )
    #expect(found.match == .merged)
    #expect(found.versions.map(\.qualifiedName) == ["M/1", "N/2"])
    let graph = VersionGraph(VersionedModel(name: "M", versions: Array(versions.prefix(2))))
    let error = #expect(throws: PlanningError.self) {
      try MigrationPlanner(graph: graph).plan(for: found, to: graph.nodes[1])
    }
    #expect(error?.code == .mergedModels(["M/1", "N/2"]))
  }

  @Test func `a store may hold one configuration only`() throws {
    let versions = [
      try version("1", "A { } B { } C { }", configurations: ["Local": ["C", "A"], "All": ["A"]])
    ]
    let found = VersionIdentification(storeHashes: try hashes("A { } C { }"), versions: versions)
    #expect(found.match == .configuration("Local"))
    let other = VersionIdentification(storeHashes: try hashes("B { } C { }"), versions: versions)
    #expect(other.match == .configuration(nil))
  }

  @Test func `the nearest version is told with what differs`() throws {
    let versions = [
      try version("1", "A { } B { }"), try version("2", "A { x: Int16? } B { } C { }"),
      try version("3", "A { x: Int32? } C { y: Int16? }"),
    ]
    let sketch = "A { x: Int16? } B { y: Date? } D { }"
    let found = VersionIdentification(
      storeHashes: try hashes(sketch),
      versions: versions,
      storeModel: try ModelSketch.model(sketch)
    )
    #expect(found.match == .nearest)
    #expect(found.versions.isEmpty)
    #expect(found.nearest.first?.version.name == "2")
    #expect(
      found.nearest.first?.differences.map { "\($0.entityName) \($0.kind) \($0.propertyNames)" }
        == ["B differs [\"y\"]", "C onlyInVersion []", "D onlyInStore []"]
    )
    let none = VersionIdentification(storeHashes: try hashes("Z { }"), versions: versions)
    #expect(none.match == .none)
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let error = #expect(throws: PlanningError.self) {
      try MigrationPlanner(graph: graph).plan(for: found, to: graph.nodes[2])
    }
    #expect(error?.code == .unknownStoreVersion(nearest: "M/2", differing: ["B", "C", "D"]))
  }
}
