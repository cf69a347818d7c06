import ObjectModel
import PropertyLists

/// Adds predicates and expressions to an archive, in the forms measured on compiled models.
extension KeyedArchiveWriter {
  private static let expression = ["NSExpression", "NSObject"]
  private static let predicate = ["NSPredicate", "NSObject"]
  private static let predicateOperator = ["NSPredicateOperator", "NSObject"]

  /// - Throws: `ModelCodingError` where a constant has no archived form.
  mutating func add(_ predicate: Predicate) throws(ModelCodingError) -> Reference {
    switch predicate {
    case .comparison(let comparison): return try add(comparison)
    case .all(let parts) where parts.isEmpty:
      return object(hierarchy: ["NSTruePredicate"] + Self.predicate, [:])
    case .any(let parts) where parts.isEmpty:
      return object(hierarchy: ["NSFalsePredicate"] + Self.predicate, [:])
    case .not(let part): return try addCompound(0, [part])
    case .all(let parts): return try addCompound(1, parts)
    case .any(let parts): return try addCompound(2, parts)
    }
  }

  private mutating func addCompound(
    _ type: Int64,
    _ parts: [Predicate]
  ) throws(ModelCodingError) -> Reference {
    var references: [Reference] = []
    for part in parts { references.append(try add(part)) }
    let list = array(references)
    return object(
      hierarchy: ["NSCompoundPredicate"] + Self.predicate,
      ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list.value]
    )
  }

  private mutating func add(
    _ comparison: Predicate.Comparison
  ) throws(ModelCodingError) -> Reference {
    let left = try add(comparison.left)
    let right = try add(comparison.right)
    let operation = try addOperator(comparison)
    return object(
      hierarchy: ["NSComparisonPredicate"] + Self.predicate,
      [
        "NSLeftExpression": left.value, "NSRightExpression": right.value,
        "NSPredicateOperator": operation.value,
      ]
    )
  }

  private mutating func addOperator(
    _ comparison: Predicate.Comparison
  ) throws(ModelCodingError) -> Reference {
    let type = comparison.relation.rawValue
    let options: PropertyList = .integer(comparison.options)
    var fields: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(comparison.quantifier.rawValue),
    ]
    let classes: [String]
    switch comparison.relation {
    case .equal, .notEqual:
      classes = ["NSEqualityPredicateOperator"]
      fields["NSNegate"] = .boolean(comparison.relation == .notEqual)
      fields["NSOptions"] = options
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      classes = ["NSComparisonPredicateOperator"]
      fields["NSVariant"] = .integer(type)
      fields["NSOptions"] = options
    case .isIn, .contains:
      classes = ["NSInPredicateOperator"]
      fields["NSFlags"] = options
    case .matches, .like, .beginsWith, .endsWith, .between:
      guard comparison.relation == .matches else { throw Self.unknown(comparison.description) }
      // No compiled model with this form was at hand: keys by likeness to the other text operator.
      classes = ["NSMatchingPredicateOperator", "NSStringPredicateOperator"]
      fields["NSFlags"] = options
    }
    return object(hierarchy: classes + Self.predicateOperator, fields)
  }

  /// - Throws: `ModelCodingError` where a constant has no archived form.
  mutating func add(_ expression: Expression) throws(ModelCodingError) -> Reference {
    switch expression {
    case .evaluatedObject: return addEvaluatedObject()
    case .keyPath(.evaluatedObject, let path): return addKeyPath(path)
    case .keyPath(.variable(let name), let path):
      let variable = addVariable(name)
      return addKeyPath(path, of: variable, type: 4, selector: "valueForKeyPath:")
    case .variable(let name): return addVariable(name)
    case .constant(let value):
      let constant: (key: String, reference: Reference) =
        if let value {
          ("NSConstantValue", try add(value))
        } else {
          ("NSConstantValueClassName", .null)
        }
      return object(
        hierarchy: ["NSConstantValueExpression"] + Self.expression,
        ["NSExpressionType": .integer(0), constant.key: constant.reference.value]
      )
    default: throw Self.unknown(expression.description)
    }
  }

  private static func unknown(_ text: String) -> ModelCodingError {
    .unsupported("A part of a predicate has no archived form that is known: \(text)")
  }

  private mutating func addVariable(_ name: String) -> Reference {
    let text = string(name)
    return object(
      hierarchy: ["NSVariableExpression"] + Self.expression,
      ["NSExpressionType": .integer(2), "NSVariable": text.value]
    )
  }

  /// Adds `SELF` as an expression.
  mutating func addEvaluatedObject() -> Reference {
    object(hierarchy: ["NSSelfExpression"] + Self.expression, ["NSExpressionType": .integer(1)])
  }

  /// Adds a path that starts at the object itself.
  mutating func addKeyPath(_ path: [String]) -> Reference {
    let evaluated = addEvaluatedObject()
    return addKeyPath(
      path,
      of: evaluated,
      type: 3,
      selector: path.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    )
  }

  private mutating func addKeyPath(
    _ path: [String],
    of operand: Reference,
    type: Int64,
    selector: String
  ) -> Reference {
    let text = string(path.joined(separator: "."))
    let specifier = object(
      hierarchy: ["NSKeyPathSpecifierExpression"] + Self.expression,
      ["NSExpressionType": .integer(10), "NSKeyPath": text.value]
    )
    let arguments = array([specifier], isMutable: true)
    let selector = string(selector)
    return object(
      hierarchy: ["NSKeyPathExpression", "NSFunctionExpression"] + Self.expression,
      [
        "NSExpressionType": .integer(type), "NSOperand": operand.value,
        "NSSelectorName": selector.value, "NSArguments": arguments.value,
      ]
    )
  }

  /// Adds the formula of a derived attribute.
  ///
  /// - Throws: `ModelCodingError` where it has a form that was never measured.
  mutating func add(_ derivation: DerivationExpression) throws(ModelCodingError) -> Reference {
    switch derivation {
    case .keyPath(let path): return addKeyPath(path)
    case .now: return addFunction("now", of: nil)
    case .function(let name, let path): return addFunction(name + ":", of: path)
    case .aggregate(let path, let operation, let operand):
      return addFunction(operation + ":", of: path + operand)
    case .other:
      throw .unsupported("The derivation \(derivation) has no archived form that is known.")
    }
  }

  private mutating func addFunction(_ selector: String, of path: [String]?) -> Reference {
    let library = string("_NSPredicateUtilities")
    let operand = object(
      hierarchy: ["NSConstantValueExpression"] + Self.expression,
      ["NSExpressionType": .integer(0), "NSConstantValueClassName": library.value]
    )
    let arguments = array(path.map { [addKeyPath($0)] } ?? [], isMutable: true)
    let selector = string(selector)
    return object(
      hierarchy: ["NSFunctionExpression"] + Self.expression,
      [
        "NSExpressionType": .integer(4), "NSOperand": operand.value,
        "NSSelectorName": selector.value, "NSArguments": arguments.value,
      ]
    )
  }
}

extension Predicate {
  /// Whether the condition can be archived; a constant number may still have too many digits.
  var hasArchivedForm: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.hasArchivedForm)
    case .not(let part): part.hasArchivedForm
    case .comparison(let comparison):
      comparison.left.hasArchivedForm && comparison.right.hasArchivedForm
        && ![.like, .beginsWith, .endsWith, .between].contains(comparison.relation)
    }
  }
}

extension Predicate.Comparison {
  /// `NSComparisonPredicate.Options`; only these two are known here.
  var options: Int64 { (isCaseInsensitive ? 1 : 0) | (isDiacriticInsensitive ? 2 : 0) }
}

extension Expression {
  /// Whether the expression can be part of an archived predicate.
  var hasArchivedForm: Bool {
    switch self {
    case .evaluatedObject, .variable, .constant, .keyPath(.evaluatedObject, _),
      .keyPath(.variable, _):
      true
    default: false
    }
  }
}
