import Files
import MigrationTestSupport
import PropertyLists
import StoreAccess
import Testing

@Suite struct `Hostile stores` {
  /// A change of a good store, and its refusal.
  enum Damage: CaseIterable {
    case missing, folder, zeroBytes, shortHeader, text, pageSize, cutOff, noMetadata, noRow,
      nullList, noList, listOfHashes, shortHash, noHashes, namelessEntity, noPrimaryKeys

    var code: StoreAccessError.Code {
      switch self {
      case .missing: .missing
      case .folder, .zeroBytes, .text, .noMetadata: .notAStore
      case .nullList: .nullMetadata
      default: .damaged
      }
    }

    func apply(to path: String) throws {
      let list: PropertyList? =
        switch self {
        case .listOfHashes: .array([])
        case .shortHash: .dictionary(["NSStoreModelVersionHashes": .dictionary(["A": .data([1])])])
        case .noHashes: .dictionary(["NSStoreType": .string("SQLite")])
        default: nil
        }
      let bytes = TemporaryFolder.bytes(of: path) ?? []
      let replaced: [UInt8]? =
        switch self {
        case .zeroBytes: []
        case .shortHeader: Array(bytes.prefix(50))
        case .text: Array("SQLite is not a text format".utf8)
        case .pageSize: Array(bytes.prefix(16)) + [3, 3] + Array(bytes.dropFirst(18))
        case .cutOff: Array(bytes.prefix(5000))
        default: nil
        }
      let sql: String? =
        switch self {
        case .noMetadata: "DROP TABLE Z_METADATA"
        case .noRow: "DELETE FROM Z_METADATA"
        case .nullList: "UPDATE Z_METADATA SET Z_PLIST = NULL"
        case .noList: "UPDATE Z_METADATA SET Z_PLIST = x'00'"
        case .namelessEntity: "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL"
        case .noPrimaryKeys: "DROP TABLE Z_PRIMARYKEY"
        default: nil
        }
      if self == .missing || self == .folder { try FileSystem.remove(path) }
      if self == .folder { try FileSystem.createFolder(path) }
      if let replaced { try TemporaryFolder.write(replaced, to: path) }
      if let sql { try AppDatabase(path).execute(sql) }
      if let list {
        try AppDatabase(path)
          .execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(list.binary)])
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `damage is named and nothing is changed`(damage: Damage) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Notes.sqlite"
      try StoreSketch.make(path)
      try damage.apply(to: path)
      let before = try contents(of: folder)
      let error = #expect(throws: StoreAccessError.self) { _ = try PersistentStore(reading: path) }
      #expect(error?.code == damage.code)
      #expect(error?.message.contains(path) == true)
      #expect(error?.recovery.isEmpty == false)
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a log that was left behind is missed`() throws {
    try TemporaryFolder.with { folder in
      let live = "\(folder)/live.sqlite"
      let path = "\(folder)/Notes.sqlite"
      let app = try SQLiteConnection(path: live, access: .create)
      try app.setJournalMode(.wal)
      try StoreSketch.fill(app)
      for suffix in ["", "-shm"] {
        try FileSystem.copy(live + suffix, toNewFile: path + suffix)
      }
      let error = #expect(throws: StoreAccessError.self) { _ = try PersistentStore(reading: path) }
      #expect(error?.code == .notAStore)
      #expect(error?.message.contains("-wal") == true)
      #expect(error?.recovery.contains("Notes.sqlite-wal") == true)
      try app.checkpointTruncating()
      try FileSystem.remove(path)
      try FileSystem.copy(live, toNewFile: path)
      let store = try PersistentStore(reading: path)
      #expect(try store.mayLackWriteAheadLog == true)
    }
  }

  @Test func `random damage never traps and never changes the file`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of random damage: \(seed)")
    var random = SplitMix(state: seed)
    try TemporaryFolder.with { folder in
      let original = "\(folder)/original.sqlite"
      try StoreSketch.make(original, rows: 50)
      let bytes = try #require(TemporaryFolder.bytes(of: original))
      for round in 0..<150 {
        let path = "\(folder)/\(round).sqlite"
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          damaged[Int.random(in: damaged.indices, using: &random)] =
            UInt8.random(in: 0...255, using: &random)
        }
        if round % 5 == 0 {
          damaged = Array(damaged.prefix(Int.random(in: 0...bytes.count, using: &random)))
        }
        try TemporaryFolder.write(damaged, to: path)
        do throws(StoreAccessError) {
          let store = try PersistentStore(reading: path)
          #expect(store.metadata.versionHashes.count == 1, "seed \(seed), round \(round)")
        } catch {
          #expect(error.message.isEmpty == false)
        }
        #expect(TemporaryFolder.bytes(of: path) == damaged, "seed \(seed), round \(round)")
      }
      #expect(try FileSystem.names(inFolder: folder).count == 151)
    }
  }
}

/// A small generator whose numbers a seed repeats.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
