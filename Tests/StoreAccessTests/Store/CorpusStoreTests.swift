import Files
import MigrationTestSupport
import PropertyLists
import StoreAccess
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct `Stores of public apps` {
  /// Every SQLite database of the corpus.
  static let databases = Corpus.files { path in
    [".sqlite", "database", ".storedata", ".db", ".moody", ".graphdb", ".store"].contains {
      path.hasSuffix($0)
    }
      || path.contains("moody")
  }.filter { path in
    !path.hasSuffix("-wal") && !path.hasSuffix("-shm")
      && (try? OpenFile(reading: path).read(count: 15, at: 0)) == Array("SQLite format 3".utf8)
  }

  @Test func `every store's metadata is read and written alike, and its files stay as they are`()
    throws
  {
    var refused: [String: StoreAccessError.Code] = [:]
    var read = 0
    for original in Self.databases {
      try TemporaryFolder.with { folder in
        let path = try TemporaryFolder.copy(original, into: folder)
        let before = try contents(of: folder)
        do throws(StoreAccessError) {
          let store = try PersistentStore(reading: path)
          read += 1
          #expect(store.access == .quiescent)
          #expect(store.metadata.uuid.count == 36, "\(original)")
          #expect(!store.metadata.versionHashes.isEmpty && !store.primaryKeys.rows.isEmpty)
          #expect(store.header.pageSize == 4096 || store.header.pageSize == 2048)
          let bytes = try? store.connection.rows("SELECT Z_PLIST FROM Z_METADATA").first?[0].blob
          let list = try? PropertyList(binary: bytes ?? [])
          #expect(list == store.metadata.propertyList, "\(original)")
          let check = try? store.connection.text("PRAGMA quick_check")
          #expect(check == "ok", "\(original)")
        } catch {
          refused[FileSystem.name(of: original)] = error.code
        }
        #expect(try contents(of: folder) == before, "\(original)")
      }
    }
    print("stores read: \(read) of \(Self.databases.count); refused: \(refused)")
    #expect(read >= 40)
    #expect(refused.values.allSatisfy { $0 == .nullMetadata || $0 == .notAStore })
  }

  @Test(arguments: 1...5)
  func `what stands in the log alone is read`(version: Int) throws {
    let original = Corpus.path(
      "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\(version).sqlite"
    )
    try TemporaryFolder.with { folder in
      let path = try TemporaryFolder.copy(original, into: folder)
      let store = try PersistentStore(reading: path)
      let count = "SELECT COUNT(*) FROM ZBOOKMARKENTITY"
      let withLog = try store.connection.integer(count) ?? 0
      try FileSystem.createFolder("\(folder)/bare")
      let bare = try TemporaryFolder.copy(original, suffixes: [""], into: "\(folder)/bare")
      let without = try SQLiteConnection(path: bare, access: .quiescent)
      #expect(try withLog > without.integer(count) ?? 0)
    }
  }
}
