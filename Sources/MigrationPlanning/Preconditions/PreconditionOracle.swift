package import ObjectModel

/// Whatever answers questions to the data of a store, whose version is the one that they ask.
///
/// Planning touches no file; what knows the store is handed to it as one of these.
package protocol PreconditionOracle {
  /// What the store's rows say.
  ///
  /// It asks the same only once, and answers `unknown` where the store is not what its model says.
  func answer(to precondition: Precondition) -> Precondition.Answer

  /// What the store holds; nil where that cannot be known.
  func counts() -> StoreCounts?

  /// Whether a hop makes its objects one by one, and so leaves out links that lead nowhere; else it carries
  /// tables.
  func makesObjects(_ hop: Hop) -> Bool

  /// How many bytes a hop writes, and how many rows it is about; nil where that cannot be known.
  ///
  /// - Parameter way: What became of the store's rows before the hop; nil where nobody can say.
  func size(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ mapping: MappingModel,
    isAuthored: Bool,
    after way: ComposedMapping?
  ) -> HopSize?
}

/// What a hop moves, as the sizes of the store's tables tell.
package struct HopSize: Hashable, Sendable {
  /// The rows that it carries or drops.
  package var rows: Int64
  /// The bytes that it writes, about.
  package var bytes: Int64
  /// The bytes that lie on the disk beside the store while it runs, about.
  package var diskNeeded: Int64

  /// A size in its parts.
  package init(rows: Int64, bytes: Int64, diskNeeded: Int64) {
    self.rows = rows
    self.bytes = bytes
    self.diskNeeded = diskNeeded
  }
}

extension Precondition {
  /// What the data says to a question.
  package enum Answer: Hashable, Sendable {
    /// No row of so many stands against it.
    case proven(of: Int64)
    /// So many rows do, in so many groups where that is what was asked.
    case refuted(rows: Int64, of: Int64, groups: Int64?, keys: [Int64])
    /// Nobody can say, and why.
    case unknown(String)

    /// What a count of rows says.
    package init(rows: Int64, of total: Int64, groups: Int64? = nil, keys: [Int64]) {
      self =
        rows == 0 ? .proven(of: total) : .refuted(rows: rows, of: total, groups: groups, keys: keys)
    }

    /// The same of fewer rows than were asked: what no row does, none of them does.
    package func ofSome(because reason: String) -> Answer {
      if case .refuted = self { return .unknown(reason) }
      return self
    }
  }
}

extension Finding.Evidence {
  /// What the answers to the questions of one finding say together.
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
