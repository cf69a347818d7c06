internal import ArgumentParser
internal import Files
internal import Foundation
internal import MigrationReporting
internal import Waystone

/// The command `waystone dump`.
struct DumpCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write a store's objects as JSON, CSV or a plain SQLite database.",
    discussion: """
      One record for each object: its entity, its key in the store (objectID), attributes by their names, \
      to-one links as the key that they lead to, to-many links as lists of keys, in their order where they \
      have one. Dates are ISO 8601, bytes base64, composites and property lists nested.

        waystone dump Store.sqlite > objects.ndjson
        waystone dump Store.sqlite Note --format csv
        waystone dump Store.sqlite -o Plain.sqlite     a table for each root entity, foreign keys for links
        waystone dump Store.sqlite -o objects.ndjson --data-folder Files

      This verb and `query` print values; no other verb does. The store is read in one snapshot and not \
      changed. Values that are not of their attribute's type are written as they are stored, and counted by \
      entity and attribute; the exit status is then 65.
      """
  )

  /// The forms of the result.
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case ndjson, csv, sqlite

    var format: DumpFormat {
      switch self {
      case .ndjson: .ndjson
      case .csv: .csv
      case .sqlite: .sqlite
      }
    }
  }

  @Argument(help: "The store.")
  var store: String

  @Argument(
    help: ArgumentHelp("Entities, with those below them. (default: all)", valueName: "entity")
  )
  var entities: [String] = []

  @Option(
    help: ArgumentHelp(
      "How to write the objects. (default: as the output's name ends, else ndjson)",
      valueName: "format"
    )
  )
  var format: Format?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The new file to write; a new folder for CSV of several entities.",
      valueName: "path"
    )
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "A new folder for the bytes of attributes that allow external storage.",
      valueName: "folder"
    )
  )
  var dataFolder: String?

  @Flag(help: "CSV: put an apostrophe before text that a spreadsheet would compute.")
  var escapeFormulas = false

  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    let format = try format?.format ?? Self.format(of: output)
    if escapeFormulas, format != .csv {
      throw WaystoneError(
        .badArgument,
        "--escape-formulas is for CSV.",
        recovery: "Leave it out, or choose --format csv."
      )
    }
    if let output { try session.checkCanCreate(output) }
    if let dataFolder { try session.checkCanCreate(dataFolder) }
    let project = try session.projectIfAny()
    var options = DumpOptions()
    options.entities = entities
    options.escapesFormulas = escapeFormulas
    options.dataFolder = dataFolder.map { URL(filePath: session.console.resolved($0)) }
    options.cancellation = session.cancellation
    let contents = try OpenedContents(
      ofStoreAt: session.console.resolved(store),
      shownAs: store,
      in: project.archive,
      cancellation: options.cancellation
    )
    let dump = try StoreDump(of: contents, options)
    let data = DataOutput(session: session)
    guard let output else {
      let summary = try data.printing { try dump.stream(as: format, to: $0) }
      return summary.map { data.explain($0.faults, of: store) } ?? .success
    }
    let summary = try dump.write(as: format, to: session.console.resolved(output))
    let count = summary.objects.count
    try session.print(
      "\(TerminalText.escaped(output))  \(summary.count) object\(summary.count == 1 ? "" : "s") of "
        + "\(count) \(count == 1 ? "entity" : "entities")\n",
      afterDoing: "\(output) is written."
    )
    return data.explain(summary.faults, of: store)
  }

  /// Returns the format that a name's end names.
  private static func format(of output: String?) throws(WaystoneError) -> DumpFormat {
    guard let output, let dot = FileSystem.name(of: output).lastIndex(of: ".") else {
      return .ndjson
    }
    switch FileSystem.name(of: output)[dot...].dropFirst().lowercased() {
    case "ndjson", "jsonl": return .ndjson
    case "csv": return .csv
    case "sqlite", "sqlite3", "db": return .sqlite
    default:
      throw WaystoneError(
        .badArgument,
        "The name \(output) tells no format.",
        recovery: "Add --format ndjson, csv or sqlite."
      )
    }
  }
}
