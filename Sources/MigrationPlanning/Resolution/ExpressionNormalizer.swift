package import ObjectModel

/// A substitution of values' origins for the properties that expressions read.
///
/// It collects origins that are no expressions themselves as inputs `$1`, `$2` and so on, in the order
/// of their first use.
struct ExpressionNormalizer {
  /// The inputs so far.
  private(set) var inputs: [ValueOrigin] = []

  /// Returns the expression with each part replaced for which the closure gives an origin, outermost
  /// first.
  mutating func substitute(
    in expression: Expression,
    _ origin: (Expression) -> ValueOrigin?
  ) -> Expression {
    var formula = self
    let result = expression.replacing { part in origin(part).map { formula.expression(of: $0) } }
    self = formula
    return result
  }

  /// Returns the predicate with the origins substituted in each of its expressions.
  mutating func substitute(
    in predicate: Predicate,
    _ origin: (Expression) -> ValueOrigin?
  ) -> Predicate {
    var formula = self
    let result = predicate.mappingExpressions { formula.substitute(in: $0, origin) }
    self = formula
    return result
  }

  /// Returns an origin as a part of an expression.
  private mutating func expression(of value: ValueOrigin) -> Expression {
    switch value {
    case .constant(let value): return .constant(value)
    case .carried(let path): return .keyPath(.variable("source"), path)
    case .computed(let expression, let inner):
      return substitute(in: expression) { Self.input($0, among: inner) }
    case .converted, .filled, .first, .unordered, .cut, .chosen, .without, .owners, .partly,
      .opaque:
      let place = inputs.firstIndex(of: value) ?? inputs.count
      if place == inputs.count { inputs.append(value) }
      return .variable(String(place + 1))
    }
  }

  /// Returns the input that a part of an expression names; nil for any other part.
  static func input(_ part: Expression, among inputs: [ValueOrigin]) -> ValueOrigin? {
    guard case .variable(let name) = part, let number = Int(name), number > 0,
      number <= inputs.count
    else { return nil }
    return inputs[number - 1]
  }
}

extension ValueOrigin {
  /// The value of an expression over the source object and some inputs.
  init(_ expression: Expression, inputs: [ValueOrigin] = []) {
    switch expression {
    case .constant(let value): self = .constant(value)
    case .keyPath(.variable("source"), let path): self = .carried(path)
    default:
      self = ExpressionNormalizer.input(expression, among: inputs) ?? .computed(expression, inputs)
    }
  }
}

extension Expression {
  /// The expression with the source object in the place of the evaluated object, which it is.
  package var ofSource: Expression {
    // Most expressions only carry a property.
    if case .keyPath(.variable, _) = self { return self }
    return replacing { $0 == .evaluatedObject ? .variable("source") : nil }
  }

  /// Whether a part of it calls the policy.
  var callsPolicy: Bool { contains { $0 == .variable("entityPolicy") } }
}
