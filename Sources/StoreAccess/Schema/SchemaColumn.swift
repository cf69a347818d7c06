internal import ObjectModel

/// A column that Core Data makes, with the part of the model that it holds.
package struct SchemaColumn: Hashable, Sendable {
  /// The purpose of a column.
  package enum Role: Hashable, Sendable {
    /// `Z_PK`: the row's key, unique in the table.
    case primaryKey
    /// `Z_ENT`: the number of the row's entity.
    case entityNumber
    /// `Z_OPT`: how often the row was saved, for optimistic locking.
    case optimisticLock
    /// The value of an attribute, derived ones included.
    case attribute(entity: String, name: String)
    /// The key of a to-one relationship's destination.
    case toOneKey(entity: String, relationship: String)
    /// The entity number of a to-one relationship's destination, which has subentities.
    case toOneEntity(entity: String, relationship: String)
    /// The place among the destinations of the ordered inverse of this to-one relationship.
    case orderKey(entity: String, relationship: String)
    /// The key of the owner of a to-many relationship without inverse, in the destination's row.
    case oneSidedOwner(entity: String, relationship: String)
    /// The place among the destinations of an ordered to-many relationship without inverse.
    case oneSidedOrder(entity: String, relationship: String)
    /// The key in a join table to which this relationship leads.
    case joinKey(entity: String, relationship: String)
    /// The place in a join table among the destinations of this ordered relationship.
    case joinOrder(entity: String, relationship: String)
  }

  /// The name as Core Data spells it, all capitals.
  package let name: String
  /// The type in CREATE TABLE, such as `INTEGER`, from which SQLite takes the affinity.
  package let declaredType: String
  /// The purpose of the column.
  package let role: Role

  /// Whether the column is the table's primary key, or a part of it.
  var isKey: Bool {
    switch role {
    case .primaryKey, .joinKey: true
    default: false
    }
  }

  var definition: String {
    let suffix = if case .primaryKey = role { " PRIMARY KEY" } else { "" }
    return "\(SchemaName.sql(name)) \(declaredType)\(suffix)"
  }
}

extension AttributeType {
  /// The group of columns of this type in a new table: lower groups come first.
  var columnGroup: ColumnGroup? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integers
    case .float, .double, .date: .reals
    case .decimal: .decimals
    case .string: .strings
    case .uri: .uris
    case .uuid: .uuids
    case .transformable: .transformables
    case .binary: .binaries
    case .undefined, .objectID, .composite: nil
    }
  }
}

/// The groups of columns in a new table, in order.
enum ColumnGroup: Int, CaseIterable {
  case integers, orderKeys, oneSided, reals, decimals, strings, uris, uuids, transformables
  case binaries
}
