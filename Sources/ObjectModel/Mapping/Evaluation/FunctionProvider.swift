/// A provider of the methods of the program's own objects and classes, for expressions.
package protocol FunctionProvider {
  /// Returns the result of a method.
  ///
  /// Asked for every method of a variable without a value, of an object, and of a class or value
  /// where the evaluator itself does not know the method.
  ///
  /// - Parameters:
  ///   - selector: The method, with its colons.
  ///   - target: The value whose method it is; nil for a class, and for a variable without a value.
  ///   - targetName: The variable's name without the dollar, the class, or the kind of value.
  ///   - arguments: The arguments' values, one for each colon.
  /// - Throws: ``EvaluationError/unknownMethod(_:of:)`` where there is no such method.
  func call(
    _ selector: String,
    on target: ExpressionValue?,
    targetName: String,
    arguments: [ExpressionValue]
  ) throws -> ExpressionValue

  /// Returns the result of `FETCH(request, context, countOnly)`, given the values of request and context.
  func fetch(
    _ request: ExpressionValue,
    context: ExpressionValue,
    countOnly: Bool
  ) throws -> ExpressionValue
}

extension FunctionProvider {
  /// Refuses every fetch, for programs that have none.
  package func fetch(
    _ request: ExpressionValue,
    context: ExpressionValue,
    countOnly: Bool
  ) throws -> ExpressionValue {
    throw EvaluationError.unsupported("FETCH", "nothing provides objects here")
  }
}

/// A provider of no methods at all.
package struct NoFunctions: FunctionProvider {
  /// The provider.
  package init() {}

  /// Refuses every method.
  package func call(
    _ selector: String,
    on target: ExpressionValue?,
    targetName: String,
    arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    throw EvaluationError.unknownMethod(selector, of: targetName)
  }
}
