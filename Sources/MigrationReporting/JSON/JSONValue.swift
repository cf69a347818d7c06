/// A JSON value (RFC 8259), which always prints as the same text.
package indirect enum JSONValue: Hashable, Sendable {
  /// The value `null`.
  case null
  /// True or false.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction; one that is not finite is printed as null, which JSON requires.
  case number(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Values by name, printed in byte order of the names.
  case object([String: JSONValue])
  /// A value that is printed on one line also where others are indented: one of many.
  case line(JSONValue)

  /// Text or null.
  package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

  /// A whole number or null.
  package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

  /// The object's value of a name, if this is an object that has it.
  package subscript(name: String) -> JSONValue? {
    get { if case .object(let members) = self { members[name] } else { nil } }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Text.
  package init(stringLiteral value: String) { self = .string(value) }
  /// True or false.
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// A whole number.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// Values in order.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Values by name; the last of a recurring name counts.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
