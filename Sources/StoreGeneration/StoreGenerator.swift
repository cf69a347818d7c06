import Files
private import ModelCoding
package import ObjectModel
import PropertyLists
package import StoreAccess

/// A generator of Core Data stores of any model, full of data that depends on the seed alone.
///
/// The data are valid and awkward: NULL wherever a value is optional, extremes of every type, empty
/// and odd Unicode text, whole and fractional dates, shared and missing destinations, objects with no,
/// one, two and many links of every kind, which agree from both ends, unique values where constraints
/// require them. Not honoured are regular expressions, and counts that chosen numbers of rows do not allow.
package struct StoreGenerator: Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// The number of rows of each concrete entity.
  package let rowCounts: [String: Int]
  /// The seed that all generated data depend on.
  package let seed: UInt64

  /// The Core Data that generated stores name as their writer.
  ///
  /// The greatest number measured on stores without `NSPersistenceMaximumFrameworkVersion`, a key
  /// that 1522 brought and whose effect on older systems is not known.
  package static let frameworkVersion: Int64 = 1448

  /// The greatest number of rows of a store, below which products of row numbers fit 64 bits.
  package static let greatestRowCount = Int(Int32.max)

  /// The folder for large values, where the model allows external storage; nil where they stay in the store.
  package var externalFolder: String?

  /// Whether the store's metadata state that names of its join tables are guesses, where they are.
  package var tellsGuesses = false

  /// Creates a generator of a number of rows altogether, shared evenly among the concrete entities, less the
  /// rows that a required one-to-one relationship has no partner for.
  package init(model: ManagedObjectModel, rows: Int, seed: UInt64) {
    let names = model.entities.filter { !$0.isAbstract }.map(\.name)
    var counts: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      counts[name] = max(0, rows) / names.count + (index < max(0, rows) % names.count ? 1 : 0)
    }
    self.init(model: model, rowCounts: Self.levelled(counts, in: model), seed: seed)
  }

  /// Returns the numbers of rows without those that no required one-to-one has a partner for.
  private static func levelled(
    _ counts: [String: Int],
    in model: ManagedObjectModel
  ) -> [String: Int] {
    var counts = counts
    var isLevel = false
    while !isLevel {
      isLevel = true
      for entity in model.entities {
        for relationship in entity.relationships
        where relationship.isPersistent && !relationship.isToMany && !relationship.isOptional {
          guard let inverse = model.inverse(of: relationship), inverse.property.isPersistent,
            inverse.property.relationship?.isToMany == false
          else { continue }
          let ends = model.ends(of: relationship, declaredBy: entity.name, inverse: inverse)
          func count(_ names: [String]) -> Int { names.reduce(0) { $0 + (counts[$1] ?? 0) } }
          let excess =
            model.isOwnInverse(relationship, declaredBy: entity.name)
            ? count(ends.owners) % 2 : count(ends.owners) - count(ends.destinations)
          let greatest = ends.owners.max { counts[$0] ?? 0 < counts[$1] ?? 0 }
          guard excess > 0, let greatest, let rows = counts[greatest], rows > 0 else { continue }
          counts[greatest] = max(0, rows - excess)
          isLevel = false
        }
      }
    }
    return counts
  }

  /// A generator of chosen numbers of rows; entities that are not named, and abstract ones, get none.
  package init(model: ManagedObjectModel, rowCounts: [String: Int], seed: UInt64) {
    self.model = model
    self.rowCounts = rowCounts.filter { model[$0.key]?.isAbstract == false && $0.value > 0 }
    self.seed = seed
  }

  /// Writes a new store, in WAL mode and without a `-wal` beside it.
  ///
  /// - Parameters:
  ///   - path: A free path; a store that cannot be finished is removed.
  ///   - isThere: Whether the path has an empty file, which becomes the store.
  ///   - progress: Receives the number of rows written since its last call.
  /// - Throws: ``StoreAccessError``: `cannotCreate` where the path is not free, `unsupported` where it is
  ///   not known how stores keep a part of the model.
  /// - Complexity: O(*rows* · *columns*), in memory that does not grow with the rows.
  package func write(
    to path: String,
    isThere: Bool = false,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreAccessError) {
    let schema = PhysicalSchema(model: model)
    if let feature = schema.unsupported.first {
      throw StoreAccessError(
        code: .unsupported,
        message: "A store of this model cannot be generated: \(feature)",
        recovery: "Choose another version."
      )
    }
    var total = 0
    for count in rowCounts.values { total = total.addingReportingOverflow(count).partialValue }
    guard total >= 0, total <= Self.greatestRowCount,
      rowCounts.values.allSatisfy({ $0 <= Self.greatestRowCount })
    else {
      throw StoreAccessError(
        code: .unsupported,
        message: "A store of more than \(Self.greatestRowCount) rows cannot be generated",
        recovery: "Ask for fewer rows."
      )
    }
    let connection = try asStoreAccess { () throws(SQLiteError) in
      try SQLiteConnection(path: path, access: isThere ? .readWrite : .create)
    }
    do {
      try fill(connection, schema: schema, progress: progress)
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { _ = try? FileSystem.remove(path + suffix) }
      throw error
    }
  }

  private func fill(
    _ connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    progress: (Int) -> Void
  ) throws(StoreAccessError) {
    let cache: [UInt8]
    do throws(ModelCodingError) { cache = try ModelCache.encode(model) } catch {
      throw StoreAccessError(
        code: .unsupported,
        message: "The model cannot be written into a store: \(error.message)"
      )
    }
    let parts = self.parts(schema)
    var links = RelationshipLinks(model: model, seed: seed, parts: parts)
    links.usesFiles = externalFolder != nil
    try writeFiles(parts, links, schema)
    try asStoreAccess { () throws(SQLiteError) in
      try SchemaWriter.prepareNewFile(connection)
      // The file is removed whole if it is not finished, so nothing needs to be rolled back.
      try connection.setJournalMode(.off)
      try connection.execute(
        script: "PRAGMA main.synchronous = OFF; PRAGMA main.cache_size = -16384"
      )
      let writer = SchemaWriter(schema)
      try connection.execute("BEGIN IMMEDIATE")
      try writer.createTables(connection)
      for table in schema.tables {
        for name in model.hierarchyNames(below: table.rootEntityName) {
          guard let part = parts[name] else { continue }
          try EntityRowWriter(part, table: table, links: links)
            .write(to: connection, progress: progress)
        }
      }
      for table in schema.joinTables {
        try JoinRowWriter(table, links: links).write(to: connection)
      }
      try writer.createIndexes(connection)
      try writer.computeDerivedAttributes(connection)
      try writer.createTriggers(connection)
      try writer.createSystemTables(connection)
      var greatest: [String: Int64] = [:]
      for part in parts.values {
        let root = model.rootEntityName(of: part.entityName)
        greatest[root] = max(greatest[root] ?? 0, part.firstKey + Int64(part.count) - 1)
      }
      try writer.writePrimaryKeys(connection, greatestKeys: greatest)
      try writer.writeModelCache(connection, cache)
      try metadata.write(to: connection)
      try connection.execute("COMMIT")
      try connection.execute(script: "PRAGMA main.synchronous = FULL")
      try connection.setJournalMode(.wal)
    }
  }

  /// Writes the values that are stored in files beside the store.
  private func writeFiles(
    _ parts: [String: EntityPopulation.Part],
    _ links: RelationshipLinks,
    _ schema: PhysicalSchema
  ) throws(StoreAccessError) {
    guard let externalFolder else { return }
    try asStoreAccess(files: { () throws(FileError) in
      let folder = try Folder(externalFolder)
      for table in schema.tables {
        for name in model.hierarchyNames(below: table.rootEntityName) {
          guard let part = parts[name] else { continue }
          try EntityRowWriter(part, table: table, links: links).writeFiles(into: folder)
        }
      }
      try folder.synchronize()
    })
  }

  /// Returns the keys of each entity: those of a root and all below it follow one another.
  private func parts(_ schema: PhysicalSchema) -> [String: EntityPopulation.Part] {
    var parts: [String: EntityPopulation.Part] = [:]
    for table in schema.tables {
      var next: Int64 = 1
      for name in model.hierarchyNames(below: table.rootEntityName) {
        guard let count = rowCounts[name], let number = schema.entityNumber(name) else { continue }
        parts[name] = EntityPopulation.Part(
          entityName: name,
          entityNumber: Int64(number),
          firstKey: next,
          count: count
        )
        next += Int64(count)
      }
    }
    return parts
  }

  /// Whether the model leaves open what some join tables are called.
  package var guessesNames: Bool { !PhysicalSchema(model: model).unsettledNames.isEmpty }

  private var metadata: StoreMetadata {
    var metadata = StoreMetadata(
      uuid: SeededNumbers(seed: seed, "store").uuidText(0),
      versionHashes: model.entityVersionHashes,
      versionIdentifiers: model.versionIdentifiers,
      versionHashesDigest: model.versionHashesDigest,
      versionChecksum: model.versionChecksum,
      frameworkVersion: Self.frameworkVersion
    )
    metadata.hasGuessedNames = tellsGuesses && guessesNames
    return metadata
  }
}
