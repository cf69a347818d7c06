/// The choices that a model leaves open where to-many relationships are each other's inverse.
///
/// Two things are open: which of two inverse relationships of one entity names their table, and
/// which of several columns of one name gets a number. See ``UnsettledName``.
package struct JoinNames: Hashable, Sendable {
  /// A number after a column's name, 0 for none, and the ground for it.
  struct Suffix: Hashable, Sendable {
    var number: Int
    var settler: UnsettledName.Settler
  }

  /// The relationships known to name their table.
  var masters: [PropertyReference: UnsettledName.Settler] = [:]
  /// The number after the column with the keys to which a relationship leads.
  var suffixes: [PropertyReference: Suffix] = [:]

  /// The names without any evidence: each open choice is a guess.
  package static let predicted = JoinNames()

  /// Whether nothing is known.
  package var isEmpty: Bool { masters.isEmpty && suffixes.isEmpty }

  /// Returns these choices, completed by others where these are open.
  package func filled(from other: JoinNames) -> JoinNames {
    var result = self
    result.masters.merge(other.masters) { mine, _ in mine }
    result.suffixes.merge(other.suffixes) { mine, _ in mine }
    return result
  }
}
