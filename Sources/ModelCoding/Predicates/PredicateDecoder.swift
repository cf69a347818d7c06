import ObjectModel
import PropertyLists

/// Reads predicates and expressions out of an archive, as far as they have known forms.
///
/// Everything else is nil. Depth and size are bounded, because an archive can make a predicate a
/// part of itself, or share parts without end.
struct PredicateDecoder {
  private static let maximumDepth = 32
  private var budget = 100_000

  mutating func predicate(_ object: ArchivedObject, depth: Int = 0) -> ModelPredicate? {
    budget -= 1
    guard depth < Self.maximumDepth, budget > 0 else { return nil }
    switch object.className {
    case "NSTruePredicate": return .all([])
    case "NSFalsePredicate": return .any([])
    case "NSCompoundPredicate":
      guard let archived = object["NSSubpredicates"]?.elements else { return nil }
      var parts: [ModelPredicate] = []
      for element in archived {
        guard let part = element.object.flatMap({ predicate($0, depth: depth + 1) }) else {
          return nil
        }
        parts.append(part)
      }
      switch object["NSCompoundPredicateType"]?.integer {
      case 0: return parts.count == 1 ? .not(parts[0]) : nil
      case 1: return .all(parts)
      case 2: return .any(parts)
      default: return nil
      }
    case "NSComparisonPredicate": return comparison(object).map { .comparison($0) }
    default: return nil
    }
  }

  private mutating func comparison(_ object: ArchivedObject) -> ModelPredicate.Comparison? {
    guard let operation = object["NSPredicateOperator"]?.object,
      let relation = operation["NSOperatorType"]?.integer.flatMap({
        ModelPredicate.Relation(rawValue: $0)
      }),
      let quantifier = ModelPredicate.Quantifier(
        rawValue: operation["NSModifier"]?.integer ?? 0
      ),
      let left = operand(object["NSLeftExpression"]),
      let right = operand(object["NSRightExpression"])
    else { return nil }
    // Operators over text keep their options under another key.
    let options = operation["NSOptions"]?.integer ?? operation["NSFlags"]?.integer ?? 0
    guard (0...3).contains(options) else { return nil }
    return ModelPredicate.Comparison(
      left: left,
      relation: relation,
      right: right,
      quantifier: quantifier,
      isCaseInsensitive: options & 1 != 0,
      isDiacriticInsensitive: options & 2 != 0
    )
  }

  /// The value that an archived expression stands for.
  mutating func operand(_ value: ArchivedValue?) -> ModelPredicate.Operand? {
    guard let object = value?.object else { return nil }
    switch object.className {
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression":
      return object["NSVariable"]?.string.map { .variable($0, []) }
    case "NSConstantValueExpression":
      guard let constant = object["NSConstantValue"] else {
        return object["NSConstantValueClassName"] == nil ? .constant(nil) : nil
      }
      return AttributeValue(constant).map { .constant($0) }
    case "NSKeyPathExpression":
      guard let path = Self.keyPath(object) else { return nil }
      switch object["NSOperand"]?.object?.className {
      case "NSSelfExpression": return .keyPath(path)
      case "NSVariableExpression":
        return object["NSOperand"]?.object?["NSVariable"]?.string.map { .variable($0, path) }
      default: return nil
      }
    default: return nil
    }
  }

  /// The formula of a derived attribute.
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
