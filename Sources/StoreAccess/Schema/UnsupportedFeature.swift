package import ObjectModel

/// A part of a model whose place in a store is not known, so that no plan may touch such a store.
package struct UnsupportedFeature: Hashable, Sendable {
  /// The reason that the place is not known.
  package enum Kind: Hashable, Sendable {
    /// A composite attribute without elements, or with elements of a form that no measured store has.
    case compositeAttribute
    /// A uniqueness constraint over a composite attribute as a whole.
    case compositeConstraint
    /// A persistent attribute of a type that no measured store has.
    case attributeType
    /// An entity whose version hash is not known.
    case unknownHash
    /// A subentity declares a property that an ancestor declares too.
    case redeclaredProperty
    /// A persistent relationship whose inverse is transient or has another inverse.
    case inverse
    /// An ordered relationship that is its own inverse.
    case orderedReflexiveRelationship
    /// Two tables get one name.
    case tableName
  }

  /// The reason that the place is not known.
  package let kind: Kind
  /// The entity.
  package let entityName: String
  /// The property, where it is one.
  package let propertyName: String?
}

extension UnsupportedFeature: CustomStringConvertible {
  package var description: String { statement.text }

  /// A sentence that names the place and the reason.
  package var statement: Finding.Text {
    let place = propertyName.map { "\(entityName).\($0)" } ?? entityName
    return switch kind {
    case .compositeAttribute:
      "\(subject: place) is a composite attribute of a form that no store has shown: it has no elements, or one "
        + "that is a composite, derived or transient."
    case .compositeConstraint:
      "\(subject: place) is a composite attribute and must be unique; how stores keep that is not known."
    case .attributeType: "How stores keep attributes of the type of \(place) is not known."
    case .unknownHash:
      "The version hash of \(place) is not known: what is made of it would have another one."
    case .redeclaredProperty: "\(subject: place) \(.is) declared by an ancestor, too."
    case .inverse:
      "\(subject: place) \(.is) stored, but \(.its) inverse is not, or does not lead back to it."
    case .orderedReflexiveRelationship: "\(subject: place) \(.is) ordered and \(.its) own inverse."
    case .tableName: "The table of \(place) has the name of another one."
    }
  }
}

/// An index of a model that is not made.
package struct UnsupportedIndex: Hashable, Sendable {
  /// The reason that an index is not made.
  package enum Reason: Hashable, Sendable {
    /// An R-tree, whose table Core Data makes at another moment.
    case rTree
    /// An element is an expression other than `self` and `entity`.
    case expression
    /// The predicate cannot be expressed in SQL with certainty.
    case predicate
    /// The index is over a composite attribute as a whole, which no measured store has.
    case composite
    /// Another index or a table has the name; Core Data keeps the one that comes first.
    case name
  }

  /// The entity.
  package let entityName: String
  /// The index.
  package let indexName: String
  /// The reason that it is not made.
  package let reason: Reason

  package init(entityName: String, indexName: String, reason: Reason) {
    self.entityName = entityName
    self.indexName = indexName
    self.reason = reason
  }
}
