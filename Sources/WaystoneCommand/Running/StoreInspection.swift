internal import Files
internal import MigrationPlanning
internal import MigrationReporting
internal import ModelCoding
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

/// What a command asks of a store before it does anything: its version and how full it is.
struct StoreInspection {
  /// The store's path, as the person wrote it.
  let path: String
  /// What the store says of itself.
  let metadata: StoreMetadata
  /// Which version it is of.
  let identification: VersionIdentification
  /// The model that the store carries, where no version has its hashes and the model has them all.
  let recoveredModel: ManagedObjectModel?
  /// The bytes from which it was recovered.
  let recoveredCache: [UInt8]?
  /// Its tables, columns, indexes and triggers.
  let schema: StoreSchema

  private let versions: [ModelVersion]
  private let primaryKeys: PrimaryKeyTable
  private let rowCounts: [Int64: Int]
  /// The size of its file and of its `-wal`.
  let bytes: (store: Int, wal: Int)
  /// What is to be said of the store, whatever is done with it.
  let findings: [Finding]

  /// Reads a store without changing it.
  ///
  /// - Throws: `StoreAccessError` where it cannot be read.
  init(of path: String, versions: [ModelVersion], countsRows: Bool, console: Console) throws {
    let resolved = console.resolved(path)
    let store = try PersistentStore(reading: resolved)
    let schema = try StoreSchema(of: store.connection)
    self.path = path
    self.versions = versions
    metadata = store.metadata
    primaryKeys = store.primaryKeys
    self.schema = schema
    rowCounts = countsRows ? try Self.rowCounts(store.connection, schema) : [:]
    let carried = store.modelCache.flatMap { try? ModelCache.decode($0).model }
    identification = VersionIdentification(
      storeHashes: store.metadata.versionHashes,
      versions: versions,
      storeModel: carried
    )
    let isTrue = carried?.entityVersionHashes == store.metadata.versionHashes
    recoveredModel = identification.isUnknown && isTrue ? carried : nil
    recoveredCache = recoveredModel == nil ? nil : store.modelCache
    let files = try StoreFiles(store: resolved)
    bytes = (
      Int(clamping: try FileSystem.size(of: resolved) ?? 0),
      Int(clamping: try files.writeAheadLogSize)
    )
    let model = recoveredModel ?? Self.wholeModel(identification)
    findings =
      (try store.mayLackWriteAheadLog ? [Self.missingLog(path)] : [])
      + (try model.map {
        try ExternalAccount(
          in: store.connection,
          schema: PhysicalSchema(model: $0),
          folder: files.externalData
        ).findings
      } ?? [])
    try store.checkUnchanged()
  }

  /// The model of a store that has all entities of one version.
  private static func wholeModel(_ identification: VersionIdentification) -> ManagedObjectModel? {
    switch identification.match {
    case .exact, .equalVersions: identification.versions.last?.model
    case .merged, .configuration, .nearest, .none: nil
    }
  }

  /// The columns of each of its tables.
  var columnNames: [String: [String]] { schema.columnNames }

  /// What `inspect` shows.
  func report(names: VersionNames) -> InspectionReport {
    var report = InspectionReport(
      path: path,
      bytes: bytes,
      match: .none,
      versions: [],
      facts: facts,
      entities: metadata.versionHashes.keys.sorted(by: ByteOrder.precedes).map { name in
        let number = primaryKeys[name]?.entityNumber
        return InspectionReport.Entity(
          name: name,
          hash: metadata.versionHashes[name]?.description ?? "",
          number: number.map { Int(clamping: $0) },
          rows: number.map { rowCounts[$0] ?? 0 }
        )
      },
      findings: findings
    )
    report.take(identification, isRecovered: recoveredModel != nil, name: names.name)
    if identification.isUnknown, recoveredModel == nil {
      report.structure = StructuralMatch.nearest(to: schema, among: versions).map { match in
        InspectionReport.Structure(
          version: names.name(of: match.version),
          agrees: match.agrees,
          differences: match.differences
        )
      }
    }
    return report
  }

  private var facts: [(name: String, value: String)] {
    let known = [
      ("uuid", metadata.uuid),
      ("identifiers", metadata.versionIdentifiers.filter { !$0.isEmpty }.joined(separator: ", ")),
      ("frameworkVersion", metadata.frameworkVersion.map { "\($0)" } ?? ""),
      ("checksum", metadata.versionChecksum ?? ""),
      ("digest", metadata.versionHashesDigest ?? ""),
      (
        "cleanup",
        metadata.isCleanupPending ? "pending: `waystone finish` removes what is left" : ""
      ),
    ]
    return known.filter { !$0.1.isEmpty }
  }

  /// The rows of each entity number, over all tables that hold objects.
  private static func rowCounts(
    _ connection: borrowing SQLiteConnection,
    _ schema: StoreSchema
  ) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    for table in schema.tables where !table.isVirtual {
      let columns = Set(table.columns.map(\.name))
      // Of the tables with both columns only Z_PRIMARYKEY and the like are not objects'.
      guard columns.isSuperset(of: ["Z_PK", "Z_ENT", "Z_OPT"]) else { continue }
      let rows = try connection.rows(
        "SELECT Z_ENT, COUNT(*) FROM \(SQL.identifier(table.name)) GROUP BY Z_ENT"
      )
      for row in rows where row.count == 2 {
        guard let number = row[0].integer, let count = row[1].integer else { continue }
        counts[number, default: 0] += Int(clamping: count)
      }
    }
    return counts
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
