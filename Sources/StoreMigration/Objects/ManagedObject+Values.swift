public import ObjectModel

// Values as Swift has them; all are nil where the object has none.
extension ManagedObject {
  /// Returns the text of an attribute of type String or URI.
  ///
  /// - Throws: ``MigrationError`` where the value is of another type.
  public func string(forKey key: String) throws -> String? {
    switch try scalar(forKey: key) {
    case .string(let text), .uri(let text): text
    case nil: nil
    default: throw mismatch(key, "text")
    }
  }

  /// Returns the value of an integer attribute, or of another number that is whole.
  ///
  /// - Throws: ``MigrationError`` where the value is no whole number.
  public func integer(forKey key: String) throws -> Int64? {
    switch try scalar(forKey: key) {
    case .integer(let value): return value
    case .boolean(let value): return value ? 1 : 0
    case .real(let value):
      guard let integer = Int64(exactly: value) else { throw mismatch(key, "a whole number") }
      return integer
    case .decimal(let digits):
      guard case .integer(let integer)? = DecimalText.stored(digits)?.value else {
        throw mismatch(key, "a whole number")
      }
      return integer
    case nil: return nil
    default: throw mismatch(key, "a number")
    }
  }

  /// Returns the value of a numeric attribute.
  ///
  /// - Throws: ``MigrationError`` where the value is no number.
  public func double(forKey key: String) throws -> Double? {
    switch try scalar(forKey: key) {
    case .real(let value): return value
    case .integer(let value): return Double(value)
    case .boolean(let value): return value ? 1 : 0
    case .decimal(let digits):
      guard let value = Double(digits) else { throw mismatch(key, "a number") }
      return value
    case nil: return nil
    default: throw mismatch(key, "a number")
    }
  }

  /// Returns the value of a Boolean attribute, or of a number that is 0 or 1.
  ///
  /// - Throws: ``MigrationError`` where the value is neither.
  public func bool(forKey key: String) throws -> Bool? {
    switch try scalar(forKey: key) {
    case .boolean(let value): value
    case .integer(0): false
    case .integer(1): true
    case nil: nil
    default: throw mismatch(key, "true or false")
    }
  }

  /// Returns the value of a date attribute in seconds since 2001-01-01T00:00:00Z.
  ///
  /// - Throws: ``MigrationError`` where the value is no date.
  public func timeIntervalSinceReferenceDate(forKey key: String) throws -> Double? {
    switch try scalar(forKey: key) {
    case .date(let seconds): seconds
    case nil: nil
    default: throw mismatch(key, "a date")
    }
  }

  /// Returns the bytes of a binary, transformable or UUID attribute.
  ///
  /// - Throws: ``MigrationError`` where the value is of another type.
  public func bytes(forKey key: String) throws -> [UInt8]? {
    switch try scalar(forKey: key) {
    case .binary(let bytes), .uuid(let bytes): bytes
    case nil: nil
    default: throw mismatch(key, "bytes")
    }
  }

  /// Returns the values of a composite attribute's elements by their names; those that have none are
  /// nothing.
  ///
  /// Each element has a key of its own, too: `location.latitude`.
  ///
  /// - Throws: ``MigrationError`` where the property is no composite attribute.
  public func composite(forKey key: String) throws -> [String: ExpressionValue]? {
    switch try value(forKey: key) {
    case .nothing: nil
    case .object(let composite as CompositeValue): composite.elements
    default: throw mismatch(key, "a composite's")
    }
  }

  /// Returns the object that a to-one relationship leads to.
  ///
  /// - Throws: ``MigrationError`` where the property is no to-one relationship.
  public func object(forKey key: String) throws -> ManagedObject? {
    switch try value(forKey: key) {
    case .nothing: nil
    case .object(let object as ManagedObject): object
    default: throw mismatch(key, "an object")
    }
  }

