import Files
import MigrationTestSupport
import StoreAccess
import Testing

@Suite struct `Database headers` {
  @Test(arguments: [512, 4096, 65_536])
  func `what SQLite was told stands in the header`(pageSize: Int) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a.sqlite"
      try AppDatabase.run(
        path,
        """
        PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = 2; PRAGMA user_version = -7;
        PRAGMA application_id = 1234; CREATE TABLE T (A); CREATE TABLE U (A)
        """
      )
      let header = try DatabaseHeader(path: path)
      #expect(header.pageSize == pageSize)
      #expect(header.userVersion == -7 && header.applicationID == 1234)
      #expect(header.isAutoVacuumed && header.isIncrementallyVacuumed)
      #expect(header.textEncoding == .utf8 && header.schemaFormat == 4)
      #expect(!header.isWriteAheadLogged && header.readVersion == 1)
      #expect(try header.expectedFileSize == FileSystem.size(of: path))
      #expect(header.isPageCountValid && header.freePageCount == 0)
      do {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute("CREATE TABLE V (A)")
      }
      let changed = try DatabaseHeader(path: path)
      #expect(changed.changeCounter == header.changeCounter + 1)
      #expect(changed.schemaCookie == header.schemaCookie + 1)
      do {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.setJournalMode(.wal)
      }
      #expect(try DatabaseHeader(path: path).isWriteAheadLogged)
    }
  }

  @Test func `a folder, a pipe and an unreadable file are told apart`() throws {
    try TemporaryFolder.with { folder in
      #expect(throws: StoreAccessError.self) { try DatabaseHeader(path: folder) }
      let codes = ["\(folder)", "/dev/null", "\(folder)/none", "\(folder)/none/none", "", "a\u{0}"]
        .map { path in
          do throws(StoreAccessError) {
            _ = try DatabaseHeader(path: path)
            return StoreAccessError.Code.other
          } catch {
            return error.code
          }
        }
      #expect(codes == [.notAStore, .notAStore, .missing, .missing, .unreadable, .unreadable])
    }
  }
}
