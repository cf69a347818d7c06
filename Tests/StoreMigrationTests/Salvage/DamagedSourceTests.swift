import Files
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Stores whose own file is damaged: nothing is made of what cannot be read, and what can is told.
@Suite struct DamagedSourceTests {
  /// A store of letters on many pages.
  private static func makeStore(_ path: String) throws {
    try Journey.makeStore(path, rows: 2400)
    let connection = try SQLiteConnection(path: path, access: .readWrite)
    try connection.setJournalMode(.delete)
  }

  /// Erases leaves of the letters' table.
  private static func damageTable(_ path: String, leaves chosen: (Int) -> [Int]) throws {
    var pages = try PageSurgery(path)
    let leaves = pages.leaves(below: try PageSurgery.root(of: "ZLETTER", in: path))
    try #require(leaves.count > 6)
    for index in chosen(leaves.count) { pages.erase(leaves[index]) }
    try pages.save()
  }

  /// The keys of letters that can be read, each looked up by itself.
  private static func readableKeys(_ path: String) throws -> Set<Int64> {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    return Set(
      (Int64(1)...2400).filter { key in
        let title = "SELECT Z_PK FROM ZLETTER WHERE Z_PK = \(key) AND length(ZTITLE) IS NOT -1"
        return (try? connection.integer(title)) == key
      }
    )
  }

  static let damages: [@Sendable (Int) -> [Int]] = [
    { [$0 / 2] }, { _ in [0] }, { [$0 - 1] }, { [1, $0 / 2, $0 - 2] }, { [0, $0 - 1] },
  ]

