import ObjectModel

extension AttributeValidation {
  /// The rules as predicates over the value, each with the code of the error when it is broken.
  ///
  /// The codes are those of Apple's `CoreDataErrors.h`, which compiled models archive as warnings.
  func predicates(
    for type: AttributeType
  ) -> [(predicate: ModelPredicate, errorCode: Int64)] {
    let isText = type == .string
    let isDate = type == .date
    var rules: [(predicate: ModelPredicate, errorCode: Int64)] = []
    func rule(
      _ left: ModelPredicate.Operand,
      _ relation: ModelPredicate.Relation,
      _ value: AttributeValue,
      _ code: Int64
    ) {
      let comparison = ModelPredicate.Comparison(
        left: left,
        relation: relation,
        right: .constant(value)
      )
      rules.append((.comparison(comparison), code))
    }
    let measured: ModelPredicate.Operand = isText ? .keyPath(["length"]) : .evaluatedObject
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
