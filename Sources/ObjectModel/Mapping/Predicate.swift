/// A condition that an object meets or does not.
///
/// Counterpart of `NSPredicate`.
public indirect enum Predicate: Hashable, Sendable {
  /// Two values compared.
  case comparison(Comparison)
  /// All of these hold; `TRUEPREDICATE` where there are none.
  case all([Predicate])
  /// A disjunction: at least one of these holds; `FALSEPREDICATE` where there are none.
  case any([Predicate])
  /// The condition does not hold.
  case not(Predicate)

  /// A comparison of two values.
  ///
  /// Counterpart of `NSComparisonPredicate`.
  public struct Comparison: Hashable, Sendable {
    /// The value on the left.
    public var left: Expression
    /// The relation that the values must have.
    public var relation: Relation
    /// The value on the right.
    public var right: Expression
    /// The members of a collection on the left that are compared.
    public var quantifier: Quantifier
    /// Whether letters are equal in either case: `[c]`.
    public var isCaseInsensitive = false
    /// Whether letters are equal with and without their marks: `[d]`.
    public var isDiacriticInsensitive = false

    /// A comparison that minds case and marks.
    public init(
      _ left: Expression,
      _ relation: Relation,
      _ right: Expression,
      quantifier: Quantifier = .direct
    ) {
      self.left = left
      self.relation = relation
      self.right = right
      self.quantifier = quantifier
    }
  }

  /// A relation of two values; raw values are those of `NSComparisonPredicate.Operator`.
  public enum Relation: Int64, Hashable, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqual = 1
    case greaterThan = 2
    case greaterThanOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case isIn = 10
    case contains = 99
    case between = 100

    /// The word or sign in a format string.
    public var text: String {
      switch self {
      case .lessThan: "<"
      case .lessThanOrEqual: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqual: ">="
      case .equal: "=="
      case .notEqual: "!="
      case .matches: "MATCHES"
      case .like: "LIKE"
      case .beginsWith: "BEGINSWITH"
      case .endsWith: "ENDSWITH"
      case .isIn: "IN"
      case .contains: "CONTAINS"
      case .between: "BETWEEN"
      }
    }
  }

  /// The members of a collection that are compared.
  ///
  /// Raw values are those of `NSComparisonPredicate.Modifier`; `NONE` is a negated ``any``.
  public enum Quantifier: Int64, Hashable, Sendable {
    /// The value itself.
    case direct = 0
    /// Each member.
    case all = 1
    /// The comparison holds for at least one member.
    case any = 2
  }
}
