private import ArgumentParser
private import Files
private import Foundation
private import MigrationReporting
private import ObjectModel
public import StoreMigration

/// The `waystone` command, which a project can build for itself.
///
/// An executable whose `main.swift` is `await WaystoneProgram.main()` is the command. One that hands a
/// ``/Waystone/MigrationRegistry`` over runs mappings that name policies of its own:
///
/// ```swift
/// import Waystone
/// import WaystoneCommand
/// var registry = MigrationRegistry()
/// registry.register(ImagePolicy.self)
/// await WaystoneProgram.main(registry)
/// ```
public enum WaystoneProgram {
  /// The version of the command.
  public static let version = "0.1.0"

  /// Runs the command with the process's arguments and ends the process with its exit status.
  ///
  /// - Parameter registry: The policies that mapping models name, and the handlers of stages.
  public static func main(_ registry: MigrationRegistry = MigrationRegistry()) async -> Never {
    ProcessState.prepare()
    if let foreign = rawArguments.first(where: { String(validating: $0, as: UTF8.self) == nil }) {
      Console.process().writeError(notUTF8(foreign))
      exit(CommandStatus.usage.rawValue)
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    let status = run(arguments, on: .process(), registry: registry)
    exit(status.rawValue)
  }

  /// The bytes of the arguments, which need not be UTF-8.
  private static var rawArguments: [[UInt8]] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { text in
        unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
      }
    }
  }

  /// Returns the error for an argument that is not UTF-8, whose other bytes are shown as `\xE9`.
  package static func notUTF8(_ argument: [UInt8]) -> String {
    let shown = argument.map { byte in
      (0x20..<0x7f).contains(byte)
        ? String(UnicodeScalar(byte))
        : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
    return
      "error: The argument “\(shown.joined())” is not UTF-8. Rename the file or folder that it "
      + "names.\n"
  }

  /// Runs the command with the arguments after its name; returns its exit status.
  package static func run(
    _ arguments: [String],
    on console: Console,
    registry: MigrationRegistry = MigrationRegistry()
  ) -> CommandStatus {
    if let topic = HelpTopic(arguments) {
      return console.writeOutput(topic.text) ? .success : .inputOutput
    }
    if BuildDescription.isWanted(by: arguments) {
      return console.writeOutput(BuildDescription.text(registry)) ? .success : .inputOutput
    }
    var verb: any Verb
    do {
      var command = try RootCommand.parseAsRoot(arguments)
      guard let parsed = command as? any Verb else {
        try command.run()
        return .success
      }
      verb = parsed
    } catch {
      return explain(parserError: error, arguments: arguments, on: console)
    }
    do {
      let session = try Session(console: console, options: verb.common, registry: registry)
      if verb.takesPolicies, let program = try session.policyProgram() {
        try ProgramReplacement.run(program, arguments)
      }
      return try verb.perform(in: session)
    } catch {
      return explain(Failure.report(error), arguments: arguments, on: console)
    }
  }

  /// The names of all verbs, in the order of the help; a verb below another has both names, as `batch
  /// status`.
  package static var verbs: [String] { commands(of: RootCommand.self).map(\.name) }

  private static func commands(
    of parent: any ParsableCommand.Type,
    _ prefix: String = ""
  ) -> [(name: String, type: any ParsableCommand.Type)] {
    parent.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { type in
      let name = prefix + type._commandName
      return [(name, type)] + commands(of: type, name + " ")
    }
  }

  /// Returns whether arguments are a verb with options that it has.
  package static func accepts(_ arguments: [String]) -> Bool {
    (try? RootCommand.parseAsRoot(arguments)) is any Verb
  }

  /// Returns the help of a verb, or of `waystone` itself, for a terminal of some columns.
  package static func help(of verb: String, columns: Int) -> String? {
    if verb == RootCommand._commandName { return RootCommand.helpMessage(columns: columns) }
    return commands(of: RootCommand.self).first { $0.name == verb }
      .map { RootCommand.helpMessage(for: $0.type, columns: columns) }
  }

  /// Prints help and versions to standard output, and wrong usage with status 2, for any status of the
  /// parser.
  private static func explain(
    parserError error: any Error,
    arguments: [String],
    on console: Console
  ) -> CommandStatus {
    var message = RootCommand.fullMessage(for: error)
    if RootCommand.exitCode(for: error).isSuccess {
      return console.writeOutput(message + "\n") ? .success : .inputOutput
    }
    if wantsJSON(arguments) {
      let report = FailureReport(
        status: CommandStatus.usage.rawValue,
        kind: CommandStatus.usage.name,
        code: "badArgument",
        message: RootCommand.message(for: error),
        recovery: "See `waystone help`."
      )
      _ = console.writeOutput(report.json.prettyPrinted + "\n")
    }
    if let meant = nearestVerb(to: arguments) {
      message = "error: There is no verb \(arguments[0]). Did you mean `waystone \(meant)`?"
    }
    console.writeError(message.lowercasedPrefix + "\n")
    return .usage
  }

  private static func explain(
    _ report: FailureReport,
    arguments: [String],
    on console: Console
  ) -> CommandStatus {
    if wantsJSON(arguments) { _ = console.writeOutput(report.json.prettyPrinted + "\n") }
    let isColored =
      console.isErrorTerminal && console.allowsColor && !arguments.contains("--no-color")
    console.writeError(report.text(isColored: isColored))
    return CommandStatus(rawValue: report.status) ?? .inputOutput
  }

  /// Returns the verb whose name is most like the first argument, where that is none.
  private static func nearestVerb(to arguments: [String]) -> String? {
    guard let word = arguments.first, !word.hasPrefix("-"), !verbs.contains(word), word != "help"
    else { return nil }
    let near = verbs.map { (name: $0, likeness: Similarity.of($0, word)) }
      .max { ($0.likeness, $1.name) < ($1.likeness, $0.name) }
    return near.flatMap { $0.likeness >= Similarity.threshold ? $0.name : nil }
  }

  /// Returns whether the arguments request JSON, even where they cannot be parsed.
  private static func wantsJSON(_ arguments: [String]) -> Bool {
    arguments.contains("--format=json")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--format" && $1 == "json" }
  }
}

extension String {
  /// The parser's `Error:` as all other errors begin.
  fileprivate var lowercasedPrefix: String {
    hasPrefix("Error:") ? "error:" + dropFirst(6) : self
  }
}
