import Files
import MigrationTestSupport
import StoreAccess
import Testing

@Suite struct `SQLite access` {
  /// Paths that a URI, an option or SQLite itself could misread.
  static let names = [
    "plain", "with space", "a?mode=memory", "a#b", "100%", "%41", ":memory:", "file:x", "é日本",
    "a&b=c",
    "-wal",
  ]

  @Test(arguments: names)
  func `a file is made and read under its very name`(name: String) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/\(name)"
      try makeDatabase(path)
      #expect(try FileSystem.names(inFolder: folder) == [name])
      for access in [SQLiteAccess.readOnly, .readWrite, .quiescent] {
        let connection = try SQLiteConnection(path: path, access: access)
        #expect(try connection.integer("SELECT COUNT(*) FROM T") == 3)
        #expect(connection.isReadOnly() == (access != .readWrite))
      }
      let other = try SQLiteConnection(path: "", access: .inMemory)
      try other.attach(path: path, as: "old one", access: .quiescent)
      #expect(try other.integer("SELECT COUNT(*) FROM \(SQL.identifier("old one", "T"))") == 3)
      try other.detach("old one")
    }
  }

  @Test func `paths that SQLite would read otherwise are refused`() {
    for path in ["", "a\u{0}b"] {
      let error = #expect(throws: SQLiteError.self) {
        _ = try SQLiteConnection(path: path, access: .readOnly)
      }
      #expect(error?.code == .invalidPath)
    }
  }

  @Test func `a new file is private and never takes the place of another`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/new.sqlite"
      try makeDatabase(path)
      #expect(try FileSystem.status(path)?.permissions == 0o600)
      let taken = #expect(throws: SQLiteError.self) {
        _ = try SQLiteConnection(path: path, access: .create)
      }
      #expect(taken?.code == .exists)
      try TemporaryFolder.write([1], to: "\(folder)/b.sqlite-wal")
      let journal = #expect(throws: SQLiteError.self) {
        _ = try SQLiteConnection(path: "\(folder)/b.sqlite", access: .create)
      }
      #expect(journal?.code == .exists)
      let missing = #expect(throws: SQLiteError.self) {
        _ = try SQLiteConnection(path: "\(folder)/none/x.sqlite", access: .create)
      }
      #expect(missing?.code == .cantOpen)
    }
  }

  @Test func `reading a WAL store quietly sees its log and leaves every byte`() throws {
    try TemporaryFolder.with { folder in
      let path = try makeHotStore(in: folder)
      let before = try contents(of: folder)
      #expect(before.keys.contains("store.sqlite-wal"))
      do {
        let connection = try SQLiteConnection(path: path, access: .quiescent)
        #expect(try connection.integer("SELECT COUNT(*) FROM T") == 3)
        #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM T") }
        let copy = try SQLiteConnection(path: "\(folder)/copy.sqlite", access: .create)
        try connection.backup(to: copy, pagesPerStep: 1)
        #expect(try copy.integer("SELECT COUNT(*) FROM T") == 3)
      }
      try FileSystem.remove("\(folder)/copy.sqlite")
      try FileSystem.remove("\(folder)/copy.sqlite-wal")
      try FileSystem.remove("\(folder)/copy.sqlite-shm")
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `reading a folded WAL store quietly makes no log`() throws {
    try TemporaryFolder.with { folder in
      let path = try makeHotStore(in: folder)
      do {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        #expect(try connection.checkpointTruncating() == 0)
      }
      let before = try contents(of: folder)
      #expect(Set(before.keys) == ["store.sqlite"])
      do {
        let connection = try SQLiteConnection(path: path, access: .quiescent)
        #expect(try connection.integer("SELECT COUNT(*) FROM T") == 3)
        #expect(try contents(of: folder) == before)
      }
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a backup can be stopped and then leaves its destination empty`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a.sqlite"
      try makeDatabase(path, rows: 5000)
      let source = try SQLiteConnection(path: path, access: .readOnly)
      let destination = try SQLiteConnection(path: "\(folder)/b.sqlite", access: .create)
      var steps: [SQLiteBackupProgress] = []
      let error = #expect(throws: SQLiteError.self) {
        try source.backup(to: destination, pagesPerStep: 2) {
          steps.append($0)
          return steps.count < 3
        }
      }
      #expect(error?.code == .interrupted)
      #expect(steps.count == 3 && steps[2].remainingPages < steps[1].remainingPages)
      #expect(try destination.integer("SELECT COUNT(*) FROM sqlite_schema") == 0)
      try source.backup(to: destination)
      #expect(try destination.integer("SELECT COUNT(*) FROM T") == 5000)
    }
  }

  @Test func `a lock held elsewhere is busy at once`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a.sqlite"
      try makeDatabase(path)
      let holder = try SQLiteConnection(path: path, access: .readWrite)
      let other = try SQLiteConnection(path: path, access: .readWrite)
      try holder.execute("BEGIN EXCLUSIVE")
      let error = #expect(throws: SQLiteError.self) { try other.integer("SELECT 1 FROM T") }
      #expect(error?.code == .busy)
      #expect(error?.message.contains(path) == true)
    }
  }
}

/// Makes a database of one table `T` with this many rows.
func makeDatabase(_ path: String, rows: Int = 3) throws {
  let connection = try SQLiteConnection(path: path, access: .create)
  try connection.execute("CREATE TABLE T (A)")
  try connection.transaction {
    for row in 0..<rows {
      try connection.execute("INSERT INTO T VALUES (?)", [.integer(Int64(row))])
    }
  }
}

/// Makes `store.sqlite` in WAL mode whose rows are in its `-wal` alone, as a killed app leaves it.
func makeHotStore(in folder: String) throws -> String {
  let path = "\(folder)/store.sqlite"
  let live = "\(folder)/live.sqlite"
  let connection = try SQLiteConnection(path: live, access: .create)
  try connection.setJournalMode(.wal)
  try connection.execute("CREATE TABLE T (A)")
  try connection.checkpointTruncating()
  try connection.execute("INSERT INTO T VALUES (1), (2), (3)")
  for suffix in ["", "-wal", "-shm"] {
    let bytes = try #require(TemporaryFolder.bytes(of: live + suffix))
    try TemporaryFolder.write(bytes, to: path + suffix)
  }
  try connection.setJournalMode(.delete)
  try FileSystem.remove(live)
  return path
}

/// The bytes of every file in a folder, by name.
func contents(of folder: String) throws -> [String: [UInt8]] {
  var result: [String: [UInt8]] = [:]
  for name in try FileSystem.names(inFolder: folder) {
    result[name] = TemporaryFolder.bytes(of: "\(folder)/\(name)")
  }
  return result
}
