import Files
import MigrationTestSupport
import StoreAccess
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The files beside a store under the names that SQLite gives its journals.
@Suite struct `Hostile companions` {
  /// The ways in which a store is taken.
  enum Use: CaseIterable {
    case read, lock, connect, attach

    func take(_ path: String) throws {
      switch self {
      case .read: _ = try PersistentStore(reading: path)
      case .lock: _ = try StoreLock(path: path)
      case .connect:
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        _ = try connection.integer("SELECT COUNT(*) FROM ZNOTE")
      case .attach:
        let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
        try connection.attach(path: path, as: "other", access: .readOnly)
      }
    }
  }

  @Test(arguments: Use.allCases, [false, true])  // C1
  func `a journal that names another file deletes nothing`(use: Use, isHot: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      let victim = "\(folder)/victim.txt"
      try StoreSketch.make(path)
      try TemporaryFolder.write(Array("keep".utf8), to: victim)
      let pages = try #require(TemporaryFolder.bytes(of: path)).count / 4096
      var journal = JournalSketch(records: 0, pages: UInt32(pages)).bytes
      if !isHot { journal.replaceSubrange(0..<28, with: [UInt8](repeating: 0, count: 28)) }
      journal += JournalSketch.tail(naming: victim)
      try TemporaryFolder.write(journal, to: path + "-journal")
      let before = try contents(of: folder)
      let error = #expect(throws: (any Error).self) { try use.take(path) }
      let text = "\(error.map { "\($0)" } ?? "")"
      #expect(text.contains("Notes.sqlite-journal names another file"), "\(text)")
      #expect(!text.contains("victim"))
      #expect(try contents(of: folder) == before)
    }
  }

  /// The mark is the last that is written before the database changes: its writer died there.
  @Test(arguments: [Use.read, .lock, .connect], [1, 6])
  func `a journal whose mark is written in part undoes nothing`(use: Use, written: Int) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(path)
      let before = try #require(TemporaryFolder.bytes(of: path))
      var journal = JournalSketch(records: 0, pages: UInt32(before.count / 4096)).bytes
      journal.replaceSubrange(written..<12, with: [UInt8](repeating: 0, count: 12 - written))
      let page: [UInt8] = [0, 0, 0, 2] + [UInt8](repeating: 0xee, count: 4096) + [0, 0, 0, 0]
      try TemporaryFolder.write(journal + page, to: path + "-journal")
      try use.take(path)
      #expect(TemporaryFolder.bytes(of: path) == before)
    }
  }

  @Test func `a journal that names a file of a run in the same folder is undone for the run`()
    throws
  {
    try TemporaryFolder.with { folder in
      let folder = try FileSystem.resolved(folder)
      let path = "\(folder)/hop-1.sqlite"
      try StoreSketch.make(path)
      let pages = try #require(TemporaryFolder.bytes(of: path)).count / 4096
      let journal = JournalSketch(records: 0, pages: UInt32(pages)).bytes
      for (name, isOwn) in [
        ("\(folder)/hop-1.sqlite-mj0123AB9CD", true), ("\(folder)/hop-1.sqlite-mj0123AB8CD", false),
        ("/elsewhere/hop-1.sqlite-mj0123AB9CD", false), ("\(folder)/victim.txt", false),
      ] {
        try TemporaryFolder.write(
          journal + JournalSketch.tail(naming: name),
          to: path + "-journal"
        )
        let isTaken = try Self.isTaken(path)
        #expect(isTaken == isOwn, "\(name)")
        try FileSystem.remove(path + "-journal")
      }
    }
  }

  private static func isTaken(_ path: String) throws -> Bool {
    do {
      _ = try SQLiteConnection(path: path, access: .readWrite, superJournals: .ofFolder)
      return true
    } catch  where error.code == .corrupt { return false }
  }

  @Test(arguments: ["-journal", "-wal", "-shm"], Use.allCases)  // M12
  func `nothing but a plain file is taken for a companion`(suffix: String, use: Use) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(path)
      let other = "\(folder)/other"
      try TemporaryFolder.write([1, 2, 3], to: other)
      let kinds: [(String, (String) -> Int32)] = [
        ("pipe", { mkfifo($0, 0o600) }), ("link", { symlink(other, $0) }),
        ("dangling", { symlink("\(folder)/none", $0) }), ("folder", { mkdir($0, 0o700) }),
      ]
      for (kind, make) in kinds {
        try #require(make(path + suffix) == 0)
        let error = #expect(throws: (any Error).self, "\(kind)") { try use.take(path) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("not a plain file"), "\(kind)")
        if let error = error as? StoreAccessError { #expect(error.code == .notAStore) }
        if kind == "folder" {
          try FileSystem.removeFolder(path + suffix)
        } else {
          try FileSystem.remove(path + suffix)
        }
      }
      #expect(TemporaryFolder.bytes(of: other) == [1, 2, 3])
    }
  }

  @Test func `a giant journal costs no more than what it holds`() throws {  // M8
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      let scratch = "\(folder)/scratch"
      try StoreSketch.make(path)
      try FileSystem.createFolder(scratch)
      let pages = try #require(TemporaryFolder.bytes(of: path)).count / 4096
      for records in [UInt32(0), .max] {
        let journal = JournalSketch(records: records, pages: UInt32(pages)).bytes
        try TemporaryFolder.write(journal, to: path + "-journal")
        try OpenFile(writing: path + "-journal").truncate(to: 3 << 30)
        let parsed = try RollbackJournal(reading: OpenFile(plainFile: path + "-journal"))
        #expect(parsed.isHot && parsed.usedSize == 512 && parsed.superJournal == nil)
        let store = try PersistentStore(reading: path, scratchFolder: scratch)
        #expect(store.access == .privateCopy)
        #expect(try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") == 3)
      }
    }
  }

  @Test func `what is no journal is left where it is`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(path)
      try TemporaryFolder.write(
        Array("my diary of the year".utf8) + [UInt8](repeating: 7, count: 99),
        to: path + "-journal"
      )
      let before = try contents(of: folder)
      for use in Use.allCases {
        let error = #expect(throws: (any Error).self) { try use.take(path) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("is not a rollback journal"))
      }
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a log that cannot be looked for is not taken for absent`() throws {  // F1
    try TemporaryFolder.with { folder in
      // 252 bytes are a name, and 256 with “-wal” are none: the answer is an error other than ENOENT.
      let path = "\(folder)/" + String(repeating: "n", count: 252)
      try StoreSketch.make("\(folder)/Notes.sqlite")
      try FileSystem.rename("\(folder)/Notes.sqlite", to: path)
      for use in Use.allCases {
        #expect(throws: (any Error).self, "\(use)") { try use.take(path) }
      }
      let files = try StoreFiles(store: path)
      #expect(throws: StoreAccessError.self) { _ = try files.writeAheadLogSize }
      #expect(throws: StoreAccessError.self) { _ = try files.lacksWriteAheadLog }
      #expect(throws: StoreAccessError.self) { _ = try files.hasRollbackJournal }
    }
  }

  @Test func `an empty log beside a store in rollback mode is no obstacle`() throws {  // F3
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(path)
      try TemporaryFolder.write([], to: path + "-wal")
      do {
        let lock = try StoreLock(path: path)
        try lock.leaveWriteAheadLogMode()
        try lock.checkPlace()
      }
      let rows = try PersistentStore(reading: path).connection.integer("SELECT COUNT(*) FROM ZNOTE")
      #expect(rows == 3)
    }
  }

  @Test(arguments: [false, true])  // M19
  func `a lock that is let go of removes no journal of the next store`(isLogged: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try isLogged ? StoreSketch.makeLogged(path) : StoreSketch.make(path)
      do {
        let lock = try StoreLock(path: path)
        try lock.leaveWriteAheadLogMode()
        #expect(try FileSystem.exists(path + "-journal") == false)
        try TemporaryFolder.write([1, 2, 3], to: path + "-journal")
        _ = try lock.status()
      }
      #expect(TemporaryFolder.bytes(of: path + "-journal") == [1, 2, 3])
    }
  }

  @Test(arguments: [(18, 200), (19, 3), (47, 9)], Use.allCases)  // M15
  func `a format that SQLite does not know is refused before anything`(
    change: (offset: Int, value: UInt8),
    use: Use
  ) throws {
    guard use == .read || use == .lock else { return }
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(path)
      var bytes = try #require(TemporaryFolder.bytes(of: path))
      bytes[change.offset] = change.value
      try TemporaryFolder.write(bytes, to: path)
      let error = #expect(throws: StoreAccessError.self) { try use.take(path) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("\(change.value)") == true)
      #expect(TemporaryFolder.bytes(of: path) == bytes)
    }
  }
}
