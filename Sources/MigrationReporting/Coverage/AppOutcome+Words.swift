internal import MigrationPlanning

extension AppOutcome.Kind {
  /// The words, sign and style of an outcome in reports.
  struct Words {
    /// The outcome of one store.
    let one: String
    /// The outcome of several stores.
    let several: String
    /// The outcome of one store in a table's column.
    let short: String
    /// A sign beside the words.
    let mark: String
    /// The style on a terminal.
    let style: StyledText.Style

    /// Returns the outcome of a number of stores.
    func of(_ count: Int) -> String { count == 1 ? one : several }
  }

  /// The words and signs of each outcome.
  var words: Words {
    switch self {
    case .arrives:
      Words(
        one: "arrives",
        several: "arrive",
        short: "arrives",
        mark: "✓",
        style: .good
      )
    case .otherDefaults:
      Words(
        one: "arrives, with other defaults",
        several: "arrive with other defaults",
        short: "other defaults",
        mark: "◇",
        style: .caution
      )
    case .keeps:
      Words(
        one: "keeps what the history drops or changes",
        several: "keep what the history drops or changes",
        short: "keeps more",
        mark: "✓",
        style: .caution
      )
    case .loses:
      Words(
        one: "loses or changes data silently",
        several: "lose or change data silently",
        short: "loses or changes",
        mark: "▼",
        style: .bad
      )
    case .fails:
      Words(one: "fails", several: "fail", short: "fails", mark: "✕", style: .bad)
    case .unknown:
      Words(
        one: "unknown",
        several: "unknown",
        short: "unknown",
        mark: "?",
        style: .caution
      )
    }
  }
}
