/// A formula that gives a property of a destination object its value.
///
/// Counterpart of `NSExpression`, of which it has the forms that mapping models use.
public indirect enum Expression: Hashable, Sendable {
  /// A value that the mapping itself contains, or nothing.
  case constant(AttributeValue?)
  /// The object that the expression is evaluated with: `SELF`.
  case evaluatedObject
  /// A value that the migration provides, such as `$source` or `$manager`; without the dollar.
  case variable(String)
  /// The value at the end of a path of properties: `$source.owner.name`.
  case keyPath(Expression, [String])
  /// The result of a method of an object: `FUNCTION($manager, "selector:", …)`.
  case function(Expression, selector: String, arguments: [Expression])
}

extension Expression {
  /// The source object's property: `$source.name`.
  public static func source(_ propertyName: String) -> Expression {
    .keyPath(.variable("source"), [propertyName])
  }

  /// The destination objects made from those that a relationship of the source object leads to.
  ///
  /// The form that Xcode's mapping models have where several entity mappings can make them.
  public static func destinationInstances(forSourceRelationship name: String) -> Expression {
    .function(
      .variable("manager"),
      selector: destinationInstancesForSourceRelationship,
      arguments: [.constant(.string(name)), .source(name)]
    )
  }

  /// The selector of `NSMigrationManager` by which relationships are carried.
  public static let destinationInstancesForSourceRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  /// The name of the source property that the expression carries as it is, if it does just that.
  public var carriedSourcePropertyName: String? {
    switch self {
    case .keyPath(.variable("source"), let path) where path.count == 1: path[0]
    case .function(.variable("manager"), Self.destinationInstancesForSourceRelationship, let list)
    where list.count == 2:
      list[1].carriedSourcePropertyName
    default: nil
    }
  }
}

extension Expression: CustomStringConvertible {
  /// The expression in the syntax of `NSExpression(format:)`.
  public var description: String {
    switch self {
    case .constant(let value): value.map(Self.literal) ?? "nil"
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .keyPath(.evaluatedObject, let path): path.joined(separator: ".")
    case .keyPath(let operand, let path): "\(operand).\(path.joined(separator: "."))"
    case .function(let target, let selector, let arguments):
      "FUNCTION(\(([target.description, Self.quoted(selector)] + arguments.map(\.description)).joined(separator: ", ")))"
    }
  }

  private static func literal(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .decimal(let digits): digits
    case .string(let text), .uri(let text): quoted(text)
    case .boolean(let flag): flag ? "YES" : "NO"
    case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
    case .binary(let bytes), .uuid(let bytes): "<\(Hexadecimal.string(bytes))>"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      switch character {
      case "\"", "\\": result += "\\\(character)"
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
    return result + "\""
  }
}
