import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// A command that brings a policy along, as `Tests/Outside` builds one.
@Suite struct CustomCommandTests {
  private static let header: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    0, 0, 2, 128, 0, 0, 1, 224,
  ]

  /// A store of Notes v3 in which the first image is a PNG of 640 by 480.
  private func makeStore(in folder: String) throws -> String {
    let store = folder + "/notes.sqlite"
    let generated = CommandRun(
      "generate",
      "v3",
      "--models",
      SampleArchive.root + "/Notes.xcdatamodeld",
      "--rows",
      "40",
      "--seed",
      "3",
      "-o",
      store
    )
    try #require(generated.status == .success, "\(generated.errors)")
    let connection = try AppDatabase(store)
    let text = String(repeating: "a long text ", count: 20)
    try connection.execute(
      "UPDATE ZATTACHMENT SET ZIMAGE = ?, ZNOTE = (SELECT MIN(Z_PK) FROM ZNOTE) WHERE Z_PK = 1",
      [.blob([0x62, 0x89, 0x50] + Self.header + [7, 7])]
    )
    try connection.execute(
      "UPDATE ZNOTE SET ZBODY = ? WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZNOTE)",
      [.text(text)]
    )
    return store
  }

  private func migration(_ store: String, _ result: String) -> [String] {
    ["migrate", store, "--models", SampleArchive.root, "--to", "Notes/v4", "--output", result]
  }

  @Test func `a project's own build of the command runs its policies`() throws {
    try TemporaryFolder.with { folder in
      let store = try makeStore(in: folder)
      let result = folder + "/result.sqlite"
      let run = CommandRun(migration(store, result), registry: SampleWalk.notesRegistry)
      try #require(run.status == .success, "\(run.errors)")
      let connection = try SQLiteConnection(path: result, access: .readOnly)
      try connection.attach(path: store, as: "old", access: .readOnly)
      let first = try connection.rows(
        "SELECT ZWIDTH, ZHEIGHT, ZCAPTION, ZIMAGE FROM ZATTACHMENT WHERE Z_PK = 1"
      )
      let image: [UInt8] = [0x62, 0x89, 0x50] + Self.header + [7, 7]
      let caption = String(String(repeating: "a long text ", count: 20).prefix(80))
      #expect(first == [[640.0, 480.0, .text(caption), .blob(image)]])
      let captions = try connection.integer(
        """
        SELECT COUNT(*) FROM ZATTACHMENT a JOIN old.ZATTACHMENT o ON o.Z_PK = a.Z_PK
        LEFT JOIN old.ZNOTE n ON n.Z_PK = o.ZNOTE
        WHERE a.ZIMAGE IS NOT o.ZIMAGE OR a.ZNOTE IS NOT o.ZNOTE
        OR a.ZDATECREATED IS NOT o.ZDATECREATED OR (a.ZCAPTION IS NULL) <> (n.ZBODY IS NULL)
        """
      )
      #expect(captions == 0)
      let count = try connection.integer("SELECT COUNT(*) FROM ZATTACHMENT")
      #expect(count == 20)
    }
  }

  @Test func `the command itself refuses a policy that it does not have`() throws {
    try TemporaryFolder.with { folder in
      let store = try makeStore(in: folder)
      let run = CommandRun(migration(store, folder + "/result.sqlite"))
      #expect(run.status != .success)
      #expect(run.errors.contains("Notes.ImageAttachmentPolicy"))
      #expect(!TemporaryFolder.names(in: folder).contains("result.sqlite"))
    }
  }
}
