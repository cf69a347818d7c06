import Files
import MigrationTestSupport
import StoreAccess
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct `Persistent stores` {
  @Test(arguments: [false, true])
  func `what Core Data keeps beside the rows is read`(isLogged: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try isLogged ? StoreSketch.makeLogged(path) : StoreSketch.make(path)
      let before = try contents(of: folder)
      let store = try PersistentStore(reading: path)
      #expect(store.access == .quiescent)
      #expect(store.header.isWriteAheadLogged == isLogged)
      #expect(store.metadata == StoreSketch.metadata)
      #expect(
        store.primaryKeys.rows == [
          PrimaryKeyTable.Row(entityNumber: 1, name: "Note", superentityNumber: 0, maximum: 3)
        ]
      )
      #expect(store.primaryKeys["Note"]?.entityNumber == 1)
      #expect(store.primaryKeys[2] == nil)
      #expect(store.modelCache == [1, 2])
      #expect(
        store.schemaObjects.map(\.name) == ["ZNOTE", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
      )
      #expect(try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") == 3)
      try store.checkUnchanged()
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `metadata survives being written and read`() throws {
    let metadata = StoreSketch.metadata
    let again = try StoreMetadata(uuid: metadata.uuid, binary: metadata.binary, path: "x")
    #expect(again == metadata)
    #expect(again.propertyList == metadata.propertyList)
  }

  @Test func `a log left by a killed app is in force`() throws {
    try TemporaryFolder.with { folder in
      let live = "\(folder)/live.sqlite"
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.makeLogged(live)
      try copyAlive(live, to: path) { try $0.execute("DELETE FROM ZNOTE WHERE Z_PK > 1") }
      let before = try contents(of: folder)
      #expect(before["Notes.sqlite-wal"]?.isEmpty == false)
      let store = try PersistentStore(reading: path)
      #expect(store.access == .quiescent)
      #expect(try store.mayLackWriteAheadLog == false)
      #expect(try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") == 1)
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a store is read through a link with the log beside the store itself`() throws {
    try TemporaryFolder.with { folder in
      let live = "\(folder)/live.sqlite"
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.makeLogged(live)
      try copyAlive(live, to: path) { try $0.execute("DELETE FROM ZNOTE WHERE Z_PK > 1") }
      try FileSystem.createFolder("\(folder)/links")
      let link = "\(folder)/links/link"
      #expect(symlink(path, link) == 0)
      let store = try PersistentStore(reading: link)
      #expect(try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") == 1)
      #expect(FileSystem.name(of: store.path) == "Notes.sqlite")
      #expect(try FileSystem.names(inFolder: "\(folder)/links") == ["link"])
    }
  }

  @Test func `a journal left by a killed app is undone in a private copy`() throws {
    try TemporaryFolder.with { folder in
      let live = "\(folder)/live.sqlite"
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(live, rows: 5000)
      try copyAlive(live, to: path) {
        // A cache too small for the change makes SQLite write pages before the commit.
        try $0.execute(
          "PRAGMA cache_size = 2; BEGIN; UPDATE ZNOTE SET ZTITLE = 'unfinished'"
        )
      }
      let before = try contents(of: folder)
      #expect(before["Notes.sqlite-journal"]?.isEmpty == false)
      try FileSystem.createFolder("\(folder)/scratch")
      do {
        let store = try PersistentStore(reading: path, scratchFolder: "\(folder)/scratch")
        #expect(store.access == .privateCopy)
        let unfinished = "SELECT COUNT(*) FROM ZNOTE WHERE ZTITLE = 'unfinished'"
        #expect(try store.connection.integer(unfinished) == 0)
        #expect(try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") == 5000)
        #expect(throws: SQLiteError.self) { try store.connection.execute("DELETE FROM ZNOTE") }
        try store.checkUnchanged()
      }
      #expect(try FileSystem.names(inFolder: "\(folder)/scratch") == [])
      try FileSystem.removeFolder("\(folder)/scratch")
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `an identity is equal until somebody writes and survives as text`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.makeLogged(path)
      let folded = try StoreFileIdentity(path: path)
      #expect(try StoreFileIdentity(path: path) == folded)
      #expect(folded.writeAheadLog == nil)
      let app = try SQLiteConnection(path: path, access: .readWrite)
      try app.execute("DELETE FROM ZNOTE")
      let logged = try StoreFileIdentity(path: path)
      #expect(logged != folded && logged.writeAheadLog != nil)
      for identity in [folded, logged] {
        #expect(StoreFileIdentity(identity.description) == identity)
      }
      for text in ["", "1", "2" + folded.description.dropFirst(), folded.description + " 1"] {
        #expect(StoreFileIdentity(text) == nil)
      }
    }
  }

  @Test func `a finished journal beside a store in WAL mode is left alone`() throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    // As a process leaves it that is killed while it takes the store out of WAL mode: a journal
    // whose first byte is zero has nothing to undo.
    try TemporaryFolder.write([UInt8](repeating: 0, count: 512), to: folder.store + "-journal")
    let store = try PersistentStore(reading: folder.store)
    #expect(store.access == .quiescent)
    #expect(try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") == 3)
    try store.checkUnchanged()
    let names = try FileSystem.names(inFolder: folder.path)
    #expect(names == ["Notes.sqlite", "Notes.sqlite-journal"])
  }

  @Test(arguments: [
    ("/a/Notes.sqlite", "/a/.Notes_SUPPORT"),
    ("Notes", "./.Notes_SUPPORT".dropFirst(2).description),
    ("/a.b/Notes", "/a.b/.Notes_SUPPORT"), ("/a/.hidden", "/a/..hidden_SUPPORT"),
    ("/a/x.y.db", "/a/.x.y_SUPPORT"),
  ])
  func `the folder of external blobs is named after the store`(path: String, support: String) throws
  {
    let files = try StoreFiles(store: path)
    #expect(files.support == support)
    #expect(files.externalData == support + "/_EXTERNAL_DATA")
    #expect(files.writeAheadLog == path + "-wal")
  }
}

/// Copies a store's files while a connection that has just made a change still has it open, which is
/// what is left when an app is killed.
func copyAlive(
  _ live: String,
  to path: String,
  _ change: (AppDatabase) throws -> Void
) throws {
  do {
    let connection = try AppDatabase(live)
    connection.keepsLog()
    try change(connection)
    for suffix in ["", "-wal", "-shm", "-journal"] {
      guard let bytes = TemporaryFolder.bytes(of: live + suffix) else { continue }
      try TemporaryFolder.write(bytes, to: path + suffix)
    }
  }
  for suffix in ["", "-wal", "-shm", "-journal"] { try FileSystem.remove(live + suffix) }
}
