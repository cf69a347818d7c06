// The accessors that stand for `@NSManaged`, which is Objective-C's.
extension NSManagedObject {
  /// Returns the value of a declared property; for one that is not optional and has none, the value that
  /// Objective-C gives: zero, an empty text, set or data.
  public func managedValue<Value>(forKey key: String) -> Value {
    let value = primitiveValue(forKey: key)
    if let value = value as? Value { return value }
    let empty: [Any] = [
      NSNumber(value: 0), "", Data(), NSSet(), NSOrderedSet(), [Any](), [String: Any](),
      Date(timeIntervalSinceReferenceDate: 0), NSDecimalNumber.zero,
    ]
    for value in empty {
      if let value = value as? Value { return value }
    }
    preconditionFailure("\(entity.name ?? "").\(key) is no \(Value.self)")
  }

  /// Gives a declared property another value.
  public func setManagedValue<Value>(_ value: Value, forKey key: String) {
    setPrimitiveValue(value, forKey: key)
  }

  /// Does what a generated method says: `addToItems`, `removeFromItems`, with an object or a set of them.
  public func changeManaged(_ method: String, _ value: Any) {
    let isAdded = method.hasPrefix("addTo")
    let name = method.dropFirst(isAdded ? "addTo".count : "removeFrom".count)
    let key = name.prefix(1).lowercased() + name.dropFirst()
    let set = mutableSetValue(forKey: key)
    let members: [Any] =
      (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? [value]
    for member in members {
      if isAdded { set.add(member) } else { set.remove(member) }
    }
  }
}
