internal import ArgumentParser
internal import MigrationReporting
internal import ModelImport
internal import ObjectModel
internal import Waystone

/// `waystone export`.
struct ExportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a model as Xcode's source files, from a store, a compiled model or a version.",
    discussion: """
      From a store comes the model that the store itself carries, so that a version nobody kept can \
      be archived. What is written is read again, and its version hashes are compared.

        waystone export Old.sqlite -o Recovered.xcdatamodel
        waystone export App.momd -o App.xcdatamodeld
        waystone export --canonical App.xcdatamodel    equal models give equal text

      Git shows models as such text after `git config diff.coredata.textconv \
      "waystone export --canonical"` and the line `contents diff=coredata` in .gitattributes.
      """
  )

  @Argument(help: "A store, a model, or the name of a version.")
  var source: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The .xcdatamodel, or for all versions the .xcdatamodeld, to write.",
      valueName: "path"
    )
  )
  var output: String?

  @Flag(help: "Print one version's text instead, the same for equal models.")
  var canonical = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard (output != nil) != canonical else {
      throw ValidationError("Name what to write (-o X.xcdatamodel), or print it (--canonical).")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let named = try NamedModel(source, in: session)
    guard let output else {
      let model = try named.onlyVersion(of: source).model
      try session.print(try ModelXMLWriter.write(model).contents + "\n", evenIfQuiet: true)
      return .success
    }
    if case .store(let hashes) = named.origin {
      guard named.model.versions.allSatisfy({ $0.model.entityVersionHashes == hashes }) else {
        throw CommandError(
          .badFile,
          "The model that \(source) carries is not the one that it was written with.",
          recovery: "Name the version that it has: `waystone inspect \(source)`."
        )
      }
    }
    let findings = try write(named, to: output, session)
    try session.print(
      ExportReport(
        source: source,
        output: output,
        isRecovered: named.origin != .archive && named.origin != .file,
        versions: named.model.versions,
        findings: named.findings + findings
      ),
      as: format.format,
      afterDoing: "\(output) is written."
    )
    return .success
  }

  /// Writes the model, and makes sure that it is read as what it was.
  private func write(
    _ named: NamedModel,
    to output: String,
    _ session: Session
  ) throws -> [Finding] {
    let path = session.console.resolved(output)
    let findings: [Finding]
    let written: [ManagedObjectModel]
    if output.hasSuffix(".xcdatamodeld") {
      findings = try ModelExporter.export(named.model, to: path)
      written = named.model.versions.map(\.model)
    } else if output.hasSuffix(".xcdatamodel") {
      let version = try named.onlyVersion(of: source)
      findings = try ModelExporter.export(version.model, to: path)
      written = [version.model]
    } else {
      throw CommandError(
        .badArgument,
        "\(output) is neither an .xcdatamodel nor an .xcdatamodeld.",
        recovery: "Give the output one of these extensions."
      )
    }
    let read = try ArchiveLoader.load(path).versions.map(\.model.entityVersionHashes)
    guard read == written.map(\.entityVersionHashes) else {
      throw CommandError(
        .badFile,
        "What was written to \(output) is read as a model of other version hashes.",
        recovery: "Do not use it, and please report this."
      )
    }
    return findings
  }
}
