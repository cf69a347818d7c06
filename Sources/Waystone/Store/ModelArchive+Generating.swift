internal import Files
public import Foundation
public import ObjectModel
internal import StoreAccess
internal import StoreGeneration
internal import StoreMigration

/// The store that ``ModelArchive/generateStore(at:of:rows:rowsOf:seed:usesExternalFiles:)`` wrote.
public struct GeneratedStore: Hashable, Sendable {
  /// The name of the version that it is of.
  public let version: String
  /// The rows of each entity that has any.
  public let rowCounts: [String: Int]
  /// The size of its file.
  public let bytes: Int
  /// Whether the model leaves the names of some join tables open, so that the store's are guesses: it is no
  /// sample of its version.
  public let hasGuessedNames: Bool
}

extension ModelArchive {
  /// Writes a new store of a version with made-up data, which depend on nothing but the arguments.
  ///
  /// The data are valid and awkward: NULL where a value is optional, extremes, odd Unicode, shared and
  /// missing destinations, links of every kind. They obey the model, or nothing is written.
  ///
  /// - Parameters:
  ///   - url: The place of the new file; it must be free.
  ///   - version: The version that the store is of.
  ///   - rows: The number of rows, shared among the entities.
  ///   - rowsOf: The rows of single entities; where any is named, the others have none.
  ///   - seed: The seed of the data; the same seed gives the same data.
  ///   - usesExternalFiles: Whether large values are kept in files beside the store, where the model allows
  ///     it.
  /// - Throws: ``WaystoneError``: `unknownVersion`, `badArgument` for an entity that can have no rows or
  ///   for too many, `refused` where the data would break the model, or `cannotCreate`.
  /// - Complexity: O(*rows* and their links).
  @discardableResult
  public func generateStore(
    at url: URL,
    of version: VersionName = .current,
    rows: Int = 1000,
    rowsOf: [String: Int] = [:],
    seed: UInt64 = 1,
    usesExternalFiles: Bool = false
  ) throws(WaystoneError) -> GeneratedStore {
    try WaystoneError.converting {
      let names = VersionNames(self)
      let found = try names.version(version.text)
      for name in rowsOf.keys.sorted() where found.model[name]?.isAbstract != false {
        throw WaystoneError(
          .badArgument,
          "\(version.text) has no entity “\(name)” that can have rows.",
          recovery: "Name a concrete entity of that version."
        )
      }
      var generator =
        rowsOf.isEmpty
        ? StoreGenerator(model: found.model, rows: rows, seed: seed)
        : StoreGenerator(model: found.model, rowCounts: rowsOf, seed: seed)
      generator.tellsGuesses = true
      let path = try url.filePath
      try VersionedModel.requireKnownHashes(of: found)
      guard !StoreFiles.isCompanion(path) else { throw WaystoneError(companionName: path) }
      let files = try StoreFiles(store: path)
      let allowsFiles = found.model.entities.contains { entity in
        found.model.ownAttributes(of: entity.name)
          .contains { $0.isPersistent && $0.allowsExternalBinaryDataStorage }
      }
      let hasFiles = usesExternalFiles && allowsFiles
      if hasFiles {
        if try FileSystem.exists(files.store) || FileSystem.exists(files.support) {
          throw FileError(number: EEXIST, deed: "create", path: path)
        }
        try FileSystem.createFolder(files.support, permissions: 0o777)
        try FileSystem.createFolder(files.externalData, permissions: 0o777)
        generator.externalFolder = files.externalData
      }
      do {
        try AtomicFile.create(path) { staging in
          try Self.write(generator, to: staging)
          try Self.requireValid(staging, of: found.model)
        }
        if hasFiles, try Folder(files.externalData).names().isEmpty {
          try FileSystem.removeFolder(files.externalData)
          try FileSystem.removeFolder(files.support)
        }
      } catch {
        if hasFiles { try? FileManager.default.removeItem(atPath: files.support) }
        throw error
      }
      return GeneratedStore(
        version: names.name(of: found),
        rowCounts: generator.rowCounts,
        bytes: Int(clamping: try FileSystem.size(of: path) ?? 0),
        hasGuessedNames: generator.guessesNames
      )
    }
  }

  private static func write(_ generator: StoreGenerator, to path: String) throws {
    do throws(StoreAccessError) { try generator.write(to: path, isThere: true) } catch {
      guard case .sqlite(let cause) = error.cause, cause.code == .constraint else { throw error }
      throw WaystoneError(
        .refused,
        "Made-up data of these numbers of rows break the model: there are not as many values as rows "
          + "of what must be unique. \(cause.message).",
        recovery: "Ask for fewer rows (--rows, --rows-of)."
      )
    }
  }

  /// Refuses a store whose objects break rules of their model.
  private static func requireValid(_ path: String, of model: ManagedObjectModel) throws {
    let open = try PersistentStore(reading: path)
    let report = try StoreValidator(schema: PhysicalSchema(model: model))
      .report(on: open.connection)
    guard let first = report.violations.first else { return }
    let isCount = [.tooFewDestinations, .requiredDestinationMissing].contains(first.code)
    let more = report.violations.count - 1
    throw WaystoneError(
      .refused,
      "Made-up data of these numbers of rows break the model: \(first.entity).\(first.property): "
        + first.counted
        + (more > 0 ? ", and \(more) more rules are broken." : "."),
      recovery: isCount
        ? "Ask for rows of the entity that \(first.property) leads to (--rows-of), or for other "
          + "numbers of rows (--rows)."
        : "Such values cannot be made up. Change the rule in a copy of the model, or take a store of "
          + "the app."
    )
  }
}
