import MigrationPlanning
import MigrationTestSupport
import ObjectModel

/// A history of three versions whose second step cannot be inferred.
struct History {
  let versioned: VersionedModel

  init(
    _ first: String = "Note { title: String?; image: Binary? } Tag { name: String? }",
    _ second: String = "Note { title: String?; image: Binary?; pinned: Boolean = NO } "
      + "Tag { name: String? }",
    _ third: String = "Note { title: Int32?; pinned: Boolean = NO } Tag { name: String? }"
  ) throws {
    versioned = VersionedModel(
      name: "Notes",
      versions: try [first, second, third].enumerated().map { index, sketch in
        ModelVersion(
          modelName: "Notes",
          name: "v\(index + 1)",
          model: try ModelSketch.model(sketch)
        )
      }
    )
  }

  subscript(number: Int) -> ManagedObjectModel { versioned.versions[number - 1].model }

  /// A mapping between two versions, with entity mappings in words: `Note -> Note`.
  func mapping(
    _ source: Int,
    _ destination: Int,
    named name: String = "Step",
    _ pairs: [(String?, String?)],
    change: (inout EntityMapping) -> Void = { _ in }
  ) -> AuthoredMapping {
    let entities = pairs.map { pair in
      var mapping = EntityMapping(mappingType: .transform, source: pair.0, destination: pair.1)
      mapping.sourceEntityVersionHash = pair.0.flatMap { self[source].entityVersionHashes[$0] }
      mapping.destinationEntityVersionHash =
        pair.1.flatMap { self[destination].entityVersionHashes[$0] }
      mapping.attributeMappings = (pair.1.map { self[destination].attributes(of: $0) } ?? []).map {
        new in
        let old = pair.0.flatMap { self[source].property(new.name, of: $0) }?.property.attribute
        let value = Expression.source(new.name)
        let number = Expression.call("castObject:toType:", [value, .constant(.string("NSNumber"))])
        return PropertyMapping(
          name: new.name,
          valueExpression: old.map { $0.attributeType == new.attributeType ? value : number }
        )
      }
      change(&mapping)
      return mapping
    }
    return AuthoredMapping(
      name: name,
      path: "/models/\(name).xcmappingmodel",
      form: .mappingModel,
      mapping: MappingModel(entityMappings: entities),
      source: .init(hashes: self[source].entityVersionHashes, isWhole: true),
      destination: .init(hashes: self[destination].entityVersionHashes, isWhole: true)
    )
  }
}
