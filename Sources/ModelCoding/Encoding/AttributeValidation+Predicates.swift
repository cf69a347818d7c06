import ObjectModel

extension AttributeValidation {
  /// Returns the rules as predicates over the value, each with the code of the error when it is broken.
  ///
  /// The codes are those of Apple's `CoreDataErrors.h`, which compiled models archive as warnings.
  func predicates(
    for type: AttributeType
  ) -> [(predicate: Predicate, errorCode: Int64)] {
    let isText = type == .string
    let isDate = type == .date
    var rules: [(predicate: Predicate, errorCode: Int64)] = []
    func rule(
      _ left: Expression,
      _ relation: Predicate.Relation,
      _ value: AttributeValue,
      _ code: Int64
    ) {
      rules.append((.comparison(.init(left, relation, .constant(value))), code))
    }
    let measured: Expression =
      isText ? .keyPath(.evaluatedObject, ["length"]) : .evaluatedObject
    if let minimum {
      rule(measured, .greaterThanOrEqual, minimum, isText ? 1670 : isDate ? 1640 : 1620)
    }
    if let maximum {
      rule(measured, .lessThanOrEqual, maximum, isText ? 1660 : isDate ? 1630 : 1610)
    }
    if let regularExpression {
      rule(.evaluatedObject, .matches, .string(regularExpression), 1680)
    }
    return rules
  }
}
