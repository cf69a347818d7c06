public import ObjectModel

/// A property's value in a record of an object.
public enum RecordValue: Hashable, Sendable {
  /// A part of a composite attribute.
  public struct Element: Hashable, Sendable {
    /// The name within the composite.
    public var name: String
    /// The value.
    public var value: RecordValue
  }

  /// No value.
  case nothing
  /// A value of an attribute.
  case scalar(AttributeValue)
  /// The elements of a composite attribute, in the model's order.
  case composite([Element])
  /// A transformable value that is a property list.
  case propertyList(PropertyListValue)
  /// The bytes of a transformable value that only the app's own code can read.
  case encoded([UInt8])
  /// The name of the file, in the folder of a dump's files, that has the bytes.
  case file(String)
  /// The key of the object that a to-one relationship leads to.
  case object(Int64)
  /// The keys of the objects that a to-many relationship leads to, in their order where it has one.
  case objects([Int64])
  /// The values at the end of a key path through a to-many relationship.
  case list([RecordValue])
  /// A stored value that is none of the attribute's type: a number, a text, or bytes.
  case unreadable(AttributeValue)
}

/// A count of values, links or rows of a store that are not as its model has them.
public struct ReadingFault: Hashable, Encodable, Sendable {
  /// The kind of a fault.
  public enum Kind: String, Hashable, Encodable, Sendable, CaseIterable {
    /// A stored value that is not of the attribute's type; a record has it as ``RecordValue/unreadable(_:)``.
    case wrongType
    /// Bytes whose file is not beside the store, or that have an unknown tag.
    case missingFile
    /// An instant in no year from 0 to 9999; it is kept as a number.
    case noDate
    /// A link to an object that is not there; a record has no link in its place.
    case brokenLink
    /// A row of a table whose entity the model does not know, or that is abstract; there is no record of it.
    case unknownEntity
  }

  /// The kind.
  public var kind: Kind
  /// The entity; of rows without one, the root entity of their table.
  public var entity: String
  /// The property; nil for rows.
  public var property: String?
  /// The number of values, links or rows.
  public var count: Int64

  /// The place and the kind in words, without a value.
  public var summary: String {
    let place = property.map { "\(entity).\($0)" } ?? entity
    let things = count == 1
    return switch kind {
    case .wrongType:
      "\(place): \(count) value\(things ? " is" : "s are") not of the attribute's type"
    case .missingFile:
      "\(place): the file\(things ? "" : "s") of \(count) value\(things ? " is" : "s are") missing"
    case .noDate: "\(place): \(count) instant\(things ? " is" : "s are") in no year from 0 to 9999"
    case .brokenLink: "\(place): \(count) link\(things ? " leads" : "s lead") to no object"
    case .unknownEntity:
      "\(place): \(count) row\(things ? " is" : "s are") of no entity, and left out"
    }
  }
}
