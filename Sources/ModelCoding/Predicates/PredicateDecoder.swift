import ObjectModel
import PropertyLists

/// A decoder of a compiled model's predicates and expressions, as far as they can be encoded again.
///
/// Everything else is nil, and the model is read without it.
struct PredicateDecoder {
  private var decoder = ExpressionDecoder()

  mutating func predicate(_ object: ArchivedObject) -> Predicate? {
    guard let predicate = try? decoder.predicate(object), predicate.hasArchivedForm else {
      return nil
    }
    return predicate
  }

  /// Returns the expression that an archived one decodes to; nil where it has no archived form here.
  mutating func operand(_ object: ArchivedObject?) -> Expression? {
    guard let object, let expression = try? decoder.expression(object),
      expression.hasArchivedForm
    else { return nil }
    return expression
  }

  /// Returns the formula of a derived attribute.
  func derivation(_ object: ArchivedObject) -> DerivationExpression? {
    switch object.className {
    case "NSKeyPathExpression":
      guard object["NSOperand"]?.object?.className == "NSSelfExpression" else { return nil }
      return Self.keyPath(object).map { .keyPath($0) }
    case "NSFunctionExpression":
      guard let selector = object["NSSelectorName"]?.string,
        let arguments = object["NSArguments"]?.elements
      else { return nil }
      if selector == "now", arguments.isEmpty { return .now }
      guard arguments.count == 1, selector.hasSuffix(":"),
        let path = arguments[0].object.flatMap(Self.keyPath)
      else { return nil }
      let name = String(selector.dropLast())
      guard ["count", "sum", "min", "max", "average"].contains(name) else {
        return .function(name: name, keyPath: path)
      }
      let isCount = name == "count" || path.count < 2
      return .aggregate(
        keyPath: isCount ? path : Array(path.dropLast()),
        operation: name,
        operand: isCount ? [] : Array(path.suffix(1))
      )
    default: return nil
    }
  }

  private static func keyPath(_ object: ArchivedObject) -> [String]? {
    guard object.className == "NSKeyPathExpression",
      let arguments = object["NSArguments"]?.elements, arguments.count == 1,
      let text = arguments[0].object?["NSKeyPath"]?.string
    else { return nil }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return names.contains("") ? nil : names
  }
}
