internal import ArgumentParser

/// The options for a batch's display while it runs.
struct BatchDisplayOptions: ParsableArguments {
  /// The form of a line for each store.
  enum LogForm: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none
    case logfmt
    case json
  }

  @Option(
    help: ArgumentHelp(
      "How to show progress on standard error; auto is a line on a terminal.",
      valueName: "form"
    )
  )
  var progress = RunOptions.Progress.auto

  @Option(
    name: .customLong("log"),
    help: ArgumentHelp("Write a line for each store to standard error.", valueName: "form")
  )
  var log = LogForm.none

  @Option(
    name: .customLong("metrics"),
    help: ArgumentHelp(
      "Keep a file of figures for Prometheus up to date, for its node exporter.",
      valueName: "file"
    )
  )
  var metrics: String?
}
