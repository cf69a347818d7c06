/// The functions that `NSExpression` itself has, those of its private class `_NSPredicateUtilities`.
package enum LibraryFunction {
  /// The class whose methods they are, as archives name it.
  package static let className = "_NSPredicateUtilities"

  /// Their selectors.
  package static let selectors: Set<String> = [
    "average:", "sum:", "count:", "min:", "max:", "median:", "mode:", "stddev:", "add:to:",
    "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "sqrt:",
    "log:", "ln:", "exp:", "ceiling:", "floor:", "abs:", "trunc:", "random", "random:", "randomn:",
    "now", "uppercase:", "lowercase:", "length:", "canonical:", "noindex:", "distinct:",
    "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
    "onesComplement:", "castObject:toType:", "objectFrom:withIndex:", "inverseOrderKey:",
    "distanceToLocation:fromLocation:", "tokenize:using:",
  ]

  /// The functions of a collection, which a format string may give the members one by one.
  static let ofCollections: Set<String> = [
    "average:", "sum:", "count:", "min:", "max:", "median:", "mode:", "stddev:",
  ]

  /// The words in brackets after a collection; as calls they have no arguments.
  package static let places: Set<String> = ["FIRST", "LAST", "SIZE"]

  /// The signs that are short for a selector of two arguments.
  static let operators: [String: String] = [
    "+": "add:to:", "-": "from:subtract:", "*": "multiply:by:", "/": "divide:by:",
    "**": "raise:toPower:",
  ]

  /// The sign of a selector, where it has one.
  package static let signs: [String: String] = Dictionary(
    uniqueKeysWithValues: operators.map { ($0.value, $0.key) }
  )
}
