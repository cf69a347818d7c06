import ObjectModel

/// What is to be said of a source file that cannot be read, or not as a whole.
enum SourceFinding {
  /// A file that is left out.
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

  /// A file with text after its last declaration that is no Swift.
  static func syntaxError(_ place: SourcePlace) -> Finding {
    Finding(
      .unreadableSource,
      .warning,
      at: place.finding(),
      message: "What stands from here to the end of the file is no Swift, and is left out.",
      remedy: "Correct the syntax error."
    )
  }

  /// A `#if` around declarations whose condition depends on what nobody said.
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
