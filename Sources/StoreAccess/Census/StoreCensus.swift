import Files
import ObjectModel

/// What the objects of a store hold, found in one reading of its rows: how many objects, values and
/// links there are, and a hash of what they say.
///
/// Rows are read by plain queries of one table each, and none of what hops do with them is used; keys
/// are looked up in memory.
package struct StoreCensus: Sendable {
  /// What the objects of one concrete entity hold.
  package struct Entity: Sendable {
    /// The entity.
    package let name: String
    /// The objects themselves.
    package let objects: Int64
    /// The values of each stored attribute that are not NULL; derived attributes are not counted.
    package let values: [String: Int64]
    /// The links of each relationship to objects that are there, by the entity of those.
    package internal(set) var links: [String: [String: Int64]] = [:]
    /// The one-to-one relationships of which the other side holds links that this one does not.
    package let oneSided: Set<String>
    /// What they say; nil where nobody asked.
    package let digest: LogicalDigest.Entity?
  }

  /// How a store is digested.
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
  /// How many links there are of each relationship of which an end is no object.
  ///
  /// They are among the links of no entity.
  package let dangling: [PropertyReference: Int64]

  /// What the store says, as a digest; nil where nobody asked.
  package var digest: LogicalDigest? {
    let digests = entities.compactMap(\.digest)
    return digests.count == entities.count ? LogicalDigest(entities: digests) : nil
  }

  /// Reads a store.
  ///
  /// - Parameters:
  ///   - schema: The store's own schema, names that its model leaves open settled by the file. What the
  ///     file lacks of it holds nothing, but cannot be digested.
  ///   - database: `main`, or the name of an attached database. Nothing is written.
  ///   - digesting: How the store is digested; nil where it is not.
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
