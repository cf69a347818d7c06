/// The result of an expression.
public enum ExpressionValue {
  /// The value `nil`.
  case nothing
  /// A value of an attribute.
  case scalar(AttributeValue)
  /// An object, or anything else that has values by keys.
  case object(any KeyValueObject)
  /// Members in their order.
  case list([ExpressionValue])
  /// Members in no order, each once.
  case set([ExpressionValue])
}

/// An object whose values are known by keys: a managed object, or a variable's object.
///
/// Counterpart of key-value coding, as far as expressions use it. Objects belong to one thread at a
/// time.
public protocol KeyValueObject: AnyObject {
  /// The identity of the object within one evaluation; several instances of one object share it.
  var identity: ObjectIdentity { get }

  /// Returns the value of a property: an attribute's, the object that a to-one leads to, or the set
  /// (for an ordered relationship: the list) of those that a to-many leads to.
  ///
  /// - Throws: An error that names the key where the object has no such property.
  func value(forKey key: String) throws -> ExpressionValue
}

/// The identity of an object: the store it is in, its entity and its key there.
public struct ObjectIdentity: Hashable, Sendable {
  /// The database: `source` or `destination`.
  public var store: String
  /// The name of the root entity.
  public var entity: String
  /// The key, unique below the root entity.
  public var key: Int64

  /// The identity of a row.
  public init(store: String, entity: String, key: Int64) {
    self.store = store
    self.entity = entity
    self.key = key
  }
}
