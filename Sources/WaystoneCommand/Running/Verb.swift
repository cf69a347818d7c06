internal import ArgumentParser

/// A command that does something, rather than only have subcommands.
protocol Verb: ParsableCommand {
  /// The options that all verbs share.
  var common: CommonOptions { get }
  /// Whether the verb plans or runs migrations, in which the app's own policies may take part.
  var takesPolicies: Bool { get }

  /// Performs the verb; returns its exit status.
  mutating func perform(in session: Session) throws -> CommandStatus
}

extension Verb {
  var takesPolicies: Bool { false }
}

/// The forms in which most results are printed.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text
  case json
}

/// The options that all verbs share.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("models"),
    help: ArgumentHelp(
      "An .xcdatamodeld, or a folder of them. (default: as waystone.yml says, else ModelArchive)",
      valueName: "path"
    )
  )
  var modelPaths: [String] = []

  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration. (default: waystone.yml here or in a folder above)",
      valueName: "file"
    )
  )
  var configuration: String?

  @Option(
    name: [.customShort("C"), .customLong("folder")],
    help: ArgumentHelp("Work as if started in this folder.", valueName: "folder")
  )
  var folder: String?

  @Flag(name: .shortAndLong, help: "Print errors only; the exit status tells the rest.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print details that few need.")
  var verbose = false

  @Flag(name: .customLong("no-color"), help: "Print without colors, as NO_COLOR=1 does.")
  var withoutColor = false

  mutating func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
    if !modelPaths.isEmpty, configuration != nil {
      throw ValidationError("--config names the models: leave --models out.")
    }
  }
}

/// The option of verbs whose result is text or JSON.
struct FormatOption: ParsableArguments {
  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format = OutputFormat.text
}
