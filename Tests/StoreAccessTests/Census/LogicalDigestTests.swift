import Files
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing

@Suite struct LogicalDigestTests {
  private let folder: ScratchFolder
  private let store: String
  private let schema: PhysicalSchema

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    let model = try SampleArchive.version("Letters", "v1").model
    schema = PhysicalSchema(model: model)
    try StoreGenerator(model: model, rows: 60, seed: 3).write(to: store)
  }

  private func digest(_ path: String? = nil, externalData: String? = nil) throws -> LogicalDigest {
    let connection = try SQLiteConnection(path: path ?? store, access: .readOnly)
    return try LogicalDigest(of: connection, schema: schema, externalData: externalData)
  }

  /// The entities whose part differs after some statements.
  private func differences(after sql: String) throws -> [String] {
    let before = try digest()
    do {
      let connection = try AppDatabase(store)
      try connection.execute(sql)
      #expect(connection.totalChanges > 0 || !sql.contains("UPDATE"))
    }
    let after = try digest()
    #expect((before.hash == after.hash) == before.differences(from: after).isEmpty)
    return before.differences(from: after)
  }

  @Test func `a store has a part for each concrete entity`() throws {
    let digest = try digest()
    #expect(
      digest.entities.map(\.name) == ["Enclosure", "Institution", "Letter", "Person", "Topic"]
    )
    #expect(digest.entities.map(\.rowCount) == [12, 12, 12, 12, 12])
    #expect(try self.digest() == digest)
  }

  @Test(arguments: [
    ("UPDATE ZLETTER SET ZTITLE = ZTITLE || ' ' WHERE Z_PK = 1", ["Letter"]),
    ("UPDATE ZLETTER SET ZBODY = NULL WHERE Z_PK = 5", ["Letter"]),
    ("UPDATE ZTOPIC SET ZCOLOR = 17 WHERE Z_PK = 2", ["Topic"]),
    (
      """
      UPDATE ZCORRESPONDENT SET ZDEPARTMENT = 'x'
      WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Institution')
      """, ["Institution"]
    ),
    ("DELETE FROM ZTOPIC WHERE Z_PK = 12", ["Topic"]),
    ("UPDATE ZTOPIC SET Z_PK = 99 WHERE Z_PK = 12", ["Topic"]),
  ])
  func `what an object says changes its entity's part`(_ sql: String, _ names: [String]) throws {
    #expect(try differences(after: sql) == names)
  }

  @Test func `a link changes the part of each end that tells it, else of the one that is there`()
    throws
  {
    #expect(
      try differences(after: "UPDATE ZENCLOSURE SET ZLETTER = 3 WHERE Z_PK IN (1, 2, 3)")
        == ["Enclosure", "Letter"]
    )
    #expect(try differences(after: "UPDATE ZLETTER SET ZTOPIC = 12 - ZTOPIC") == ["Letter"])
    let join = try #require(schema.joinTables.first)
    let name = SQL.identifier(join.name)
    let ends = ["Institution", "Person"]
    let changed = try differences(after: "DELETE FROM \(name) WHERE rowid = 1")
    #expect(changed.count == 1 && ends.contains(changed[0]))
    let columns = join.columns.map(\.name)
    #expect(columns == ["Z_1RECIPIENTS", "Z_5RECEIVED"])
    let lost = "INSERT INTO \(name) (Z_1RECIPIENTS, Z_5RECEIVED) VALUES"
    #expect(try differences(after: "\(lost) (4711, 3)") == ["Letter"])
    let more = try differences(after: "\(lost) (3, 4712)")
    #expect(more.count == 1 && ends.contains(more[0]))
  }

  @Test func `the order of a list changes it, the numbers of the order do not`() throws {
    let order = try #require(
      schema.table(of: "Enclosure")?.columns.first {
        if case .orderKey = $0.role { true } else { false }
      }
    ).name
    let key = try #require(schema.model["Enclosure"]).relationships.first?.name
    #expect(key == "letter")
    try AppDatabase(store)
      .execute("UPDATE ZENCLOSURE SET ZLETTER = 1, \(order) = Z_PK * 10")
    #expect(try differences(after: "UPDATE ZENCLOSURE SET \(order) = \(order) * 7 + 3") == [])
    #expect(try differences(after: "UPDATE ZENCLOSURE SET \(order) = -\(order)") == ["Letter"])
  }

  @Test func `what the file looks like does not enter`() throws {
    #expect(
      try differences(
        after: """
          UPDATE ZLETTER SET Z_OPT = Z_OPT + 5;
          ALTER TABLE ZTOPIC RENAME TO OLD;
          CREATE TABLE ZTOPIC (ZNAME VARCHAR, Z_OPT INTEGER, ZCOLOR INTEGER, Z_ENT INTEGER,
            Z_PK INTEGER PRIMARY KEY);
          INSERT INTO ZTOPIC (Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME)
            SELECT Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZNAME FROM OLD ORDER BY Z_PK DESC;
          DROP TABLE OLD; CREATE TABLE OTHER (A); VACUUM
          """
      ) == []
    )
  }

  @Test func `bytes in a file of their own are the same as bytes in the store`() throws {
    let external = folder.path + "/external"
    try FileSystem.createFolder(external)
    let name = "6BE9F0C8-2E1D-4C57-9E5B-7B1C0F6A2D11"
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try TemporaryFolder.write(bytes, to: "\(external)/\(name)")
    let connection = try SQLiteConnection(path: store, access: .readWrite)
    let sql = "UPDATE ZENCLOSURE SET ZPICTURE = ? WHERE Z_PK = 1"
    try connection.execute(sql, [.blob([1] + bytes)])
    let inside = try digest(externalData: external)
    try connection.execute(sql, [.blob([2] + Array(name.utf8) + [0])])
    #expect(try digest(externalData: external) == inside)
    #expect(try digest() != inside)
    try TemporaryFolder.write(bytes.reversed(), to: "\(external)/\(name)")
    #expect(try digest(externalData: external) != inside)
    try FileSystem.remove("\(external)/\(name)")
    let error = #expect(throws: StoreAccessError.self) { try digest(externalData: external) }
    #expect(error?.code == .missing)
    let lacking = try LogicalDigest(
      of: connection,
      schema: schema,
      externalData: external,
      allowsMissingFiles: true
    )
    let count = lacking.entities.first { $0.name == "Enclosure" }?.missingFileCount
    #expect(count == 1)
    let byName = try digest()
    #expect(lacking.hash == byName.hash)
    for hostile in ["../store.sqlite", "", ".."] {
      try connection.execute(sql, [.blob([2] + Array(hostile.utf8) + [0])])
      #expect(throws: Never.self) { try digest(externalData: external) }
    }
  }
}
