extension JSONValue {
  /// Encodes a value; an optional member without a value is null, and not absent.
  ///
  /// - Throws: `EncodingError` for a whole number above 64 bits.
  package init(encoding value: some Encodable) throws {
    let encoder = JSONValueEncoder()
    try value.encode(to: encoder)
    self = encoder.value
  }
}

/// An encoder whose result is a JSON value.
final class JSONValueEncoder: Encoder {
  private enum Shape {
    case scalar(JSONValue)
    case array
    case object
  }

  private enum Part {
    case done(JSONValue)
    case begun(JSONValueEncoder)
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  /// Whether the value is printed on one line also where others are indented.
  var isOneLine = false
  private var shape = Shape.scalar(.null)
  /// The members by name, or the elements, whose names are empty.
  private var parts: [(name: String, part: Part)] = []

  /// The value, once it is encoded.
  var value: JSONValue {
    let values = parts.map { name, part in
      switch part {
      case .done(let value): (name, value)
      case .begun(let encoder): (name, encoder.value)
      }
    }
    let value: JSONValue =
      switch shape {
      case .scalar(let value): value
      case .array: .array(values.map { $1 })
      case .object: .object(Dictionary(values, uniquingKeysWith: { $1 }))
      }
    return isOneLine ? .line(value) : value
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shape = .object
    return KeyedEncodingContainer(Object(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shape = .array
    return Elements(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func add(_ value: some Encodable, _ name: String = "") throws {
    parts.append((name, .done(try JSONValue(encoding: value))))
  }

  /// Returns the encoder of a new member or element.
  private func begin(_ name: String = "") -> JSONValueEncoder {
    let encoder = JSONValueEncoder()
    parts.append((name, .begun(encoder)))
    return encoder
  }

  private struct Object<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { _ = encoder.begin(key.stringValue) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
      try add(value, key)
    }
    // The protocol leaves an absent one of these out, where no witness is as exact.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try add(value, key) }
    private func add(_ value: some Encodable, _ key: Key) throws {
      try encoder.add(value, key.stringValue)
    }
    func nestedContainer<Name>(keyedBy type: Name.Type, forKey key: Key)
      -> KeyedEncodingContainer<Name>
    { encoder.begin(key.stringValue).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      encoder.begin(key.stringValue).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder.begin("super") }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.begin(key.stringValue) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.parts.count }

    func encodeNil() { _ = encoder.begin() }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.add(value) }
    func nestedContainer<Name>(keyedBy type: Name.Type) -> KeyedEncodingContainer<Name> {
      encoder.begin().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      encoder.begin().unkeyedContainer()
    }
    func superEncoder() -> any Encoder { encoder.begin() }
  }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { shape = .scalar(.null) }
  func encode(_ value: Bool) { shape = .scalar(.boolean(value)) }
  func encode(_ value: String) { shape = .scalar(.string(value)) }
  func encode<Number: Encodable & BinaryFloatingPoint>(_ value: Number) {
    shape = .scalar(.number(Double(value)))
  }
  func encode<Number: Encodable & BinaryInteger>(_ value: Number) throws {
    guard let number = Int64(exactly: value) else {
      let context = EncodingError.Context(codingPath: [], debugDescription: "above 64 bits")
      throw EncodingError.invalidValue(value, context)
    }
    shape = .scalar(.integer(number))
  }
  func encode<Value: Encodable>(_ value: Value) throws { try value.encode(to: self) }
}
