/// An evaluator of expressions and predicates, for one object after another.
///
/// The rules are Core Data's where they are documented, and are these:
/// - A method, key or operator of nil gives nil. `==` holds for two nils and for no nil with a value;
///   `!=` is its reverse; every other comparison with nil does not hold.
/// - Numbers of all kinds and truth values compare by their numeric value, a double by its shortest
///   digits. Two whole numbers give a whole number, also divided (toward zero); where 64 bits do not hold
///   it, it is a decimal number. A decimal number with any other gives one, of up to 38 digits, as
///   `NSDecimalNumber` computes it. In all other cases doubles are computed. A result that is no number,
///   such as a division by zero, is nil.
/// - Text is compared by its Unicode scalars: texts that look alike but are spelt otherwise are not
///   equal. `[c]` and `[d]` compare folded text, see ``TextFolding``.
/// - A path through a to-many relationship gives the members' values together, each once where the
///   relationship is not ordered, and through several of them those of all members.
/// - `$now` is what `now()` gives, so that a run can be repeated.
///
/// Belongs to one thread at a time.
package struct ExpressionEvaluator {
  /// The values of variables, by their names without the dollar; `now` is what `now()` gives.
  package var variables: [String: ExpressionValue]
  /// The methods of the program's own objects.
  package var functions: any FunctionProvider

  let patterns = PatternCache()

  /// An evaluator.
  package init(
    variables: [String: ExpressionValue] = [:],
    functions: any FunctionProvider = NoFunctions()
  ) {
    self.variables = variables
    self.functions = functions
  }

  /// Returns the value of an expression.
  ///
  /// - Parameter object: The object that `SELF` and paths without a beginning refer to.
  /// - Throws: ``EvaluationError``, and what ``functions`` and objects throw.
  package func evaluate(
    _ expression: Expression,
    with object: ExpressionValue = .nothing
  ) throws -> ExpressionValue {
    switch expression {
    case .constant(let value): return value.map { .scalar($0) } ?? .nothing
    case .evaluatedObject: return object
    case .variable(let name):
      guard let value = variables[name] else { throw Self.unknownVariable(name) }
      return value
    case .keyPath(let operand, let path):
      return try value(atPath: path[...], of: evaluate(operand, with: object))
    case .function(let target, let selector, let arguments):
      let values = try arguments.map { try evaluate($0, with: object) }
      do {
        return try call(selector, on: target, values, with: object)
      } catch let error as any NamingError {
        // A name that comes from the data stays out of the error that nothing has it.
        let texts = Self.textsOfData(arguments, values)
        throw texts.isEmpty ? error : error.withoutNames(texts, of: selector)
      }
    // A class that is not called evaluates to its name.
    case .className(let name): return .scalar(.string(name))
    case .call("now", _):
      guard let now = variables["now"] else {
        throw EvaluationError.unsupported("now()", "no time was given")
      }
      return now
    case .call(let selector, let arguments):
      return try LibraryFunction.call(selector, arguments.map { try evaluate($0, with: object) })
    case .aggregate(let members):
      return .list(try members.map { try evaluate($0, with: object) })
    case .conditional(let predicate, let first, let second):
      return try evaluate(evaluate(predicate, with: object) ? first : second, with: object)
    case .subquery(let collection, let variable, let predicate):
      return try members(of: collection, variable, predicate, with: object)
    case .setOperation(let operation, let left, let right):
      return try CollectionFunction.combine(
        evaluate(left, with: object),
        operation,
        evaluate(right, with: object)
      )
    case .fetch(let request, let context, let countOnly):
      return try functions.fetch(
        evaluate(request, with: object),
        context: evaluate(context, with: object),
        countOnly: countOnly
      )
    }
  }

  private func members(
    of collection: Expression,
    _ variable: String,
    _ predicate: Predicate,
    with object: ExpressionValue
  ) throws -> ExpressionValue {
    let value = try evaluate(collection, with: object)
    guard let members = value.members else {
      if case .nothing = value { return .nothing }
      throw EvaluationError.wrongKind("SUBQUERY", value)
    }
    var inner = self
    var kept: [ExpressionValue] = []
    for member in members {
      inner.variables[variable] = member
      if try inner.evaluate(predicate, with: object) { kept.append(member) }
    }
    if case .list = value { return .list(kept) }
    return .set(kept)
  }

  private func call(
    _ selector: String,
    on target: Expression,
    _ arguments: [ExpressionValue],
    with object: ExpressionValue
  ) throws -> ExpressionValue {
    switch target {
    case .className(let name):
      if let value = try ClassMethod.call(selector, of: name, arguments, now: variables["now"]) {
        return value
      }
      return try functions.call(selector, on: nil, targetName: name, arguments: arguments)
    case .variable(let name) where variables[name] == nil:
      return try functions.call(selector, on: nil, targetName: name, arguments: arguments)
    default: break
    }
    let value = try evaluate(target, with: object)
    let name = if case .variable(let name) = target { name } else { value.kind }
    return try method(selector, of: value, called: name, arguments)
  }

  /// Returns the result of a method of a value.
  ///
  /// - Parameter name: The name of the value in an error.
  func method(
    _ selector: String,
    of value: ExpressionValue,
    called name: String,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    switch (value, selector) {
    case (.nothing, _): return .nothing
    case (_, "valueForKey:"), (_, "valueForKeyPath:"):
      guard case .scalar(.string(let text)) = arguments.first else {
        throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing)
      }
      return try self.value(atPath: text.split(separator: ".").map(String.init)[...], of: value)
    case (.object, _): break
    case (.scalar(.string(let text)), _):
      if let result = try patterns.call(selector, on: text, arguments) { return result }
      if let result = try ValueMethod.call(selector, of: value, arguments) { return result }
    default:
      if let result = try ValueMethod.call(selector, of: value, arguments) { return result }
    }
    return try functions.call(selector, on: value, targetName: name, arguments: arguments)
  }

  /// Returns the arguments that are text which the expression itself does not spell out.
  private static func textsOfData(
    _ arguments: [Expression],
    _ values: [ExpressionValue]
  ) -> [String] {
    zip(arguments, values).compactMap { argument, value in
      guard case .scalar(.string(let text)) = value else { return nil }
      if case .constant = argument { return nil }
      return text
    }
  }

  static func unknownVariable(_ name: String) -> EvaluationError {
    EvaluationError(
      .unknownVariable,
      "The variable $\(name) has no value here.",
      recovery: "Use one that mapping models have, such as $source."
    )
  }
}

extension ExpressionValue {
  /// The members of a collection; nil for everything else.
  public var members: [ExpressionValue]? {
    switch self {
    case .list(let members), .set(let members): members
    case .nothing, .scalar, .object: nil
    }
  }

  /// The kind of the value, in words for messages; never the value itself.
  package var kind: String {
    switch self {
    case .nothing: "nil"
    case .object: "an object"
    case .list: "a list"
    case .set: "a set"
    case .scalar(let value):
      switch value {
      case .integer, .real, .decimal: "a number"
      case .boolean: "a truth value"
      case .string: "a string"
      case .date: "a date"
      case .binary: "bytes"
      case .uuid: "a UUID"
      case .uri: "a URI"
      }
    }
  }
}
