import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing

/// The counts of a census, against plain joins over the tables.
@Suite struct StoreCensusTests {
  private let folder: ScratchFolder
  private let store: String
  private let schema: PhysicalSchema

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    let model = try SampleArchive.version("Letters", "v1").model
    schema = PhysicalSchema(model: model)
    try StoreGenerator(model: model, rows: 90, seed: 5).write(to: store)
  }

  private func census() throws -> [String: StoreCensus.Entity] {
    let connection = try SQLiteConnection(path: store, access: .readOnly)
    let census = try StoreCensus(of: connection, schema: schema)
    #expect(census.digest == nil)
    return Dictionary(census.entities.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  private func count(_ sql: String) throws -> Int64 {
    try #require(try SQLiteConnection(path: store, access: .readOnly).integer(sql))
  }

  private static let sender = """
    SELECT COUNT(*) FROM ZLETTER l JOIN ZCORRESPONDENT c ON c.Z_PK = l.ZSENDER
    JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.Z_ENT WHERE p.Z_NAME = 'Person'
    """
  private static let received = """
    SELECT COUNT(*) FROM Z_1RECEIVED r JOIN ZLETTER l ON l.Z_PK = r.Z_5RECEIVED
    JOIN ZCORRESPONDENT c ON c.Z_PK = r.Z_1RECIPIENTS
    JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.Z_ENT WHERE p.Z_NAME = 'Person'
    """

  /// Keys as Core Data gives them, few and far between, negative, and as far apart as keys can be.
  @Test(arguments: [
    "SELECT 1",
    "UPDATE ZCORRESPONDENT SET Z_PK = Z_PK * 1000003; UPDATE ZLETTER SET ZSENDER = ZSENDER * 1000003;"
      + "UPDATE Z_1RECEIVED SET Z_1RECIPIENTS = Z_1RECIPIENTS * 1000003",
    "UPDATE ZCORRESPONDENT SET Z_PK = -Z_PK; UPDATE ZLETTER SET ZSENDER = -ZSENDER;"
      + "UPDATE Z_1RECEIVED SET Z_1RECIPIENTS = -Z_1RECIPIENTS",
    """
    UPDATE ZLETTER SET ZSENDER = 9223372036854775807 WHERE ZSENDER = 3;
    UPDATE ZCORRESPONDENT SET Z_PK = 9223372036854775807 WHERE Z_PK = 3;
    UPDATE ZLETTER SET ZSENDER = -9223372036854775807 WHERE ZSENDER = 2;
    UPDATE ZCORRESPONDENT SET Z_PK = -9223372036854775807 WHERE Z_PK = 2
    """,
  ])
  func `links are counted whatever the keys of objects are`(_ sql: String) throws {
    let before = try count(Self.sender)
    try AppDatabase(store).execute(sql)
    let found = try census()
    let sender = try count(Self.sender)
    #expect(sender == before && sender > 0)
    #expect(found["Letter"]?.links["sender"]?["Person"] == sender)
    #expect(found["Person"]?.links["sent"]?["Letter"] == sender)
    let received = try count(Self.received)
    #expect(found["Person"]?.links["received"]?["Letter"] ?? 0 == received)
    #expect(found["Letter"]?.links["recipients"]?["Person"] ?? 0 == received)
  }

  @Test func `what leads nowhere, and rows of no entity, are not counted`() throws {
    let (letters, sent) = (try count("SELECT COUNT(*) FROM ZLETTER"), try count(Self.sender))
    try AppDatabase(store).execute(
      """
      UPDATE ZLETTER SET ZSENDER = 4711 WHERE Z_PK <= 3;
      UPDATE ZLETTER SET ZSENDER = x'00' WHERE Z_PK = 4;
      UPDATE ZLETTER SET Z_ENT = NULL WHERE Z_PK = 5;
      UPDATE ZLETTER SET Z_ENT = 99 WHERE Z_PK = 6
      """
    )
    let found = try census()
    #expect(found["Letter"]?.objects == letters - 2)
    let left = try count(Self.sender + " AND l.Z_PK NOT IN (5, 6)")
    #expect(left < sent && found["Letter"]?.links["sender"]?["Person"] == left)
    #expect(
      try found["Letter"]?.values["title"]
        == count("SELECT COUNT(ZTITLE) FROM ZLETTER WHERE Z_PK NOT IN (5, 6)")
    )
  }
}
