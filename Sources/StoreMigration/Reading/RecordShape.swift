package import ObjectModel
import StoreAccess

/// The properties of an entity's records, with the places of their values in a row.
package final class RecordShape {
  /// A property that a store keeps.
  package struct Property {
    /// The name, as the model has it.
    package let name: String
    let storage: Storage

    /// The attribute; nil for relationships and composites.
    package var attribute: AttributeDescription? {
      if case .attribute(let slot) = storage { slot.attribute } else { nil }
    }
    /// The relationship; nil for attributes.
    package var relationship: RelationshipDescription? {
      switch storage {
      case .toOne(let slot), .toMany(let slot): slot.relationship
      case .attribute, .composite: nil
      }
    }
    /// The elements of a composite attribute, with their names within it; nil for all else.
    package var elements: [(name: String, attribute: AttributeDescription)]? {
      guard case .composite(let slots) = storage else { return nil }
      return slots.map { ($0.attribute.ownName, $0.attribute) }
    }
  }

  /// The place of a property's values.
  enum Storage {
    case attribute(AttributeSlot)
    case composite([AttributeSlot])
    case toOne(RelationshipSlot)
    case toMany(RelationshipSlot)
  }

  /// The name of the entity.
  package let entityName: String
  /// The stored properties, own and inherited, in the order of their names.
  package let properties: [Property]
  /// The place of each property.
  package let places: [String: Int]
  let layout: EntityLayout

  init(_ layout: EntityLayout, model: ManagedObjectModel) {
    self.layout = layout
    entityName = layout.entity.name
    properties = model.declaredProperties(of: layout.entity.name).compactMap { declared in
      let name = declared.property.name
      let storage: Storage? =
        switch layout.properties[name] {
        case .attribute(let slot): .attribute(slot)
        case .composite(let elements):
          .composite(
            elements.compactMap {
              if case .attribute(let slot)? = layout.properties[$0.name] { slot } else { nil }
            }
          )
        case .relationship(let slot): slot.relationship.isToMany ? .toMany(slot) : .toOne(slot)
        case .transient, .unreadable, nil: nil
        }
      return storage.map { Property(name: name, storage: $0) }
    }
    places = Dictionary(uniqueKeysWithValues: properties.enumerated().map { ($1.name, $0) })
  }

  /// Returns whether a row has the place of a to-one's object in the list of its inverse.
  package func hasOrder(_ property: Property) -> Bool {
    if case .toOne(let slot) = property.storage { slot.orderSlot != nil } else { false }
  }
}
