import ObjectModel

/// The findings on source files that cannot be read, or only in part.
enum SourceFinding {
  /// Returns a file that is left out.
  static func leftOut(_ name: String, line: Int? = nil, _ reason: String, _ remedy: String)
    -> Finding
  {
    Finding(
      .unreadableSource,
      .warning,
      at: Finding.Place(file: name, line: line),
      message: "The file is left out: \(reason).",
      remedy: remedy
    )
  }

  /// Returns a file with text after its last declaration that is no Swift.
  static func syntaxError(_ place: SourcePlace) -> Finding {
    Finding(
      .unreadableSource,
      .warning,
      at: place.finding(),
      message: "What stands from here to the end of the file is no Swift, and is left out.",
      remedy: "Correct the syntax error."
    )
  }

  /// Returns a finding on a `#if` around declarations whose condition depends on facts that the project
  /// does not state.
  static func undecidedCondition(_ place: SourcePlace) -> Finding {
    Finding(
      .undecidedCondition,
      .warning,
      at: place.finding(),
      message: "Whether this `#if` holds depends on the build; the types in it are left out.",
      remedy: "Move models and the types of their properties out of the `#if`."
    )
  }
}
