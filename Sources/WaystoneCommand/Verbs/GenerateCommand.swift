internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import ObjectModel
internal import StoreAccess
internal import StoreGeneration
internal import Waystone

/// `waystone generate`.
struct GenerateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write a store of any version, full of made-up data.",
    discussion: """
      The data depend on nothing but the version, the number of rows and the seed. They are valid \
      and awkward: NULL where a value is optional, extremes, odd Unicode, shared and missing \
      destinations, links of every kind.
      """
  )

  @Argument(help: "The version: `v1`, `Model/v1` or `@current`.")
  var version: String

  @Option(help: ArgumentHelp("How many rows, shared among the entities.", valueName: "number"))
  var rows = 1000

  @Option(
    help: ArgumentHelp(
      "The rows of one entity; may be repeated, and replaces --rows: the others have none.",
      valueName: "entity=number"
    )
  )
  var rowsOf: [EntityRows] = []

  /// The number of rows of one entity.
  struct EntityRows: ExpressibleByArgument, Sendable {
    let entity: String
    let count: Int

    init?(argument: String) {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let count = Int(parts[1]), count >= 0 else { return nil }
      (entity, self.count) = (parts[0], count)
    }
  }

  @Option(help: ArgumentHelp("What all data depend on.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(name: [.short, .long], help: ArgumentHelp("The store to write.", valueName: "file"))
  var output: String

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard rows >= 0, rows <= StoreGenerator.greatestRowCount else {
      throw ValidationError("--rows must be from 0 to \(StoreGenerator.greatestRowCount).")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let loaded = try session.archive()
    let version = try loaded.names.version(version)
    let path = session.console.resolved(output)
    try session.checkCanCreate(output)
    for given in rowsOf where version.model[given.entity]?.isAbstract != false {
      throw CommandError(
        .badArgument,
        "--rows-of: \(self.version) has no entity “\(given.entity)” that can have rows.",
        recovery: "Name a concrete entity of that version."
      )
    }
    let generator =
      rowsOf.isEmpty
      ? StoreGenerator(model: version.model, rows: rows, seed: seed)
      : StoreGenerator(
        model: version.model,
        rowCounts: Dictionary(rowsOf.map { ($0.entity, $0.count) }) { $1 },
        seed: seed
      )
    try AtomicFile.create(path) { try generator.write(to: $0, isThere: true) }
    try session.print(
      GenerationReport(
        store: output,
        version: loaded.names.name(of: version),
        rowCounts: generator.rowCounts,
        seed: seed,
        bytes: Int(clamping: try FileSystem.size(of: path) ?? 0)
      ),
      as: format.format,
      afterDoing: "\(output) is written."
    )
    return .success
  }
}
