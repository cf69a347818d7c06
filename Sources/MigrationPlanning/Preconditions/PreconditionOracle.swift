package import ObjectModel

/// A source of answers to questions about the rows of a store, which has the questions' version.
///
/// Planning opens no file; its caller passes it the store as an oracle.
package protocol PreconditionOracle {
  /// Returns the answer of the store's rows.
  ///
  /// It asks each question only once, and answers `unknown` where the store is not what its model
  /// declares.
  func answer(to precondition: Precondition) -> Precondition.Answer

  /// Returns the counts of the store's objects, values and links; nil where they are not known.
  func counts() -> StoreCounts?

  /// Returns whether a hop makes its objects one by one, and so leaves out links that lead nowhere; else
  /// it carries tables.
  func makesObjects(_ hop: Hop) -> Bool

  /// Returns the number of bytes that a hop writes and of rows that it moves; nil where they are not
  /// known.
  ///
  /// - Parameter composed: The mapping of the store's rows before the hop; nil where it is not known.
  func size(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ mapping: MappingModel,
    isAuthored: Bool,
    after composed: ComposedMapping?
  ) -> HopSize?
}

/// A size of a hop, estimated from the sizes of the store's tables.
package struct HopSize: Hashable, Sendable {
  /// The rows that it carries or drops.
  package var rows: Int64
  /// The bytes that it writes, about.
  package var bytes: Int64
  /// The estimated bytes on the disk beside the store while it runs.
  package var diskNeeded: Int64

  /// A size in its parts.
  package init(rows: Int64, bytes: Int64, diskNeeded: Int64) {
    self.rows = rows
    self.bytes = bytes
    self.diskNeeded = diskNeeded
  }
}

extension Precondition {
  /// An answer of a store's rows to a question.
  package enum Answer: Hashable, Sendable {
    /// The condition holds for all of this many rows.
    case proven(of: Int64)
    /// This many rows violate the condition, in this many groups where the question is about groups.
    case refuted(rows: Int64, of: Int64, groups: Int64?, keys: [Int64])
    /// The answer is not known, with the reason.
    case unknown(String)

    /// Makes an answer of a count of violating rows.
    package init(rows: Int64, of total: Int64, groups: Int64? = nil, keys: [Int64]) {
      self =
        rows == 0 ? .proven(of: total) : .refuted(rows: rows, of: total, groups: groups, keys: keys)
    }

    /// Returns the answer for some of the rows: a condition that holds for all holds for them.
    package func ofSome(because reason: String) -> Answer {
      if case .refuted = self { return .unknown(reason) }
      return self
    }
  }
}

extension Finding.Evidence {
  /// Combines the answers to the questions of one finding.
  package init(_ answers: [(kind: Precondition.Kind, answer: Precondition.Answer)]) {
    let words = answers.first?.kind.complaint ?? ""
    var sum = Finding.Evidence(.proven, words: words)
    var reason: String?
    for (kind, answer) in answers {
      switch answer {
      case .proven(let total): sum.total += total
      case .refuted(let rows, let total, let groups, let keys):
        sum.verdict = .refuted
        sum.words = kind.complaint
        sum.rows += rows
        sum.total += total
        if let groups { sum.groups = (sum.groups ?? 0) + groups }
        sum.keys = Array((sum.keys + keys).sorted().prefix(Self.keyLimit))
      case .unknown(let text): if reason == nil { reason = text }
      }
    }
    if sum.verdict == .proven, let reason { sum = Finding.Evidence(.unknown, words: reason) }
    self = sum
  }
}
