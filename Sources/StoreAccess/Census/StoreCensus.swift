import Files
import ObjectModel

/// The counts of a store's objects, values and links, with a hash of their contents, from one reading of
/// its rows.
///
/// Rows are read by plain queries of one table each, without any code that hops use on them; keys are
/// looked up in memory.
package struct StoreCensus: Sendable {
  /// The counts of one concrete entity.
  package struct Entity: Sendable {
    /// The entity.
    package let name: String
    /// The objects themselves.
    package let objects: Int64
    /// The values of each stored attribute that are not NULL; derived attributes are not counted.
    package let values: [String: Int64]
    /// The links of each relationship to objects that are there, by the entity of those.
    package internal(set) var links: [String: [String: Int64]] = [:]
    /// The one-to-one relationships that lack a link which the other side has.
    package let oneSided: Set<String>
    /// The digest of the objects' contents; nil where it was not asked for.
    package let digest: LogicalDigest.Entity?
  }

  /// The options of a store's digest.
  package struct Digesting: Sendable {
    let externalData: String?
    let allowsMissingFiles: Bool

    /// - Parameters:
    ///   - externalData: The folder of external files, as `StoreFiles.externalData` gives it.
    ///   - allowsMissingFiles: Whether an external file that is not there is counted and digested by
    ///     its name.
    package init(externalData: String?, allowsMissingFiles: Bool) {
      self.externalData = externalData
      self.allowsMissingFiles = allowsMissingFiles
    }
  }

  /// All concrete entities that have a table, in byte order of their names.
  package let entities: [Entity]
  /// The number of links of each relationship with an end that is no object.
  ///
  /// They are among the links of no entity.
  package let dangling: [PropertyReference: Int64]

  /// The digest of the store's contents; nil where it was not asked for.
  package var digest: LogicalDigest? {
    let digests = entities.compactMap(\.digest)
    return digests.count == entities.count ? LogicalDigest(entities: digests) : nil
  }

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - schema: The store's own schema, names that its model leaves open settled by the file. Parts
  ///     that the file lacks hold nothing, but cannot be digested.
  ///   - database: `main`, or the name of an attached database. Nothing is written.
  ///   - digesting: The method of the digest; nil where it is not.
  ///   - shouldContinue: Asked before each table and each relationship; false stops.
  /// - Throws: ``SQLiteError`` and `FileError`, `missing` where an external file is not there and must
  ///   be; ``StoreAccessError``, `interrupted` where the caller stopped it.
  /// - Complexity: O(*n* log *n*) in the rows, for the order of links in a digest; two readings of each
  ///   table, the first of keys alone. Two bytes of memory for each object whose key is among others.
  package init(
    of connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    database: String = "main",
    digesting: Digesting? = nil,
    shouldContinue: () -> Bool = { true }
  ) throws {
    guard schema.entityNames.count <= Int(UInt16.max) else {
      throw StoreAccessError(code: .other, message: "The model has more than 65,535 entities")
    }
    try connection.enlargeCache()
    let present = try StoreSchema(of: connection, in: database).columnNames.mapValues(Set.init)
    var reading = Reading(schema, database, present, digesting)
    try reading.readKeys(connection, shouldContinue)
    try reading.readRows(connection, shouldContinue)
    try reading.readLinks(connection, shouldContinue)
    entities = reading.finish()
    dangling = reading.finishDangling()
  }
}
