/// The single steps of evaluation, for SQL functions that have to give the same answers.
package enum ExpressionPrimitives {
  /// Returns the result of one of `NSExpression`'s own functions.
  ///
  /// - Throws: ``EvaluationError``.
  package static func function(
    _ selector: String,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    try LibraryFunction.call(selector, arguments)
  }

  /// Returns the result of a method of a value; nil where it has none of this name.
  ///
  /// - Throws: ``EvaluationError``.
  package static func method(
    _ selector: String,
    of target: ExpressionValue,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    if case .nothing = target { return .nothing }
    return try ValueMethod.call(selector, of: target, arguments)
  }

  /// Returns whether two values are equal; numbers of all kinds are where they are worth the same.
  package static func areEqual(_ left: ExpressionValue, _ right: ExpressionValue) -> Bool {
    ValueKey(left) == ValueKey(right)
  }

  /// Returns a text folded as for `[c]` and `[d]`.
  package static func fold(_ text: String, case ignoresCase: Bool, marks: Bool) -> String {
    TextFolding(ignoresCase: ignoresCase, ignoresMarks: marks).fold(text)
  }

  /// Returns whether text is read as a number other than the one it spells.
  package static func isRounded(_ text: String) -> Bool { ValueCast.isRounded(text) }

  /// Returns whether ICU can read a pattern of `MATCHES`.
  package static func isPattern(_ text: String) -> Bool {
    (try? PatternCache().matches("", text, TextFolding(ignoresCase: false, ignoresMarks: false)))
      != nil
  }
}

extension ExpressionEvaluator {
  /// Returns whether a comparison holds for two values, in place of its own expressions.
  ///
  /// - Throws: ``EvaluationError``.
  package func holds(
    _ left: ExpressionValue,
    like comparison: Predicate.Comparison,
    _ right: ExpressionValue
  ) throws -> Bool {
    try holds(left, comparison, right)
  }

  /// Returns whether a value comes before another where they are sorted: nothing precedes all others, as in
  /// SQLite; nil where neither comes first.
  ///
  /// - Throws: ``EvaluationError`` for values that have no order.
  package func precedes(_ left: ExpressionValue, _ right: ExpressionValue) throws -> Bool? {
    switch (left, right) {
    case (.nothing, .nothing): return nil
    case (.nothing, _): return true
    case (_, .nothing): return false
    default: break
    }
    let comparison = Predicate.Comparison(.evaluatedObject, .lessThan, .evaluatedObject)
    if try holds(left, comparison, right) { return true }
    return try holds(right, comparison, left) ? false : nil
  }
}
