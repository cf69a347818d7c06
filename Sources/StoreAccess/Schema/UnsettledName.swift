/// A name in a store that is no known function of the model, and how it was settled.
///
/// Core Data chooses such names by an order inside the framework. A wrong one opens, and fails at
/// the first fetch. Measured on stores of public apps.
package struct UnsettledName: Hashable, Sendable {
  /// The kind of an open choice.
  package enum Kind: Hashable, Sendable {
    /// The one of two inverse relationships that names their join table.
    case masterRelationship
    /// The one of several columns with one name that gets a number.
    case columnSuffix
  }

  /// The ground for a choice, the best first.
  package enum Settler: Int, Hashable, Sendable, CaseIterable {
    /// The store itself, which Core Data made for this model.
    case realStore
    /// Another store that Core Data made for this model.
    case sample
    /// The store of an earlier version in which the entity has the same properties.
    case unchangedPropertySet
    /// The name has no evidence.
    case guess
  }

  /// The kind of the choice.
  package let kind: Kind
  /// The relationships among which the choice is.
  package let relationships: [PropertyReference]
  /// The join table's name as chosen.
  package let tableName: String
  /// The column's name as chosen, where it is a column that is open.
  package let columnName: String?
  /// The ground for the choice.
  package let settler: Settler
}
