/// A search for the attributes with which an entity has a given version hash.
///
/// All that stays the same is hashed once.
package struct HashTrial {
  /// The identity of an attribute within the model.
  package typealias ID = ManagedObjectModel.DeclaredProperty.ID

  private let hasher: VersionHasher
  private let entityName: String
  private var known: [ID: [UInt8]] = [:]

  /// A search for an entity of a model.
  package init(_ model: ManagedObjectModel, entity name: String) {
    hasher = VersionHasher(model: model)
    entityName = name
  }

  /// Returns the identity of an attribute that an entity declares.
  package static func id(_ attribute: String, of entity: String) -> ID {
    ID(entityName: entity, propertyName: attribute)
  }

  /// Returns the part of a version hash that an attribute makes; nil for one that has none.
  ///
  /// - Parameter composites: The composites that it leads to.
  package static func part(
    of attribute: AttributeDescription,
    _ composites: [CompositeDescription]
  ) -> [UInt8]? {
    VersionHasher.hash(
      attribute,
      among: composites.sorted { ByteOrder.precedes($0.name, $1.name) }
    )
  }

  /// Returns the version hash of the entity where some attributes make other parts of it.
  package mutating func hash(replacing parts: [ID: [UInt8]]) -> VersionHash? {
    hasher.hash(of: entityName, replacing: parts, known: &known).flatMap { VersionHash($0) }
  }
}
