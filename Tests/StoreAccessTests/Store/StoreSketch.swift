import ObjectModel
import PropertyLists
import StoreAccess

/// A small store with the tables Core Data keeps beside the rows, and one entity, `Note`.
enum StoreSketch {
  static let hash = VersionHash([UInt8](repeating: 7, count: 32))

  static var metadata: StoreMetadata {
    StoreMetadata(
      uuid: "8F1D3A52-0000-4000-8000-000000000001",
      versionHashes: hash.map { ["Note": $0] } ?? [:],
      versionIdentifiers: ["v1"],
      versionHashesDigest: "digest",
      versionChecksum: "checksum",
      frameworkVersion: 1347,
      others: ["NSStoreType": .string("SQLite"), "app": .array([.integer(1), .data([2])])]
    )
  }

  /// Makes the store's tables and `rows` notes through a connection.
  static func fill(_ connection: borrowing SQLiteConnection, rows: Int = 3) throws {
    try connection.execute(
      authored: """
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR );
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
          Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        INSERT INTO Z_MODELCACHE VALUES (x'0102');
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, \(rows));
        WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
          INSERT INTO ZNOTE SELECT i, 1, 1, 'Note ' || i FROM n
        """
    )
    try metadata.write(to: connection)
  }

  /// Makes a store in rollback-journal mode.
  static func make(_ path: String, rows: Int = 3) throws {
    let connection = try SQLiteConnection(path: path, access: .create)
    try connection.transaction { try fill(connection, rows: rows) }
  }

  /// Makes a store in WAL mode, folded.
  static func makeLogged(_ path: String, rows: Int = 3) throws {
    let connection = try SQLiteConnection(path: path, access: .create)
    try connection.setJournalMode(.wal)
    try connection.transaction { try fill(connection, rows: rows) }
  }
}
