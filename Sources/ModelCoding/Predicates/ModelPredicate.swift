import ObjectModel

/// A condition inside a model: of a partial index, a fetch request or a validation.
///
/// Counterpart of `NSPredicate`, in the forms that compiled models of public apps have.
indirect enum ModelPredicate: Hashable, Sendable {
  /// Two values compared.
  case comparison(Comparison)
  /// All of these hold.
  case all([ModelPredicate])
  /// At least one of these holds.
  case any([ModelPredicate])
  /// The condition does not hold.
  case not(ModelPredicate)

  /// What is compared, and how.
  struct Comparison: Hashable, Sendable {
    var left: Operand
    var relation: Relation
    var right: Operand
    var quantifier = Quantifier.direct
    var isCaseInsensitive = false
    var isDiacriticInsensitive = false

    /// `NSComparisonPredicate.Options`, of which only these two are known here.
    var options: Int64 { (isCaseInsensitive ? 1 : 0) | (isDiacriticInsensitive ? 2 : 0) }
  }

  /// A value that is compared.
  enum Operand: Hashable, Sendable {
    /// The object that the condition is about.
    case evaluatedObject
    /// A value that the object leads to.
    case keyPath([String])
    /// A value that the program provides, or one that it leads to.
    case variable(String, [String])
    /// A value that the model contains, or nothing.
    case constant(AttributeValue?)
  }

  /// Raw values are those of `NSComparisonPredicate.Operator`.
  enum Relation: Int64, Hashable, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqual = 1
    case greaterThan = 2
    case greaterThanOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case isIn = 10
    case contains = 99

    /// The word or sign in a format string.
    var text: String {
      switch self {
      case .lessThan: "<"
      case .lessThanOrEqual: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqual: ">="
      case .equal: "=="
      case .notEqual: "!="
      case .matches: "MATCHES"
      case .isIn: "IN"
      case .contains: "CONTAINS"
      }
    }
  }

  /// Raw values are those of `NSComparisonPredicate.Modifier`.
  enum Quantifier: Int64, Hashable, Sendable {
    case direct = 0
    case all = 1
    case any = 2
  }
}

extension ModelPredicate: CustomStringConvertible {
  /// The condition in the syntax of `NSPredicate(format:)`.
  var description: String {
    switch self {
    case .comparison(let comparison): comparison.description
    case .all(let parts): parts.isEmpty ? "TRUEPREDICATE" : Self.joined(parts, " AND ")
    case .any(let parts): parts.isEmpty ? "FALSEPREDICATE" : Self.joined(parts, " OR ")
    case .not(let part): "NOT (\(part))"
    }
  }

  private static func joined(_ parts: [ModelPredicate], _ word: String) -> String {
    parts.map { part in
      switch part {
      case .comparison, .not: part.description
      case .all, .any: "(\(part))"
      }
    }.joined(separator: word)
  }
}

extension ModelPredicate.Comparison: CustomStringConvertible {
  var description: String {
    let quantifier =
      switch quantifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let letters = (isCaseInsensitive ? "c" : "") + (isDiacriticInsensitive ? "d" : "")
    return "\(quantifier)\(left) \(relation.text)\(letters.isEmpty ? "" : "[\(letters)]") \(right)"
  }
}

extension ModelPredicate.Operand: CustomStringConvertible {
  var description: String {
    switch self {
    case .evaluatedObject: "SELF"
    case .keyPath(let names): names.joined(separator: ".")
    case .variable(let name, let path): "$" + ([name] + path).joined(separator: ".")
    case .constant(let value): Expression.constant(value).description
    }
  }
}
