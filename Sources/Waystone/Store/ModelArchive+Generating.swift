internal import Files
public import Foundation
public import ObjectModel
internal import StoreGeneration

/// What ``ObjectModel/ModelArchive/generateStore(at:of:rows:rowsOf:seed:)`` wrote.
public struct GeneratedStore: Hashable, Sendable {
  /// The name of the version that it is of.
  public let version: String
  /// The rows of each entity that has any.
  public let rowCounts: [String: Int]
  /// The size of its file.
  public let bytes: Int
}

extension ModelArchive {
  /// Writes a new store of a version with made-up data, which depend on nothing but the arguments.
  ///
  /// The data are valid and awkward: NULL where a value is optional, extremes, odd Unicode, shared and
  /// missing destinations, links of every kind.
  ///
  /// - Parameters:
  ///   - url: Where no file is yet.
  ///   - rows: How many rows, shared among the entities.
  ///   - rowsOf: The rows of single entities; where any is named, the others have none.
  /// - Throws: ``WaystoneError``: `unknownVersion`, `badArgument` for an entity that can have no rows or
  ///   for too many, or `cannotCreate`.
  /// - Complexity: O(*rows* and their links).
  @discardableResult
  public func generateStore(
    at url: URL,
    of version: VersionName = .current,
    rows: Int = 1000,
    rowsOf: [String: Int] = [:],
    seed: UInt64 = 1
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
      let generator =
        rowsOf.isEmpty
        ? StoreGenerator(model: found.model, rows: rows, seed: seed)
        : StoreGenerator(model: found.model, rowCounts: rowsOf, seed: seed)
      let path = try url.filePath
      try AtomicFile.create(path) { try generator.write(to: $0, isThere: true) }
      return GeneratedStore(
        version: names.name(of: found),
        rowCounts: generator.rowCounts,
        bytes: Int(clamping: try FileSystem.size(of: path) ?? 0)
      )
    }
  }
}
