import ObjectModel

/// A lower bound on the data of one store that the edges of a line drop.
///
/// An equivalent edge drops the same as the history: properties with values and entities with rows in
/// the store that the history from the store's version carries to one end and not to the other. An edge
/// that is not equivalent costs more for that alone. Values whose transformer changes, and links that
/// lose their order, follow from both ends alike. This counts distinct findings of an inferred edge,
/// except those that the store's data can prove to cost nothing.
package struct InevitableLosses {
  private let possible: PossibleLosses
  private let ask: (Precondition) -> Precondition.Answer
  private var refuted: [Int: Bool] = [:]
  private var counts: [Int: [EdgeLowerBound.Risks]] = [:]

  /// - Parameter ask: Answers a question to the store.
  init(_ possible: PossibleLosses, ask: @escaping (Precondition) -> Precondition.Answer) {
    self.possible = possible
    self.ask = ask
  }

  /// Returns the fewest findings by which the inferred edge between two versions costs the store's data
  /// something.
  ///
  /// - Complexity: O(1), once the store was asked about what is dropped after the first of them.
  mutating func risks(from source: Int, to destination: Int) -> EdgeLowerBound.Risks {
    guard let row = possible.row(from: source, to: destination) else {
      return EdgeLowerBound.Risks()
    }
    let counts = counts[source] ?? counts(row, from: source)
    self.counts[source] = counts
    return counts[destination - source]
  }

  private mutating func counts(_ row: PossibleLosses.Row, from source: Int) -> [EdgeLowerBound
    .Risks]
  {
    var counts = [EdgeLowerBound.Risks](repeating: EdgeLowerBound.Risks(), count: row.count)
    for claims in row.drops {
      let held = claims.filter { isRefuted($0.question) }
      var nodes = held.flatMap(\.nodes)
      if held.count > 1 { nodes = Set(nodes.flatMap { $0 }).map { $0..<$0 + 1 } }
      for node in nodes.joined() { counts[node - source].lossy += 1 }
    }
    for (change, questions) in row.changes where questions.contains(where: { isRefuted($0) }) {
      if change.isLossy {
        counts[change.node - source].lossy += 1
      } else {
        counts[change.node - source].conditional += 1
      }
    }
    return counts
  }

  private mutating func isRefuted(_ question: Int) -> Bool {
    if let known = refuted[question] { return known }
    let isRefuted = if case .refuted = ask(possible.question(question)) { true } else { false }
    refuted[question] = isRefuted
    return isRefuted
  }
}