  /// Returns the objects that a relationship leads to: in their order where it has one, else by key.
  ///
  /// - Throws: ``MigrationError`` where the property is no relationship.
  public func objects(forKey key: String) throws -> [ManagedObject] {
    let members: [ExpressionValue]
    switch try value(forKey: key) {
    case .nothing: members = []
    case .list(let list), .set(let list): members = list
    case let single: members = [single]
    }
    var objects: [ManagedObject] = []
    for member in members {
      guard case .object(let object as ManagedObject) = member else {
        throw mismatch(key, "objects")
      }
      objects.append(object)
    }
    return objects
  }

  private func scalar(forKey key: String) throws -> AttributeValue? {
    switch try value(forKey: key) {
    case .nothing: nil
    case .scalar(let scalar): scalar
    default: throw mismatch(key, "an attribute's value")
    }
  }

  /// Returns the error that a property's value is not of the requested type.
  package func mismatch(_ key: String, _ expected: String) -> MigrationError {
    MigrationError(
      .failed,
      "The value of \(entity.name).\(key) is not \(expected).",
      recovery: "Ask for the type that the model declares."
    )
  }
}

extension ManagedObject {
  /// Gives an attribute text, or none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: String?, forKey key: String) throws {
    try setValue(value.map { .scalar(.string($0)) } ?? .nothing, forKey: key)
  }

  /// Gives an attribute an integer, or none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: Int64?, forKey key: String) throws {
    try setValue(value.map { .scalar(.integer($0)) } ?? .nothing, forKey: key)
  }

  /// Gives an attribute an integer, or none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: Int?, forKey key: String) throws {
    try set(value.map { Int64($0) }, forKey: key)
  }

  /// Gives an attribute a number, or none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: Double?, forKey key: String) throws {
    try setValue(value.map { .scalar(.real($0)) } ?? .nothing, forKey: key)
  }

  /// Makes an attribute true, false or empty.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: Bool?, forKey key: String) throws {
    try setValue(value.map { .scalar(.boolean($0)) } ?? .nothing, forKey: key)
  }

  /// Gives an attribute bytes, or none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: [UInt8]?, forKey key: String) throws {
    try setValue(value.map { .scalar(.binary($0)) } ?? .nothing, forKey: key)
  }

  /// Gives a date attribute an instant in seconds since 2001-01-01T00:00:00Z, or none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(date seconds: Double?, forKey key: String) throws {
    try setValue(seconds.map { .scalar(.date($0)) } ?? .nothing, forKey: key)
  }

  /// Gives a composite attribute the values of its elements, or none; an element that is left out has none.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(composite elements: [String: ExpressionValue]?, forKey key: String) throws {
    try setValue(elements.map { .object(CompositeValue($0)) } ?? .nothing, forKey: key)
  }

  /// Lets a to-one relationship lead to an object, or nowhere.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ value: ManagedObject?, forKey key: String) throws {
    try setValue(value.map { .object($0) } ?? .nothing, forKey: key)
  }

  /// Lets a to-many relationship lead to these objects, in this order where it has one.
  ///
  /// - Throws: ``MigrationError``, as ``setValue(_:forKey:)`` does.
  public func set(_ values: [ManagedObject], forKey key: String) throws {
    try setValue(.list(values.map { .object($0) }), forKey: key)
  }

  /// Adds an object to those that a to-many relationship leads to, at the end of its order.
  ///
  /// - Throws: ``MigrationError`` where the property is no to-many relationship, or the object is
  ///   not of its destination.
  public func add(_ object: ManagedObject, toKey key: String) throws {
    guard !isDeletedHere else { return }
    try livingContext().add(object, to: self, try layout.relationship(key))
  }

  /// Takes an object out of those that a relationship leads to.
  ///
  /// - Throws: ``MigrationError`` where the property is no relationship.
  public func remove(_ object: ManagedObject, fromKey key: String) throws {
    guard !isDeletedHere else { return }
    try livingContext().remove(object, from: self, try layout.relationship(key))
  }
}
