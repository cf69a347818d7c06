package import ObjectModel
package import PropertyLists

/// The archive form of expressions and predicates, in which mapping models and compiled models keep
/// them.
package enum ExpressionArchive {
  /// Returns the expression that an archive of `NSKeyedArchiver` has under `root`.
  ///
  /// Methods of `_NSPredicateUtilities` become ``Expression/call(_:_:)``, constant collections
  /// ``Expression/aggregate(_:)``.
  ///
  /// - Throws: `ModelCodingError`: `damagedArchive` where the bytes are no archive, `unsupported`
  ///   where a part has a form that is not known.
  /// - Complexity: O(n) in the number of bytes, and in the parts, at most 100,000 of them.
  package static func decode(_ bytes: [UInt8]) throws(ModelCodingError) -> Expression {
    let root = try root(of: bytes)
    let expression = try decode(root)
    try check(root)
    return expression
  }

  /// Returns the predicate that an archive of `NSKeyedArchiver` has under `root`.
  ///
  /// - Throws: `ModelCodingError`, as for expressions.
  package static func decodePredicate(_ bytes: [UInt8]) throws(ModelCodingError) -> Predicate {
    let root = try root(of: bytes)
    let predicate = try decodePredicate(root)
    try check(root)
    return predicate
  }

  /// Returns the expression that an object of a larger archive is.
  ///
  /// - Throws: `ModelCodingError`: `unsupported` where a part has a form that is not known.
  package static func decode(_ object: ArchivedObject) throws(ModelCodingError) -> Expression {
    var decoder = ExpressionDecoder()
    return try decoder.expression(object)
  }

  /// Returns the predicate that an object of a larger archive is.
  ///
  /// - Throws: `ModelCodingError`: `unsupported` where a part has a form that is not known.
  package static func decodePredicate(
    _ object: ArchivedObject
  ) throws(ModelCodingError) -> Predicate {
    var decoder = ExpressionDecoder()
    return try decoder.predicate(object)
  }

  private static func root(of bytes: [UInt8]) throws(ModelCodingError) -> ArchivedObject {
    do { return try KeyedArchive(bytes).root } catch { throw ModelCodingError(error) }
  }

  private static func check(_ root: ArchivedObject) throws(ModelCodingError) {
    do { try root.archive.checkEffort() } catch { throw ModelCodingError(error) }
  }
}

extension ModelCodingError {
  static func unknownExpression(_ message: String) -> ModelCodingError {
    ModelCodingError(
      .unsupported,
      message,
      recovery: "Write the expression anew as text in a hop file, or compute it in a policy."
    )
  }
}
