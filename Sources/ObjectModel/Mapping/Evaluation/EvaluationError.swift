/// Why an expression or a predicate has no value for an object; never with a value of the object.
public struct EvaluationError: Error, Hashable, Sendable {
  /// Reasons a caller may want to branch on.
  public enum Code: String, Hashable, Sendable {
    /// A variable that was not given.
    case unknownVariable
    /// A method that nothing provides.
    case unknownMethod
    /// A key or collection operator that the value does not have.
    case unknownKey
    /// A value of a kind with which the operation can do nothing.
    case wrongKind
    /// An index or range beyond the end.
    case outOfBounds
    /// A pattern that is no regular expression.
    case badPattern
    /// What is not evaluated here, because its result is not the same each time, or not known.
    case unsupported
  }

  /// Which reason applies.
  public var code: Code
  /// One sentence that names the operation at fault.
  public var message: String
  /// What the person can do next.
  public var recovery: String

  /// An error with its words.
  public init(_ code: Code, _ message: String, recovery: String) {
    self.code = code
    self.message = message
    self.recovery = recovery
  }

  /// The error that nothing provides a method.
  ///
  /// - Parameter target: Whose method: a variable's name, a class, or words such as `a string`.
  public static func unknownMethod(_ selector: String, of target: String) -> EvaluationError {
    EvaluationError(
      .unknownMethod,
      "The method \(selector) of \(target) is not known.",
      recovery: "Register a policy that provides it, or write the expression with known functions."
    )
  }

  static func wrongKind(_ operation: String, _ value: ExpressionValue) -> EvaluationError {
    EvaluationError(
      .wrongKind,
      "\(operation) cannot be done with \(value.kind).",
      recovery: "Convert the value first, with CAST or a method such as stringValue."
    )
  }

  static func unsupported(_ operation: String, _ why: String) -> EvaluationError {
    EvaluationError(
      .unsupported,
      "\(operation) is not evaluated: \(why).",
      recovery: "Compute the value in a policy."
    )
  }

  static func outOfBounds(_ operation: String) -> EvaluationError {
    EvaluationError(
      .outOfBounds,
      "\(operation) asks for what lies beyond the end.",
      recovery: "Check the length first, with TERNARY(length, …, …)."
    )
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The message and what to do next.
  public var description: String { "\(message) \(recovery)" }
}
