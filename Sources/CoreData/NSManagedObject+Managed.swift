import StoreMigration

// The accessors that replace `@NSManaged`, which needs Objective-C.
extension NSManagedObject {
  /// Returns the value of a declared property; for one that is not optional and has none, the value that
  /// Objective-C gives: zero, an empty text, set or data.
  ///
  /// A value of another type is an error that ends the migration when the callback returns.
  public func managedValue<Value>(forKey key: String) -> Value {
    let value = primitiveValue(forKey: key)
    if let value = value as? Value { return value }
    if let date = value as? Date, let seconds = date.timeIntervalSinceReferenceDate as? Value {
      return seconds
    }
    if value != nil { recordMismatch(key, "\(Value.self)") }
    if let nothing = Optional<Any>.none as? Value { return nothing }
    let empty: [Any] = [
      NSNumber(value: 0), "", Data(), NSSet(), NSOrderedSet(), [Any](), [String: Any](),
      Date(timeIntervalSinceReferenceDate: 0), NSDecimalNumber.zero,
    ]
    for value in empty {
      if let value = value as? Value { return value }
    }
    preconditionFailure(
      "\(entity.name ?? "").\(key) has no value, and is declared as \(Value.self)"
    )
  }

  /// Returns the value of a declared property whose type has a raw value.
  public func managedValue<Value: RawRepresentable>(forKey key: String) -> Value {
    let raw: Value.RawValue = managedValue(forKey: key)
    guard let value = Value(rawValue: raw) else {
      preconditionFailure("\(entity.name ?? "").\(key) has a raw value that \(Value.self) lacks")
    }
    return value
  }

  /// Gives a declared property another value.
  public func setManagedValue<Value>(_ value: Value, forKey key: String) {
    setPrimitiveValue(value, forKey: key)
  }

  /// Gives a declared property another value whose type has a raw value.
  public func setManagedValue<Value: RawRepresentable>(_ value: Value, forKey key: String) {
    setPrimitiveValue(value.rawValue, forKey: key)
  }

  /// Adds or removes an object, or a set of them, as a generated method does: `addToItems`,
  /// `removeFromItems`.
  public func changeManaged(_ method: String, _ value: Any) {
    let isAdded = method.hasPrefix("addTo")
    guard isAdded || method.hasPrefix("removeFrom") else {
      return recordMismatch(method, "method that adds or removes objects")
    }
    let name = method.dropFirst(isAdded ? "addTo".count : "removeFrom".count)
    let key = name.prefix(1).lowercased() + name.dropFirst()
    let set = mutableSetValue(forKey: key)
    let members: [Any] =
      (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? [value]
    for member in members {
      if isAdded { set.add(member) } else { set.remove(member) }
    }
  }

  private func recordMismatch(_ key: String, _ expected: String) {
    PendingError.ofThread?.record(
      MigrationError(
        .failed,
        "\(entity.name ?? "").\(key) is no \(expected).",
        recovery: "Declare it as the model does, or read it by value(forKey:)."
      )
    )
  }
}
