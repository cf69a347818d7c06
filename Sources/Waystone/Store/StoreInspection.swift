internal import Files
package import MigrationPlanning
internal import ModelCoding
package import ObjectModel
package import StoreAccess
internal import StoreMigration

/// The properties of a store that are read before anything is done: its version, shape and size.
package struct StoreInspection: Sendable {
  /// The store's path, as the user wrote it.
  package let path: String
  /// The store's absolute path.
  package let location: String
  /// The path of the SQLite file that is read for the store: its own, or that of a copy which is made of a
  /// store of the XML kind.
  package let readable: String
  /// The kind of a store that is no SQLite database; nil for one that is.
  package let otherKind: OtherStoreKind?
  /// The copy, which is there as long as this is; nil where none was made.
  package let conversion: XMLStoreCopy?
  /// The store's own metadata.
  package let metadata: StoreMetadata
  /// The hash of each entity's version that it was written by.
  package var versionHashes: [String: VersionHash] { metadata.versionHashes }
  /// The identification of its version.
  package let identification: VersionIdentification
  /// The model that the store carries, where it has all of the store's hashes.
  package let carriedModel: ManagedObjectModel?
  /// The model that the store carries, where no version has its hashes and the model has them all.
  package var recoveredModel: ManagedObjectModel? {
    identification.isUnknown ? carriedModel : nil
  }
  /// The bytes that it was recovered from.
  package let recoveredCache: [UInt8]?
  /// The evidence that SwiftData made it, in the model that it carries; nil where there is none.
  package let swiftData: SwiftDataOrigin?
  /// The tables, columns, indexes and triggers of the store.
  package let schema: StoreSchema

  /// The versions that its own was searched among.
  package let versions: [ModelVersion]
  /// The numbers of its entities.
  package let primaryKeys: PrimaryKeyTable
  /// The rows of each entity number; nil where they were not counted.
  package let rowCounts: [Int64: Int]?
  /// The objects of each entity in a store of the XML kind; nil where they were not counted.
  package let objectCounts: [String: Int]?
  /// Whether no table that holds objects has a row.
  package let isEmpty: Bool
  /// The size of its file and of its `-wal`.
  package let bytes: (store: Int, wal: Int)
  /// The findings on the store that do not depend on its use.
  package let findings: [Finding]
  /// The entities whose table the store lacks.
  package let entitiesWithoutTable: Set<String>

  /// The choice of stores whose rows are counted, which reads all of a store.
  package enum RowCounting: Sendable {
    case never
    /// Counts only the rows of a store that is small enough to be read at once.
    case ofSmallStores
    case always

    /// The size up to which a store is small.
    package static let smallSize = 32 << 20

    fileprivate func counts(inBytes bytes: Int) -> Bool {
      switch self {
      case .never: false
      case .ofSmallStores: bytes <= Self.smallSize
      case .always: true
      }
    }
  }

  /// Reads a store without changing it.
  ///
  /// - Parameters:
  ///   - path: The path that messages show.
  ///   - resolved: Its absolute path.
  ///   - isChecked: Whether the caller checks its pages after this, and reports damage.
  /// - Throws: `StoreAccessError` where it cannot be read.
  package init(
    of path: String,
    at resolved: String,
    versions: [ModelVersion],
    rows: RowCounting,
    isChecked: Bool = false
  ) throws {
    if try OtherStoreKind(ofFileAt: resolved) == .xml {
      try self.init(xml: path, at: resolved, versions: versions, rows: rows)
      return
    }
    try self.init(
      PersistentStore(reading: resolved),
      path: path,
      location: resolved,
      versions: versions,
      rows: rows,
      isChecked: isChecked
    )
  }

  private init(
    _ store: borrowing PersistentStore,
    path: String,
    location resolved: String,
    otherKind: OtherStoreKind? = nil,
    versions: [ModelVersion],
    rows: RowCounting,
    isChecked: Bool
  ) throws {
    let schema = try StoreSchema(of: store.connection)
    self.path = path
    location = resolved
    conversion = store.conversion
    readable = conversion?.store ?? resolved
    self.otherKind = otherKind
    objectCounts = nil
    self.versions = versions
    metadata = store.metadata
    primaryKeys = store.primaryKeys
    self.schema = schema
    let files = try StoreFiles(store: resolved)
    bytes = (
      Int(clamping: try FileSystem.size(of: resolved) ?? 0),
      Int(clamping: try files.writeAheadLogSize)
    )
    rowCounts =
      rows.counts(inBytes: bytes.store + bytes.wal)
      ? try Self.rowCounts(store.connection, schema) : nil
    isEmpty = try Self.isEmpty(store.connection, schema, isChecked: isChecked)
    let carried = store.modelCache.flatMap { try? ModelCache.decode($0).model }
    swiftData = carried.flatMap {
      SwiftDataOrigin($0, frameworkVersion: store.metadata.frameworkVersion)
    }
    identification = VersionIdentification(
      storeHashes: store.metadata.versionHashes,
      versions: versions,
      storeModel: carried
    )
    .settled(by: schema)
    let isTrue = carried?.entityVersionHashes == store.metadata.versionHashes
    carriedModel = isTrue ? carried : nil
    let recovered = identification.isUnknown ? carriedModel : nil
    recoveredCache = recovered == nil ? nil : store.modelCache
    let model = recovered ?? Self.wholeModel(identification)
    let schemaOfModel = model.map { model in
      PhysicalSchema(model: model, names: JoinNames(settledBy: schema.columnNames, model: model))
    }
    let missing = schemaOfModel.map {
      Set(SchemaComparison(predicted: $0, real: schema).missingTables)
    }
    entitiesWithoutTable = Set(
      (schemaOfModel?.tables ?? []).filter { missing?.contains($0.name) == true }
        .flatMap { model?.hierarchyNames(below: $0.rootEntityName) ?? [] }
    )
    findings =
      (isChecked ? [] : (missing ?? []).sorted(by: ByteOrder.precedes).map(Self.lacking))
      + (try store.mayLackWriteAheadLog ? [Self.missingLog(path)] : [])
      + (try model.map {
        try Self.fileFindings(
          store.connection,
          PhysicalSchema(model: $0),
          files.externalData,
          isChecked: isChecked
        )
      } ?? []) + (store.conversion?.notes ?? []).map { Self.finding(on: $0, path) }
    try store.checkUnchanged()
  }

  /// Reads the head of a store of the XML kind, and no value of its objects.
  private init(
    xml path: String,
    at resolved: String,
    versions: [ModelVersion],
    rows: RowCounting
  ) throws {
    let reader = XMLStoreReader(resolved)
    let size = Int(clamping: try FileSystem.size(of: resolved) ?? 0)
    self.path = path
    location = resolved
    readable = resolved
    otherKind = .xml
    conversion = nil
    self.versions = versions
    metadata = try reader.head().metadata
    primaryKeys = PrimaryKeyTable(rows: [])
    schema = StoreSchema()
    bytes = (size, 0)
    rowCounts = nil
    objectCounts = try rows.counts(inBytes: size) ? Self.objectCounts(reader, metadata) : nil
    isEmpty = objectCounts?.isEmpty == true
    swiftData = nil
    identification = VersionIdentification(
      storeHashes: metadata.versionHashes,
      versions: versions,
      storeModel: nil
    )
    carriedModel = nil
    recoveredCache = nil
    entitiesWithoutTable = []
    findings = []
  }

  /// Returns the number of objects of each entity, by the name that the metadata have for it.
  private static func objectCounts(
    _ reader: XMLStoreReader,
    _ metadata: StoreMetadata
  ) throws -> [String: Int] {
    let names = metadata.entityNamesInXML
    let counts = try reader.counts().map { (names[$0.key] ?? $0.key, $0.value) }
    return Dictionary(counts, uniquingKeysWith: +)
  }

  /// Returns the inspection of the SQLite store that is made of a store of the XML kind, in a copy; itself
  /// for any other store, and where its version is not known.
  ///
  /// - Parameter model: The model that the store is taken for; else that which has its hashes.
  /// - Throws: `StoreAccessError`, with file, line and object, where the store contradicts itself or the
  ///   model.
  package func converted(by model: ManagedObjectModel? = nil) throws -> StoreInspection {
    guard otherKind == .xml, conversion == nil, let model = try model ?? ownModel else {
      return self
    }
    return try StoreInspection(
      PersistentStore.open(location, by: model),
      path: path,
      location: location,
      otherKind: .xml,
      versions: versions,
      rows: .never,
      isChecked: true
    )
  }

  /// The model whose entities the store has; nil where no version is known to have them.
  private var ownModel: ManagedObjectModel? {
    get throws { try StoreModel.assembled(identification, entities: Set(versionHashes.keys)) }
  }

  private static func finding(on note: XMLStoreNote, _ path: String) -> Finding {
    let code: FindingCode =
      switch note.kind {
      case .notANumber, .rounded: .resultRounded
      case .doubtfulEscape: .unreadableValue
      case .oneEndedLink: .inverseDisagrees
      case .guessedName: .unprovenName
      }
    return Finding(
      code,
      note.kind == .guessedName ? .warning : .note,
      at: Finding.Place(file: path),
      message: note.sentence,
      remedy: note.remedy
    )
  }

  /// Returns the findings on the files of large values; none where their names are in damaged pages, which
  /// the caller checks.
  private static func fileFindings(
    _ connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema,
    _ folder: String,
    isChecked: Bool
  ) throws -> [Finding] {
    do {
      return try ExternalAccount(in: connection, schema: schema, folder: folder).findings
    } catch let error as SQLiteError where error.isDamage && isChecked {
      return []
    }
  }

  /// Returns the model of a store that has all entities of one version.
  private static func wholeModel(_ identification: VersionIdentification) -> ManagedObjectModel? {
    switch identification.match {
    case .exact, .equalVersions: identification.versions.last?.model
    case .merged, .configuration, .nearest, .none: nil
    }
  }

  /// The columns of each of its tables.
  package var columnNames: [String: [String]] { schema.columnNames }

  /// Returns the names of the tables that hold objects.
  private static func objectTables(_ schema: StoreSchema) -> [String] {
    schema.tables.filter { table in
      // Z_PRIMARYKEY, Z_METADATA and join tables lack one of these columns.
      !table.isVirtual && Set(table.columns.map(\.name)).isSuperset(of: ["Z_PK", "Z_ENT", "Z_OPT"])
    }
    .map(\.name)
  }

  /// Returns whether no table that holds objects has a row; false where a damaged page keeps it open, and its
  /// pages are checked after this.
  private static func isEmpty(
    _ connection: borrowing SQLiteConnection,
    _ schema: StoreSchema,
    isChecked: Bool
  ) throws(SQLiteError) -> Bool {
    for table in objectTables(schema) {
      do {
        let rows = try connection.rows("SELECT 1 FROM \(SQL.identifier(table)) LIMIT 1")
        if !rows.isEmpty { return false }
      } catch {
        guard error.isDamage, isChecked else { throw error }
        return false
      }
    }
    return true
  }

  /// Returns the rows of each entity number, over all tables that hold objects.
  private static func rowCounts(
    _ connection: borrowing SQLiteConnection,
    _ schema: StoreSchema
  ) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    for table in objectTables(schema) {
      let rows = try connection.rows(
        "SELECT Z_ENT, COUNT(*) FROM \(SQL.identifier(table)) GROUP BY Z_ENT"
      )
      for row in rows where row.count == 2 {
        guard let number = row[0].integer, let count = row[1].integer else { continue }
        counts[number, default: 0] += Int(clamping: count)
      }
    }
    return counts
  }

  private static func lacking(_ table: String) -> Finding {
    Finding(
      .schemaDiffers,
      .error,
      message: "The store lacks the table \(table), which its model has: its rows are lost.",
      remedy:
        "Take the store, with its “-wal” file, from a backup. The app does not make the table again."
    )
  }

  private static func missingLog(_ path: String) -> Finding {
    Finding(
      .writeAheadLogMissing,
      .warning,
      at: Finding.Place(file: path),
      message: "The store is in WAL mode and its -shm lies beside it, but its -wal does not: what "
        + "stood only in the -wal is missing.",
      remedy: "Copy the -wal too, or take the store from a backup."
    )
  }
}