  @Test(arguments: 0..<5)
  func `rows around the damage are read once each`(damage: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try Self.makeStore(path)
      let all = try Self.readableKeys(path)
      try Self.damageTable(path, leaves: Self.damages[damage])
      let expected = try Self.readableKeys(path)
      #expect(expected.count < all.count && expected.count > all.count / 2)
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      var table = DamagedTable(name: "ZLETTER", columns: ["ZTITLE"], number: "rowid")
      var read: [Int64] = []
      let reading = try table.read(on: connection) { read.append($0.int64(0)) }
      #expect(read.count == Set(read).count && Set(read) == expected)
      #expect(reading.rows == Int64(expected.count))
      for key in all {
        let isInGap = reading.gaps.contains { $0.after ?? .min < key && key < $0.before ?? .max }
        #expect(isInGap != expected.contains(key), "\(key): \(reading.gaps)")
      }
    }
  }

  @Test(arguments: [VerificationLevel.none, .standard, .full], [false, true])
  func `a damaged store is refused before anything is written and says what can be read`(
    level: VerificationLevel,
    isInPlace: Bool
  ) throws {  // F4
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try Self.makeStore(path)
      try Self.damageTable(path) { [$0 / 2] }
      let bytes = TemporaryFolder.bytes(of: path)
      let rows = try Self.readableKeys(path).count
      var options = MigrationOptions()
      options.output = isInPlace ? nil : folder + "/output.sqlite"
      options.settings.verification = level
      let migrator = StoreMigrator(plan: try Journey.plan(), options: options)
      let error = #expect(throws: StoreAccessError.self) { try migrator.migrate(path) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("ZLETTER: \(rows) rows can be read") == true, "\(error!)")
      #expect(error?.message.contains("tables can be read to the end, with") == true)
      #expect(error?.recovery.contains("--accept-damaged-source") == true)
      #expect(TemporaryFolder.bytes(of: path) == bytes)
      #expect(TemporaryFolder.names(in: folder) == ["store.sqlite"])
    }
  }

  @Test func `what can be read is migrated into a file of its own with an account`() throws {  // F4
    try TemporaryFolder.with { folder in
      let (path, output) = (folder + "/store.sqlite", folder + "/output.sqlite")
      try Self.makeStore(path)
      try Self.damageTable(path) { [1, $0 / 2] }
      let bytes = TemporaryFolder.bytes(of: path)
      let expected = try Self.readableKeys(path)
      var options = MigrationOptions()
      options.output = output
      options.settings.acceptsDamagedSource = true
      let outcome = try StoreMigrator(plan: Journey.plan(), options: options).migrate(path)
      let account = try #require(outcome.salvage)
      #expect(!account.isWhole && !account.faults.isEmpty)
      let letters = try #require(account.tables.first { $0.name == "ZLETTER" })
      #expect(letters.rows == Int64(expected.count) && letters.entities == ["Letter": letters.rows])
      #expect(!letters.gaps.isEmpty)
      #expect(account.tables.filter { !$0.isWhole }.map(\.name) == ["ZLETTER"])
      // Links to the letters that are gone are counted, as plain SQL counts them in the result.
      let links = try #require(account.danglingLinks)
      #expect(!links.isEmpty && links.allSatisfy { $0.count > 0 })
      let enclosures = try SQLiteConnection(path: output, access: .quiescent).integer(
        "SELECT COUNT(*) FROM ZENCLOSURE WHERE ZLETTER NOT IN (SELECT Z_PK FROM ZLETTER)"
      )
      #expect(links.first { $0.entity == "Enclosure" }?.count == enclosures)
      #expect(account.lines.contains { $0.contains("to rows that are not there") })
      #expect(try Self.readableKeys(output) == expected)
      #expect(try Journey.content(output).version == "v5")
      #expect(TemporaryFolder.bytes(of: path) == bytes)
      #expect(TemporaryFolder.names(in: folder) == ["output.sqlite", "store.sqlite"])
    }
  }

  @Test func `a run of what can be read goes on after a stop and keeps its account`() throws {
    try TemporaryFolder.with { folder in
      let (path, output) = (folder + "/store.sqlite", folder + "/output.sqlite")
      try Self.makeStore(path)
      try Self.damageTable(path) { [$0 / 2] }
      var options = MigrationOptions()
      options.output = output
      options.settings.acceptsDamagedSource = true
      let cancellation = options.cancellation
      options.onEvent = {
        if case .recorded(let record) = $0, record.event == .hop { cancellation.request() }
      }
      let plan = try Journey.plan()
      #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(path)
      }
      let outcome = try StoreMigrator(plan: plan, options: MigrationOptions()).resume(output)
      #expect(outcome.salvage?.tables.contains { $0.name == "ZLETTER" && !$0.isWhole } == true)
      #expect(try Self.readableKeys(output) == Self.readableKeys(path))
    }
  }

  @Test func `a whole store is no salvage though damage is accepted`() throws {
    try TemporaryFolder.with { folder in
      let (path, output) = (folder + "/store.sqlite", folder + "/output.sqlite")
      try Self.makeStore(path)
      var options = MigrationOptions()
      options.output = output
      options.settings.acceptsDamagedSource = true
      #expect(
        try StoreMigrator(plan: Journey.plan(), options: options).migrate(path).salvage == nil
      )
      options.output = nil
      let error = #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: Journey.plan(), options: options).migrate(path)
      }
      #expect(error?.code == .refused)
    }
  }

  // MARK: Indexes

  /// Makes the entries of an index stand in another order.
  private static func damageIndex(_ path: String, _ name: String) throws {
    var pages = try PageSurgery(path)
    let leaf = try #require(pages.leaves(below: try PageSurgery.root(of: name, in: path)).first)
    pages.swapCells(leaf, 0, pages.cellCount(leaf) - 1)
    try pages.save()
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    #expect(try connection.faults().isEmpty && !connection.faults(isFull: true).isEmpty)
  }

  /// The indexes that have more than one entry on their first leaf.
  private static func indexes(_ path: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index'")
      .compactMap { $0[0].text }
    let pages = try PageSurgery(path)
    return try names.filter { name in
      let leaf = try #require(pages.leaves(below: try PageSurgery.root(of: name, in: path)).first)
      return pages.cellCount(leaf) > 1
    }
  }

  /// To v2 the working copy is altered and keeps its indexes; to v5 it is built anew on the way.
  @Test(arguments: ["v2", "v5"], [false, true])
  func `a damaged index spreads into no result`(version: String, isInPlace: Bool) throws {  // F4
    try TemporaryFolder.with { folder in
      let sound = folder + "/sound.sqlite"
      try Self.makeStore(sound)
      var options = MigrationOptions()
      options.output = folder + "/expected.sqlite"
      let plan = try Journey.plan(to: version)
      _ = try StoreMigrator(plan: plan, options: options).migrate(sound)
      let expected = try Journey.content(folder + "/expected.sqlite")
      let indexes = try Self.indexes(sound)
      #expect(indexes.count > 3)
      for (number, name) in indexes.enumerated() {
        let path = "\(folder)/\(number).sqlite"
        try FileSystem.copy(sound, toNewFile: path)
        try Self.damageIndex(path, name)
        let result = isInPlace ? path : "\(folder)/\(number)-result.sqlite"
        options.output = isInPlace ? nil : result
        let outcome = try StoreMigrator(plan: plan, options: options).migrate(path)
        // Which holds it against SQLite's integrity check.
        #expect(try Journey.content(result) == expected, "\(name)")
        #expect(
          version != "v2"
            || outcome.notes.contains { $0.contains("the index \(name) was damaged") },
          "\(name): \(outcome.notes)"
        )
      }
    }
  }

  /// The index of Z_1RECEIVED, the join table, keeps what the table lost.
  @Test(arguments: ["v2", "v5"])
  func `an index with entries of no row is a damaged store`(version: String) throws {
    try TemporaryFolder.with { folder in
      let (sound, path) = (folder + "/sound.sqlite", folder + "/store.sqlite")
      try Journey.makeStore(sound)
      do {
        let connection = try SQLiteConnection(path: sound, access: .readWrite)
        try connection.setJournalMode(.delete)
      }
      try FileSystem.copy(sound, toNewFile: path)
      try SketchedStore.damage(path, "DELETE FROM Z_1RECEIVED WHERE rowid % 5 = 0")
      let name = "Z_1RECEIVED_Z_5RECEIVED_INDEX"
      var pages = try PageSurgery(path)
      let root = try PageSurgery.root(of: name, in: path)
      pages.take([root], from: try PageSurgery(sound))
      try pages.save()
      var options = MigrationOptions()
      options.output = folder + "/result.sqlite"
      let plan = try Journey.plan(to: version)
      for level in [VerificationLevel.none, .standard] {
        options.settings.verification = level
        let refusal = #expect(throws: MigrationError.self) {
          try StoreMigrator(plan: plan, options: options).migrate(path)
        }
        #expect(refusal?.code == .damaged && refusal?.message.contains(name) == true)
      }
      #expect(TemporaryFolder.bytes(of: folder + "/result.sqlite") == nil)
      let checker = try StorePreconditionChecker(reading: path, model: plan.source.model)
      checker.read()
      let foretold = #expect(throws: StoreAccessError.self) { try checker.checkUnchanged() }
      #expect(foretold?.message.contains(name) == true)
      options.settings.acceptsDamagedSource = true
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(path)
      #expect(outcome.notes.contains { $0.contains("of its entries were of no row") })
    }
  }

  // MARK: Tables whose statement only mentions WITHOUT

  /// A store with a table of the app's own, of which a column's name begins with "without".
  private static func makeMenu(_ path: String, rows: Int) throws {
    try makeStore(path)
    try AppDatabase.run(
      path,
      "CREATE TABLE menu (withoutSugar TEXT); CREATE INDEX menu_sugar ON menu (withoutSugar); "
        + "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) "
        + "INSERT INTO menu SELECT printf('%0200d', i) FROM n"
    )
  }

  @Test func `entries without a row are a loss though a column is called without`() throws {
    try TemporaryFolder.with { folder in
      let (sound, path) = (folder + "/sound.sqlite", folder + "/store.sqlite")
      try Self.makeMenu(sound, rows: 10)
      try FileSystem.copy(sound, toNewFile: path)
      try SketchedStore.damage(path, "DELETE FROM menu WHERE rowid % 5 = 0")
      var pages = try PageSurgery(path)
      pages.take([try PageSurgery.root(of: "menu_sugar", in: path)], from: try PageSurgery(sound))
      try pages.save()
      let migrator = StoreMigrator(plan: try Journey.plan(to: "v2"), options: MigrationOptions())
      let refusal = #expect(throws: MigrationError.self) { try migrator.migrate(path) }
      #expect(refusal?.code == .damaged)
      #expect(refusal?.message.contains("menu_sugar has 2 entries that no row of menu has") == true)
    }
  }

  @Test func `rows behind the damage are read though a column is called without`() throws {
    try TemporaryFolder.with { folder in
      let (path, output) = (folder + "/store.sqlite", folder + "/output.sqlite")
      try Self.makeMenu(path, rows: 400)
      var pages = try PageSurgery(path)
      let leaves = pages.leaves(below: try PageSurgery.root(of: "menu", in: path))
      try #require(leaves.count > 6)
      pages.erase(leaves[2])
      try pages.save()
      var options = MigrationOptions()
      options.output = output
      options.settings.acceptsDamagedSource = true
      let outcome = try StoreMigrator(plan: Journey.plan(), options: options).migrate(path)
      let menu = try #require(outcome.salvage?.tables.first { $0.name == "menu" })
      let gap = try #require(menu.gaps.first)
      let (after, before) = try (#require(gap.after), #require(gap.before))
      #expect(menu.gaps.count == 1 && menu.rows == 400 - (before - after - 1))
      // Each row keeps its number.
      let result = try SQLiteConnection(path: output, access: .quiescent)
      #expect(
        try result.integer("SELECT COUNT(*) FROM menu WHERE CAST(withoutSugar AS INTEGER) = rowid")
          == menu.rows
      )
    }
  }

  // MARK: Indexes that cannot be compared

  /// The indexes that entries of lost rows are not asked of: partial, collated, unreadable.
  @Test(arguments: [
    ("(ZTITLE) WHERE ZTITLE > ''", false), ("(ZTITLE COLLATE NOCASE)", false), ("(ZTITLE)", true),
  ])
  func `a wrong index whose entries cannot be compared is a damaged store`(
    columns: String,
    isUnreadable: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try Self.makeStore(path)
      try AppDatabase.run(path, "CREATE INDEX apps_own ON ZLETTER \(columns)")
      if isUnreadable {
        var pages = try PageSurgery(path)
        let root = try PageSurgery.root(of: "apps_own", in: path)
        pages.breakRecord(try #require(pages.leaves(below: root).first), 1)
        try pages.save()
      } else {
        try Self.damageIndex(path, "apps_own")
      }
      let bytes = TemporaryFolder.bytes(of: path)
      var options = MigrationOptions()
      let plan = try Journey.plan(to: "v2")
      let refusal = #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(path)
      }
      #expect(refusal?.code == .damaged)
      #expect(refusal?.message.contains("Whether that table lost rows is unknown") == true)
      #expect(TemporaryFolder.bytes(of: path) == bytes)
      options.output = folder + "/result.sqlite"
      options.settings.acceptsDamagedSource = true
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(path)
      #expect(outcome.notes.contains { $0.contains("entries of lost rows cannot be told") })
    }
  }

  @Test func `a table is not called whole whose pages name fewer rows than they have`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try Self.makeStore(path)
      let all = try Self.readableKeys(path)
      var pages = try PageSurgery(path)
      let leaves = pages.leaves(below: try PageSurgery.root(of: "ZLETTER", in: path))
      // The second and the third cell are named where the first is: their rows are no more.
      pages.copyCellPointer(of: leaves[3], from: 0, to: [1, 2])
      try pages.save()
      var options = MigrationOptions()
      options.output = folder + "/output.sqlite"
      options.settings.acceptsDamagedSource = true
      let outcome = try StoreMigrator(plan: Journey.plan(), options: options).migrate(path)
      let account = try #require(outcome.salvage)
      let letters = try #require(account.tables.first { $0.name == "ZLETTER" })
      #expect(letters.rows < Int64(all.count))
      #expect(letters.hasDamagedPages && !letters.isWhole && !account.isWhole)
      #expect(account.tables.filter { !$0.isWhole }.map(\.name) == ["ZLETTER"])
      #expect(!account.hasStrayPages)
    }
  }
}
