import ObjectModel

extension ManagedObject {
  /// Returns the decoded object of a transformable attribute; nil where it has no bytes.
  ///
  /// The transformer is the one registered under the name that the model gives. Where the model
  /// names none, or Foundation's own, it is ``SecureUnarchiveFromDataTransformer``.
  /// ``bytes(forKey:)`` returns the bytes themselves.
  /// - Throws: ``MigrationError`` where the attribute is not transformable, no transformer of its
  ///   name is registered or none that makes such values, or the bytes cannot be decoded.
  public func transformedValue<Value>(
    forKey key: String,
    as type: Value.Type = Value.self
  ) throws -> Value? {
    let (name, transformer) = try transformer(forKey: key, of: type)
    guard let bytes = try bytes(forKey: key) else { return nil }
    do { return try transformer.value(of: bytes) } catch {
      throw MigrationError(
        .failed,
        "The bytes of \(entity.name).\(key) stand for no object that \(name) reads.",
        recovery:
          "Let the policy read the bytes, or leave such rows out by the mapping's predicate."
      )
    }
  }

  /// Gives a transformable attribute an object, or none.
  ///
  /// - Throws: ``MigrationError`` as ``transformedValue(forKey:as:)`` does, or where the transformer has
  ///   no bytes for the object.
  public func setTransformedValue<Value>(_ value: Value?, forKey key: String) throws {
    let (name, transformer) = try transformer(forKey: key, of: Value.self)
    let bytes: [UInt8]?
    do { bytes = try value.map { try transformer.bytes(of: $0) } } catch {
      throw MigrationError(
        .failed,
        "\(name) makes no bytes of the object for \(entity.name).\(key).",
        recovery: "Give an object that the transformer knows."
      )
    }
    try set(bytes, forKey: key)
  }

  /// Returns the transformer of an attribute with its name.
  private func transformer<Value>(
    forKey key: String,
    of type: Value.Type
  ) throws -> (name: String, any AttributeTransformer<Value>) {
    guard case .attribute(let slot) = try layout.property(key),
      slot.attribute.attributeType == .transformable
    else { throw mismatch(key, "transformable") }
    let name = slot.attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
    guard let transformer = try livingContext().configuration.registry.transformer(named: name)
    else {
      throw MigrationError(
        .failed,
        "No transformer is registered under the name \(name), which \(entity.name).\(key) has.",
        recovery: "Register it in the program that runs the migration, or use the bytes."
      )
    }
    guard let transformer = transformer as? any AttributeTransformer<Value> else {
      throw mismatch(key, "what the transformer \(name) makes")
    }
    return (name, transformer)
  }
}
