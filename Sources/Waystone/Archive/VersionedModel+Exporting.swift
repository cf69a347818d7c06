internal import Files
public import Foundation
internal import ModelImport
public import ObjectModel
internal import StoreAccess
internal import SwiftDataImport

extension VersionedModel {
  /// Writes the model as Xcode's source files: one version as an `.xcdatamodel`, all of them as an
  /// `.xcdatamodeld`; whole or not at all, and never in place of something else.
  ///
  /// - Returns: The parts of the model that the files do not express.
  /// - Throws: ``WaystoneError`` where the path has neither extension, exists or cannot be written, or
  ///   that form cannot express the model.
  @discardableResult
  public func export(to url: URL) throws(WaystoneError) -> [Finding] {
    try WaystoneError.converting {
      let path = try url.filePath
      return try export(to: path, shownAs: path)
    }
  }

  /// Writes the model, and makes sure that it is read as what it was.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - shown: Its text in messages.
  package func export(to path: String, shownAs shown: String) throws -> [Finding] {
    let findings: [Finding]
    if let version = unreadable.first {
      throw WaystoneError(
        .badFile,
        "Version \(version.name) of \(name) cannot be read: \(version.reason)",
        recovery: "\(version.remedy) Or export one version."
      )
    }
    for version in versions { try Self.requireKnownHashes(of: version) }
    if path.hasSuffix(".xcdatamodeld") {
      findings = try ModelExporter.export(self, to: path)
    } else if path.hasSuffix(".xcdatamodel"), versions.count == 1, let version = versions.first {
      findings = try ModelExporter.export(version.model, to: path)
    } else {
      throw WaystoneError(
        .badArgument,
        path.hasSuffix(".xcdatamodel")
          ? "\(name) has \(versions.count) versions, and an .xcdatamodel has one."
          : "\(shown) is neither an .xcdatamodel nor an .xcdatamodeld.",
        recovery: "Give the output one of these extensions."
      )
    }
    let read = try ArchiveLoader.load(path).versions.map(\.model.entityVersionHashes)
    guard read == versions.map(\.model.entityVersionHashes) else {
      throw WaystoneError(
        .badFile,
        "What was written to \(shown) is read as a model of other version hashes.",
        recovery: "Do not use it, and please report this."
      )
    }
    return findings
  }

  /// Returns the one version as Swift: a `VersionedSchema` with a frozen `@Model` class for each
  /// entity.
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - origin: The name of the model's file in a comment; nil where it names none.
  ///   - spelling: The names of types, cases and initial values in the sources that declare it; nil
  ///     where none do.
  /// - Returns: The text, and the parts of the model that it does not express.
  /// - Throws: ``WaystoneError`` where there are several versions, or SwiftData cannot express the
  ///   model.
  package func swift(
    named name: String,
    from origin: String? = nil,
    spelling: SwiftSpelling? = nil
  ) throws -> (contents: String, findings: [Finding]) {
    guard versions.count == 1, let version = versions.first else {
      throw WaystoneError(
        .badArgument,
        "\(self.name) has \(versions.count) versions, and one schema is one version.",
        recovery: "Name one of them."
      )
    }
    try Self.requireKnownHashes(of: version)
    var form = SwiftSchemaWriter.Form()
    // A schema that no copy of its sources reproduces is written from its model alone.
    form.spelling = spelling.flatMap { $0.problems.isEmpty ? $0 : nil }
    let output = try SwiftSchemaWriter.write(version.model, named: name, from: origin, as: form)
    return (output.contents, output.findings)
  }

  /// Writes the one version as Swift into a new file, whole or not at all.
  ///
  /// The schema has the name of the file.
  /// - Parameter shown: The text of the path in messages.
  /// - Returns: The parts of the model that the file does not express.
  /// - Throws: ``WaystoneError`` as ``swift(named:from:)`` does, where the text would be read with other
  ///   hashes than the model's, and where the path exists or cannot be written.
  package func exportSwift(
    to path: String,
    shownAs shown: String,
    from origin: String? = nil,
    spelling: SwiftSpelling? = nil
  ) throws -> [Finding] {
    let suffix = ".swift"
    guard path.hasSuffix(suffix) else {
      throw WaystoneError(
        .badArgument,
        "\(shown) is no file of Swift.",
        recovery: "Give the output the extension .swift."
      )
    }
    let name = String(FileSystem.name(of: path).dropLast(suffix.count))
    let output = try swift(named: name, from: origin, spelling: spelling)
    if Self.readsSwift { try requireHashes(in: output.contents, shownAs: shown) }
    try AtomicFile.write(output.contents, to: path, as: .newFile)
    return output.findings
  }

  /// Throws if the hash of an entity is not known: what is written would be of another hash.
  static func requireKnownHashes(of version: ModelVersion) throws(WaystoneError) {
    let unknown = PhysicalSchema(model: version.model).unsupported.first { $0.kind == .unknownHash }
    guard let unknown else { return }
    throw WaystoneError(
      .refused,
      "\(version.name) is not written. \(unknown)",
      recovery: "`waystone versions --verbose` names the property or form that is not understood."
    )
  }

  /// Whether this build reads Swift, so that what is written is read again.
  package static var readsSwift: Bool { SourceParser.isAvailable }

  /// Refuses Swift that is not read as it was meant.
  private func requireHashes(in contents: String, shownAs shown: String) throws {
    let text = SourceText(name: shown, bytes: Array(contents.utf8))
    let read = try SourceArchive.read([text]).current?.knownHashes ?? [:]
    let meant = versions.first?.model.entityVersionHashes ?? [:]
    let wrong = Set(meant.keys).union(read.keys).filter { read[$0] != meant[$0] }.sorted()
    guard let first = wrong.first else { return }
    throw WaystoneError(
      .badFile,
      "Swift cannot say \(first) as the model has it: read again, its version hash would be another "
        + "or unknown.",
      recovery: "Write the model as an .xcdatamodel."
    )
  }
}
