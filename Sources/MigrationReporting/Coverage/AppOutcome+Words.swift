internal import MigrationPlanning

extension AppOutcome.Kind {
  /// How reports say and show what the app does with a store.
  struct Words {
    /// What becomes of one store.
    let one: String
    /// What becomes of several stores.
    let several: String
    /// What becomes of one store, as short as a column is wide.
    let short: String
    /// A character that stands beside the words.
    let mark: String
    /// How a terminal shows it.
    let style: StyledText.Style

    /// What becomes of a number of stores.
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
