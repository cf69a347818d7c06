extension Finding {
  /// The evidence of one store's rows about a finding.
  public struct Evidence: Hashable, Sendable {
    /// The verdict that follows from the rows.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
      /// The condition holds for all rows, so nothing is lost.
      case proven
      /// Some rows contradict it.
      case refuted
      /// The answer cannot be known before the rows exist.
      case unknown
    }

    /// The verdict that follows from the rows.
    public var verdict: Verdict
    /// The number of rows that contradict it.
    public var rows: Int64
    /// The number of rows examined.
    public var total: Int64
    /// The number of groups of rows that share values, where the question was about groups.
    public var groups: Int64?
    /// The least primary keys of rows that contradict it, five at most.
    public var keys: [Int64]
    /// The condition of those rows, in words that follow their number; the reason where it is unknown.
    public var words: String

    /// Evidence in its parts.
    public init(
      _ verdict: Verdict,
      rows: Int64 = 0,
      of total: Int64 = 0,
      groups: Int64? = nil,
      keys: [Int64] = [],
      words: String
    ) {
      self.verdict = verdict
      self.rows = rows
      self.total = total
      self.groups = groups
      self.keys = keys
      self.words = words
    }

    /// The greatest number of primary keys that are listed.
    public static let keyLimit = 5

    /// The evidence in one sentence, as in `3 of 60 rows have no value; keys 4, 9, 17.`.
    public var sentence: String {
      switch verdict {
      case .unknown: return "Unknown until the run: \(words)."
      case .proven: return "In the store, 0 of \(total) rows \(words)."
      case .refuted: return "In the store, \(rows) of \(total) rows \(complaint)."
      }
    }

    /// The condition of the rows, in words that follow their number: `have no value; keys 4, 9, 17`.
    public var complaint: String {
      let parts = groups.map { ", in \($0) \($0 == 1 ? "group" : "groups")" } ?? ""
      return Self.agreeing(words, with: rows) + parts + keyList
    }

    /// Returns words that follow a number of rows or objects, with their verb in the singular for one.
    package static func agreeing(_ words: String, with count: Int64) -> String {
      let verbs = [
        "have": "has", "are": "is", "share": "shares", "lead": "leads", "find": "finds",
        "lack": "lacks",
      ]
      guard count == 1, let verb = words.split(separator: " ").first,
        let other = verbs[String(verb)]
      else { return words }
      return other + words.dropFirst(verb.count)
    }

    /// The keys, and whether there are more; nothing where none is known.
    private var keyList: String {
      guard !keys.isEmpty else { return "" }
      let more = rows > Int64(keys.count) ? " and more" : ""
      let noun = keys.count == 1 && more.isEmpty ? "key" : "keys"
      return "; \(noun) \(keys.map(String.init).joined(separator: ", "))\(more)"
    }
  }
}
