internal import ArgumentParser
internal import MigrationReporting
internal import ModelImport
internal import Waystone

/// The command `waystone export`.
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
        waystone export default.store --swift -o SchemaV1.swift

      Git shows models as such text after `git config diff.coredata.textconv \
      "waystone export --canonical"` and the line `contents diff=coredata` in .gitattributes.

      With --swift a model becomes a VersionedSchema with a frozen @Model class for each entity, named \
      like the file. What its version hashes depend on stands there, or the model is refused; comments \
      name what a model does not tell of the app's source.
      """
  )

  @Argument(help: "A store, a model, or the name of a version.")
  var source: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The .xcdatamodel, for all versions the .xcdatamodeld, or the .swift file to write.",
      valueName: "path"
    )
  )
  var output: String?

  @Flag(help: "Print one version's text instead, the same for equal models.")
  var canonical = false

  @Flag(help: "Write Swift: a VersionedSchema with a @Model class for each entity.")
  var swift = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    if swift {
      guard !canonical else { throw ValidationError("--swift and --canonical exclude each other.") }
      return
    }
    guard (output != nil) != canonical else {
      throw ValidationError(
        "Name what to write (-o X.xcdatamodel), or print it (--canonical, --swift)."
      )
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let named = try NamedModel(source, in: session)
    guard let output else {
      if swift {
        let text = try named.model.swift(
          named: "RecoveredSchema",
          spelling: named.spelling
        ).contents
        try session.print(text, evenIfQuiet: true)
        return .success
      }
      let model = try named.onlyVersion(of: source).model
      try session.print(try ModelXMLWriter.write(model).contents + "\n", evenIfQuiet: true)
      return .success
    }
    if case .store(let hashes) = named.origin {
      guard named.model.versions.allSatisfy({ $0.model.entityVersionHashes == hashes }) else {
        throw WaystoneError(
          .badFile,
          "The model that \(source) carries is not the one that it was written with.",
          recovery: "Name the version that it has: `waystone inspect \(source.shellWord)`."
        )
      }
    }
    let findings = try write(named, to: output, session)
    try session.print(
      ExportReport(
        source: source,
        output: output,
        isRecovered: named.origin != .archive && named.origin != .file,
        isReadAgain: !swift || VersionedModel.readsSwift,
        versions: named.model.versions,
        findings: named.findings + findings
      ),
      as: format.format,
      afterDoing: "\(output) is written."
    )
    return .success
  }

  /// Writes the model, and makes sure that the copy is read as the same model.
  private func write(
    _ named: NamedModel,
    to output: String,
    _ session: Session
  ) throws -> [Finding] {
    if swift {
      return try named.model.exportSwift(
        to: session.console.resolved(output),
        shownAs: output,
        spelling: named.spelling
      )
    }
    if output.hasSuffix(".xcdatamodel") { _ = try named.onlyVersion(of: source) }
    return try named.model.export(to: session.console.resolved(output), shownAs: output)
  }
}
