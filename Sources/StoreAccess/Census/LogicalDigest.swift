import Files
import ObjectModel

/// A hash of a store's contents, independent of the layout of its file.
///
/// Two stores of one model have equal digests when they hold the same objects under the same keys,
/// with the same values and links, lists in the same order. A link is digested at the
/// end that has its key or its order; of a pair of to-many relationships without order, at the one that
/// comes first by its entity's name. Names of tables and columns, their order,
/// entity numbers, indexes, free pages, the counts of saves (`Z_OPT`) and the numbers by which lists
/// are ordered do not enter. Metadata, persistent history and tables of other makers do not either.
package struct LogicalDigest: Hashable, Sendable {
  /// The part of one concrete entity, its subentities excluded.
  package struct Entity: Hashable, Sendable {
    /// The entity.
    package let name: String
    /// The number of the entity's objects.
    package let rowCount: Int64
    /// 64 hexadecimal digits; of an entity without objects too.
    package let hash: String
    /// The number of values whose external files are missing, so that their names were digested instead.
    package let missingFileCount: Int64
  }

  /// All concrete entities of the model, in byte order of their names.
  package let entities: [Entity]

  /// 64 hexadecimal digits for the whole store.
  package var hash: String {
    var hash = SHA256()
    for entity in entities {
      hash.update("\(entity.name.utf8.count) \(entity.name) \(entity.rowCount) ".utf8)
      hash.update(entity.hash.utf8)
    }
    return Hexadecimal.string(hash.finalize())
  }

  /// Digests a store.
  ///
  /// - Parameters:
  ///   - schema: The store's own schema, names that its model leaves open settled by the file.
  ///   - database: `main`, or the name of an attached database.
  ///   - externalData: The folder of external files, as `StoreFiles.externalData` gives it. A value
  ///     that is kept in such a file is then digested by the file's bytes, as if it were in its
  ///     column; without the folder by the file's name.
  ///   - allowsMissingFiles: Whether an external file that is not there is counted and digested by
  ///     its name.
  ///   - shouldContinue: Called before each table and each relationship; false stops.
  /// - Throws: ``StoreAccessError``; `interrupted` where the caller stopped it, `missing` where an
  ///   external file is not there and must be.
  /// - Complexity: As ``StoreCensus``.
  package init(
    of connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    database: String = "main",
    externalData: String? = nil,
    allowsMissingFiles: Bool = false,
    shouldContinue: () -> Bool = { true }
  ) throws(StoreAccessError) {
    do {
      let census = try StoreCensus(
        of: connection,
        schema: schema,
        database: database,
        digesting: .init(externalData: externalData, allowsMissingFiles: allowsMissingFiles),
        shouldContinue: shouldContinue
      )
      self.init(entities: census.entities.compactMap(\.digest))
    } catch let error as StoreAccessError {
      throw error
    } catch let error as SQLiteError {
      throw StoreAccessError(error)
    } catch let error as FileError {
      throw StoreAccessError(error)
    } catch {
      throw StoreAccessError(code: .other, message: "\(error)")
    }
  }

  /// The digest of the entities, in byte order of their names.
  init(entities: [Entity]) { self.entities = entities }

  /// Returns the entities that differ from another digest's, in byte order; those that only one has too.
  package func differences(from other: LogicalDigest) -> [String] {
    let own = Set(entities)
    let theirs = Set(other.entities)
    return Set(own.symmetricDifference(theirs).map(\.name)).sorted(by: ByteOrder.precedes)
  }
}
