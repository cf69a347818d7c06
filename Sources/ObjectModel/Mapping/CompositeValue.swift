/// The value of a composite attribute: a dictionary of its elements' values, as Core Data has it.
///
/// A composite without any value is ``ExpressionValue/nothing``, and one whose elements are all nothing
/// is the same.
public final class CompositeValue {
  /// The values of the elements by their names within the composite.
  public let elements: [String: ExpressionValue]
  /// The identity of the value: the object that has it, and the attribute.
  public let identity: ObjectIdentity

  /// A value to give to a composite attribute; elements that are left out are nothing.
  public init(_ elements: [String: ExpressionValue]) {
    self.elements = elements
    identity = ObjectIdentity(store: "", entity: "", key: 0)
  }

  /// The value of an object's composite attribute.
  package init(
    _ elements: [String: ExpressionValue],
    of attributeName: String,
    in owner: ObjectIdentity
  ) {
    self.elements = elements
    identity = ObjectIdentity(
      store: owner.store,
      entity: "\(owner.entity).\(attributeName)",
      key: owner.key
    )
  }
}

extension CompositeValue: KeyValueObject {
  /// Returns the value of an element.
  ///
  /// - Throws: ``EvaluationError`` where the composite has no such element.
  public func value(forKey key: String) throws -> ExpressionValue {
    guard let value = elements[key] else {
      throw EvaluationError(
        .unknownKey,
        "The composite has no element \(key).",
        recovery: "Correct the name."
      )
    }
    return value
  }
}
