extension ExpressionEvaluator {
  /// Returns whether a predicate holds.
  ///
  /// - Parameter object: The object that `SELF` and paths without a beginning refer to.
  /// - Throws: ``EvaluationError``, and what ``functions`` and objects throw.
  package func evaluate(
    _ predicate: Predicate,
    with object: ExpressionValue = .nothing
  ) throws -> Bool {
    switch predicate {
    case .all(let parts): return try parts.allSatisfy { try evaluate($0, with: object) }
    case .any(let parts): return try parts.contains { try evaluate($0, with: object) }
    case .not(let part): return try !evaluate(part, with: object)
    case .comparison(let comparison):
      let left = try evaluate(comparison.left, with: object)
      let right = try evaluate(comparison.right, with: object)
      let holds = { (value: ExpressionValue) in
        try self.holds(value, comparison, right)
      }
      guard comparison.quantifier != .direct else { return try holds(left) }
      guard let members = left.members else {
        // Nil is a collection without members.
        if case .nothing = left { return comparison.quantifier == .all }
        throw EvaluationError.wrongKind(comparison.quantifier == .all ? "ALL" : "ANY", left)
      }
      return comparison.quantifier == .all
        ? try members.allSatisfy(holds) : try members.contains(where: holds)
    }
  }

  func holds(
    _ left: ExpressionValue,
    _ comparison: Predicate.Comparison,
    _ right: ExpressionValue
  ) throws -> Bool {
    let folding = TextFolding(comparison)
    switch comparison.relation {
    case .equal: return Self.areEqual(left, right, folding)
    case .notEqual: return !Self.areEqual(left, right, folding)
    case .lessThan: return try order(left, right, folding) == .ascending
    case .lessThanOrEqual:
      return try order(left, right, folding).map { $0 != .descending } ?? false
    case .greaterThan: return try order(left, right, folding) == .descending
    case .greaterThanOrEqual:
      return try order(left, right, folding).map { $0 != .ascending } ?? false
    case .between:
      if case .nothing = right { return false }
      guard let bounds = right.members, bounds.count == 2 else {
        throw EvaluationError.wrongKind("BETWEEN", right)
      }
      return try order(left, bounds[0], folding).map { $0 != .ascending } ?? false
        && order(left, bounds[1], folding).map { $0 != .descending } ?? false
    case .isIn: return try Self.isMember(left, of: right, folding, "IN")
    case .contains: return try Self.isMember(right, of: left, folding, "CONTAINS")
    case .beginsWith, .endsWith, .like, .matches:
      guard let (text, other) = try texts(left, right, comparison.relation.text) else {
        return false
      }
      switch comparison.relation {
      case .beginsWith: return folding.fold(text).utf8.starts(with: folding.fold(other).utf8)
      case .endsWith:
        return folding.fold(text).utf8.reversed().starts(with: folding.fold(other).utf8.reversed())
      case .like: return Wildcards.match(folding.fold(text), folding.fold(other))
      default: return try patterns.matches(text, other, folding)
      }
    }
  }

  private static func areEqual(
    _ left: ExpressionValue,
    _ right: ExpressionValue,
    _ folding: TextFolding
  ) -> Bool {
    ValueKey(folding.fold(left)) == ValueKey(folding.fold(right))
  }

  private func order(
    _ left: ExpressionValue,
    _ right: ExpressionValue,
    _ folding: TextFolding
  ) throws -> ValueOrder? {
    try ValueOrder.of(folding.fold(left), folding.fold(right))
  }

  /// Returns whether a value is a member of a collection, or a text a part of another.
  private static func isMember(
    _ value: ExpressionValue,
    of whole: ExpressionValue,
    _ folding: TextFolding,
    _ operation: String
  ) throws -> Bool {
    if let members = whole.members {
      let key = ValueKey(folding.fold(value))
      return members.contains { ValueKey(folding.fold($0)) == key }
    }
    switch (value, whole) {
    case (.nothing, _), (_, .nothing): return false
    case (.scalar(.string(let part)), .scalar(.string(let whole))):
      return folding.fold(whole).hasPart(folding.fold(part))
    case (_, .scalar(.string)): throw EvaluationError.wrongKind(operation, value)
    default: throw EvaluationError.wrongKind(operation, whole)
    }
  }

  private func texts(
    _ left: ExpressionValue,
    _ right: ExpressionValue,
    _ operation: String
  ) throws -> (String, String)? {
    switch (left, right) {
    case (.nothing, _), (_, .nothing): return nil
    case (.scalar(.string(let left)), .scalar(.string(let right))): return (left, right)
    case (.scalar(.string), _): throw EvaluationError.wrongKind(operation, right)
    default: throw EvaluationError.wrongKind(operation, left)
    }
  }
}

extension StringProtocol {
  /// Returns whether the text has another as a part, scalar by scalar.
  func hasPart(_ part: String) -> Bool { range(ofPart: part) != nil }

  /// Returns the first range of another text in this one, scalar by scalar; of the empty one, the beginning.
  func range(ofPart part: String) -> Range<Index>? {
    let bytes = Array(part.utf8)
    guard let first = bytes.first else { return startIndex..<startIndex }
    var start = startIndex
    while let place = utf8[start...].firstIndex(of: first) {
      let rest = utf8[place...]
      if rest.starts(with: bytes) {
        return place..<utf8.index(place, offsetBy: bytes.count)
      }
      start = utf8.index(after: place)
    }
    return nil
  }
}
