import MigrationPlanning
import ObjectModel
import StoreAccess

/// The origin of the values of a final attribute.
enum AttributeLineage: Hashable {
  /// The values of a source attribute.
  case carried(attribute: String, [ExpectedConversion])
  /// A value for all rows, or none, that a hop introduced.
  case introduced(AttributeValue?, isExternal: Bool, [ExpectedConversion])
  /// The value was computed by a hop, so the source cannot prove it.
  case computed
}

extension Lineage {
  /// Returns the lineage of an attribute for the rows of one final entity that the source has too.
  func attribute(_ name: String, of final: String) -> AttributeLineage {
    guard let chain = chains[final] else { return .introduced(nil, isExternal: false, []) }
    var name = name
    var conversions: [ExpectedConversion] = []
    for version in stride(from: hops.count, to: 0, by: -1) {
      let nothing = AttributeLineage.introduced(nil, isExternal: false, conversions)
      guard let attribute = attribute(name, of: chain[version], version: version),
        let entity = hops[version - 1].maker(of: chain[version]),
        let origin = entity.attributes[name]
      else { return nothing }
      if entity.derived.contains(name) {
        // Computed anew in the checkpoint of each hop; only the time of the save never is.
        if version < hops.count, attribute.derivationExpression != .now { return .computed }
      } else if case .constant(let value) = origin {
        return .introduced(
          value,
          isExternal: attribute.allowsExternalBinaryDataStorage,
          conversions
        )
      }
      if origin.isComputed { return .computed }
      guard origin.isOfStoredValue, let carried = origin.unchanged.carriedProperty,
        let old = self.attribute(carried, of: chain[version - 1], version: version - 1)
      else { return nothing }
      let conversion = ExpectedConversion(origin, from: old, to: attribute)
      if !conversion.isIdentity { conversions.insert(conversion, at: 0) }
      name = carried
    }
    return .carried(attribute: name, conversions)
  }

  private func attribute(
    _ name: String,
    of entity: String,
    version: Int
  ) -> AttributeDescription? {
    models[version].property(name, of: entity)?.property.attribute
  }
}
