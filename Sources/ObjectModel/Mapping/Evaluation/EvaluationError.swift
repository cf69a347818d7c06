/// An error that reports why an expression or a predicate has no value for an object; never a value of it.
public struct EvaluationError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
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
    /// A pattern that takes more steps than the length of its texts explains.
    case tooManySteps
    /// An operation that is not evaluated here: its result is not known, or differs each time.
    case unsupported
  }

  /// The reason of the error.
  public var code: Code
  /// A sentence that names the operation at fault.
  public var message: String
  /// The user's next step.
  public var recovery: String

  /// An error with its words.
  public init(_ code: Code, _ message: String, recovery: String) {
    self.code = code
    self.message = message
    self.recovery = recovery
  }

  /// Returns the error that nothing provides a method.
  ///
  /// - Parameter target: The receiver: a variable's name, a class, or words such as `a string`.
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

  static func tooLong(_ operation: String) -> EvaluationError {
    EvaluationError(
      .outOfBounds,
      "\(operation) would make a text of more than 256 MiB.",
      recovery: "Replace less, or check the length of the text first, with TERNARY."
    )
  }

  static func tooManySteps(_ operation: String) -> EvaluationError {
    EvaluationError(
      .tooManySteps,
      "A pattern of \(operation) takes more steps than the length of its texts explains.",
      recovery: "Write it so that each text can be matched in one way only: a+b instead of (a+)+b."
    )
  }

  /// Returns the error of a method that was given a text from the data, which it does not repeat.
  package static func unknownText(_ operation: String) -> EvaluationError {
    EvaluationError(
      .unknownKey,
      "\(operation) was given a text of the data that names nothing it knows.",
      recovery: "Give it a constant, or check the text first, with TERNARY or IN."
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

/// An error that may repeat a name which was asked for: a key, an entity, a method.
package protocol NamingError: Error {
  /// Returns the error without such names.
  ///
  /// - Parameters:
  ///   - texts: The arguments of the call that are values of a row.
  ///   - operation: The method that was called.
  func withoutNames(_ texts: [String], of operation: String) -> any Error
}

extension NamingError {
  /// Returns whether words hold a text, or a part of it where it is a path.
  package func repeats(_ texts: [String], in words: String) -> Bool {
    texts.contains { text in
      words.contains(text) || text.split(separator: ".").contains { words.contains($0) }
    }
  }
}

extension EvaluationError: NamingError {
  package func withoutNames(_ texts: [String], of operation: String) -> any Error {
    repeats(texts, in: message) ? Self.unknownText(operation) : self
  }
}

extension EvaluationError: CustomStringConvertible {
  /// The message and what to do next.
  public var description: String { "\(message) \(recovery)" }
}
