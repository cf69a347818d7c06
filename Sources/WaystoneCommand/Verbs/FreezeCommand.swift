internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import Waystone

/// The command `waystone freeze`.
struct FreezeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "freeze",
    abstract: "Write a SwiftData version as a VersionedSchema that later edits do not change.",
    discussion: """
      The schema has a copy of every model that the version reaches, with the enums and structs of \
      their properties, and refers to nothing outside of itself. Access level and indentation are \
      those of the app's sources. What is written is read again: its version hashes and shapes are \
      those of the version. Without --output it is printed.

        waystone freeze SchemaV3 --output App/SchemaV3.swift
        waystone freeze SchemaV1 --from v1.0.0 --models App@v1.0.0,.   at a tag
        waystone freeze SchemaV1 --from Old.store    as a store has it
        waystone freeze --check                      against the lock

      With --output the stage for the migration plan is printed; no file of the app is changed.
      """
  )

  @Argument(help: "The name of the schema.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "A version, or a store. (default: the version of that name, else the current one)",
      valueName: "version"
    )
  )
  var from: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The .swift file to write.", valueName: "path"))
  var output: String?

  @Flag(help: "Hold the frozen schemas against the lock, and write nothing.")
  var check = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard check else {
      guard name != nil else {
        throw ValidationError("Name the schema, as in `waystone freeze SchemaV1`.")
      }
      guard output?.hasSuffix(".swift") ?? true else {
        throw ValidationError("Give the output the extension .swift.")
      }
      return
    }
    guard name == nil, from == nil, output == nil else {
      throw ValidationError("--check looks at all frozen schemas: leave out all else.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    guard let name else {
      let report = try session.project().checkFrozen()
      try session.print(report, as: format.format)
      return report.isClean ? .success : .answerIsNo
    }
    // A store can be frozen where there is no project.
    let project = try? session.project()
    let isVersion = try project?.names.find(name) != nil
    if from == nil, !isVersion { try project?.requireVersion(ofSchema: name) }
    let source = from ?? (isVersion ? name : "@current")
    let named = try NamedModel(source, in: session)
    let frozen = try SchemaFreezer(project).frozen(
      named.model,
      isOfSources: named.origin == .archive,
      named: name
    )
    let report = FreezeReport(
      frozen,
      source: named.label,
      output: output,
      isReadAgain: VersionedModel.readsSwift,
      findings: named.findings + frozen.findings
    )
    if let output { try session.write(frozen.contents, to: output, as: .newFile) }
    if output == nil, format.format == .text {
      try session.print(report.source, evenIfQuiet: true)
    } else {
      try session.print(report, as: format.format, afterDoing: output.map { "\($0) is written." })
    }
    return .success
  }
}
