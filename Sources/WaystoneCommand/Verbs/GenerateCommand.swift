internal import ArgumentParser
private import Foundation
internal import MigrationReporting
internal import StoreGeneration
internal import Waystone

/// The command `waystone generate`.
struct GenerateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write a store of any version, full of made-up data.",
    discussion: """
      The data depend on nothing but the version, the number of rows and the seed. They are valid \
      and awkward: NULL where a value is optional, extremes, odd Unicode, shared and missing \
      destinations, links of every kind. Where they would break the model, nothing is written.
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

  @Option(help: ArgumentHelp("The seed of all data.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(
    help: "Keep large values in files beside the store, where the model allows external storage."
  )
  var externalFiles = false

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
    try session.checkCanCreate(output)
    let made = try session.project().archive.generateStore(
      at: URL(filePath: session.console.resolved(output)),
      of: VersionName(version),
      rows: rows,
      rowsOf: Dictionary(rowsOf.map { ($0.entity, $0.count) }) { $1 },
      seed: seed,
      usesExternalFiles: externalFiles
    )
    try session.print(
      GenerationReport(made, at: output, seed: seed),
      as: format.format,
      afterDoing: "\(output) is written."
    )
    return .success
  }
}
