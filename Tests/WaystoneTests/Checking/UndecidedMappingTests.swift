import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing
import Waystone

/// A mapping that fits several pairs of versions, none of which is closest.
@Suite struct UndecidedMappingTests {
  @Test(arguments: [(0, 3, 1), (1, 2, 1), (2, 3, 0)])
  func `refuses the inferred steps that it may be for, and no other`(
    start: Int,
    end: Int,
    count: Int
  ) throws {
    let versions = try [
      "Note { title: String? } Tag { name: String? }",
      "Note { title: String?; a: Int32? } Tag { name: String? }",
      "Note { title: String?; a: Int32?; b: Int32? } Tag { name: String? }",
      "Note { title: String?; a: Int32?; b: Int32? } Tag { name: String?; x: Int32? }",
    ].enumerated().map { index, sketch in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
    }
    let hash = versions[0].model.entityVersionHashes["Tag"]
    var tags = EntityMapping(mappingType: .transform, source: "Tag", destination: "Tag")
    (tags.sourceEntityVersionHash, tags.destinationEntityVersionHash) = (hash, hash)
    let hashes = hash.map { ["Tag": $0] } ?? [:]
    let mapping = AuthoredMapping(
      name: "Tags",
      path: "/Tags.cdm",
      form: .compiled,
      mapping: MappingModel(entityMappings: [tags]),
      source: .init(hashes: hashes, isWhole: false),
      destination: .init(hashes: hashes, isWhole: false)
    )
    let model = VersionedModel(name: "M", versions: versions)
    let binding = MappingBinding([mapping], to: [model])
    let graph = VersionGraph(model, authored: binding.edges)
    let plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[start],
      to: graph.nodes[end]
    )
    #expect(
      binding.unreadMappings(along: plan).map(\.code)
        == .init(repeating: .ambiguousMapping, count: count)
    )
  }
}
