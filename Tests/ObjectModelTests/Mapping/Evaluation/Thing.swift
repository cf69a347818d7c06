public import ObjectModel

/// An object whose values are a dictionary.
final class Thing: KeyValueObject {
  let identity: ObjectIdentity
  var values: [String: ExpressionValue]

  init(_ key: Int64, _ values: [String: ExpressionValue]) {
    identity = ObjectIdentity(store: "source", entity: "Thing", key: key)
    self.values = values
  }

  func value(forKey key: String) throws -> ExpressionValue {
    guard let value = values[key] else {
      throw EvaluationError(.unknownKey, "There is no \(key).", recovery: "Look again.")
    }
    return value
  }
}

extension ExpressionValue: ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
  ExpressibleByArrayLiteral
{
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .scalar(.integer(value)) }
  /// A double.
  public init(floatLiteral value: Double) { self = .scalar(.real(value)) }
  /// Text.
  public init(stringLiteral value: String) { self = .scalar(.string(value)) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .scalar(.boolean(value)) }
  /// No value.
  public init(nilLiteral: ()) { self = .nothing }
  /// A list.
  public init(arrayLiteral elements: ExpressionValue...) { self = .list(elements) }
}

/// A value as text, sets in braces and without an order of their own.
func text(_ value: ExpressionValue) -> String {
  switch value {
  case .nothing: "nil"
  case .scalar(let scalar): Expression.constant(scalar).description
  case .object(let object): "#\(object.identity.key)"
  case .list(let members): "[\(members.map(text).joined(separator: ", "))]"
  case .set(let members): "{\(members.map(text).sorted().joined(separator: ", "))}"
  }
}

/// A shop with two orders, one customer, and values of every kind.
enum Shop {
  static func make() -> Thing {
    let ann = Thing(1, ["name": "Ann", "age": 30, "friends": .set([])])
    let bob = Thing(2, ["name": "Bób", "age": nil, "friends": .set([.object(ann)])])
    ann.values["friends"] = .set([.object(bob)])
    let tea = Thing(
      3,
      ["title": "Tea", "price": 2, "tags": ["hot", "leaf"], "buyer": .object(ann)]
    )
    let ink = Thing(4, ["title": "ink", "price": 7.5, "tags": ["wet"], "buyer": .object(bob)])
    let pen = Thing(5, ["title": nil, "price": nil, "tags": nil, "buyer": .nothing])
    return Thing(
      6,
      [
        "name": "Ünder One\u{301} Roof", "nix": nil, "count": 3, "half": 0.5, "open": true,
        "opened": .scalar(.date(100)), "share": .scalar(.decimal("0.25")),
        "home": .scalar(.uri("https://a.b/c")),
        "id": .scalar(.uuid((0..<16).map { UInt8($0) })), "bytes": .scalar(.binary([1, 2, 3])),
        "items": .set([.object(tea), .object(ink), .object(pen)]),
        "queue": .list([.object(tea), .object(ink), .object(tea)]), "empty": .set([]),
        "owner": .object(ann), "missing": nil, "emoji": "a👩‍👩‍👧b",
      ]
    )
  }
}
