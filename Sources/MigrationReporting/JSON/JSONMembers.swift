/// The members of a JSON object, by name.
package struct JSONMembers: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private var values: [(name: String, value: any Encodable)]

  /// Makes members of values by name; the last of a recurring name counts, and nil is null.
  package init(dictionaryLiteral elements: (String, any Encodable)...) { values = elements }

  /// Adds members; of a recurring name, the added one counts.
  package static func += (members: inout JSONMembers, others: JSONMembers) {
    members.values += others.values
  }

  /// Returns members and others; of a recurring name, the other counts.
  package static func + (members: JSONMembers, others: JSONMembers) -> JSONMembers {
    var sum = members
    sum += others
    return sum
  }

  /// Encodes the members as an object.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Name.self)
    for (name, value) in values { try object.encode(value, forKey: Name(stringValue: name)) }
  }
}

/// A value whose JSON object has members that are computed.
package protocol MemberEncodable: Encodable {
  /// The members of its object.
  var members: JSONMembers { get }
}

extension MemberEncodable {
  /// Encodes the members as an object.
  public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}

/// A value that JSON has on one line, also where other values are indented: one of many.
struct OneLine<Value: Encodable>: Encodable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    (encoder as? JSONValueEncoder)?.isOneLine = true
  }
}
