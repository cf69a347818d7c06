extension Predicate: CustomStringConvertible {
  /// The condition in the syntax of `NSPredicate(format:)`; parsed, it gives an equal one.
  ///
  /// Only a compound of one part is read back as that part.
  public var description: String {
    switch self {
    case .comparison(let comparison): comparison.description
    case .all(let parts): parts.isEmpty ? "TRUEPREDICATE" : Self.joined(parts, " AND ")
    case .any(let parts): parts.isEmpty ? "FALSEPREDICATE" : Self.joined(parts, " OR ")
    case .not(let part): "NOT (\(part))"
    }
  }

  private static func joined(_ parts: [Predicate], _ word: String) -> String {
    parts.map { part in
      switch part {
      case .comparison, .not: part.description
      case .all, .any: "(\(part))"
      }
    }.joined(separator: word)
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The comparison in the syntax of `NSPredicate(format:)`.
  public var description: String {
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
