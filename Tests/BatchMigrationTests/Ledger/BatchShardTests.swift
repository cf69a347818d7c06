import BatchMigration
import MigrationTestSupport
import Testing

/// Parts of the stores of a batch, each with a ledger of its own.
@Suite struct BatchShardTests {
  @Test(arguments: [1, 2, 4, 7])
  func `the parts of a batch share all stores among them`(_ count: Int) throws {
    let folder = try ScratchFolder()
    var names: [String] = []
    for index in 1...count {
      let ledger = try SampleLedger.make(
        "\(folder.path)/\(index).sqlite",
        count: 300,
        SampleLedger.description(shard: BatchShard(index: index, count: count))
      )
      let stores = try SampleLedger.stores(ledger)
      #expect(stores.count > 300 / count / 2)
      names += stores.map(\.found.name)
    }
    #expect(names.count == 300)
    #expect(Set(names).count == 300)
  }

  @Test func `a part is the same whatever is found first, and however often it is looked for`()
    throws
  {
    let folder = try ScratchFolder()
    let part = SampleLedger.description(shard: BatchShard("2/3"))
    let whole = try SampleLedger.make("\(folder.path)/a.sqlite", count: 90, part)
    let pieces = try SampleLedger.make("\(folder.path)/b.sqlite", count: 0, part)
    for number in (0..<90).reversed() { try pieces.add([SampleLedger.found(number)]) }
    try pieces.add((0..<90).map(SampleLedger.found))
    let names = try SampleLedger.stores(whole).map(\.found.name)
    #expect(try SampleLedger.stores(pieces).map(\.found.name).sorted() == names.sorted())
  }

  @Test func `each oddity of a search is told by one part, and all of them once parts are merged`()
    throws
  {
    let folder = try ScratchFolder()
    var tally = SearchTally()
    tally.oddities = (0..<60).map {
      SearchTally.Oddity(name: "Old/\($0).zip", reason: "It is damaged.")
    }
    let merged = try SampleLedger.make("\(folder.path)/all.sqlite", count: 0)
    var told = 0
    for index in 1...3 {
      let path = "\(folder.path)/\(index).sqlite"
      let part = SampleLedger.description(shard: BatchShard(index: index, count: 3))
      let ledger = try SampleLedger.make(path, count: 0, part)
      try ledger.end(root: "/Old", tally)
      let own = try ledger.totals().oddities
      #expect((5...40).contains(own))
      told += own
      _ = try merged.merge(ledgerAt: path)
    }
    #expect(told == 60)
    #expect(try merged.totals().oddities == 60)
  }

  @Test func `the ledgers of all parts are merged into one of all stores`() throws {
    let folder = try ScratchFolder()
    let merged = try SampleLedger.make("\(folder.path)/all.sqlite", count: 0)
    for index in 1...3 {
      let path = "\(folder.path)/\(index).sqlite"
      let part = SampleLedger.description(shard: BatchShard(index: index, count: 3))
      let ledger = try SampleLedger.make(path, count: 60, part)
      let hold = try ledger.hold(joining: false)
      while try SampleLedger.end(ledger, hold, .migrated) != nil {}
      try ledger.end(hold)
      let report = try merged.merge(ledgerAt: path)
      #expect(report.conflicts.isEmpty)
      #expect(report.added == (try SampleLedger.stores(ledger).count))
    }
    #expect(try merged.totals().states[.migrated]?.stores == 60)
    #expect(try merged.totals().total.stores == 60)
  }

  @Test func `a store that comes later, with the name of another, is of one part`() throws {
    try SearchedFolder.with { folder in
      var ledgers: [String: String] = [:]
      for part in ["1/2", "2/2"] {
        ledgers[part] = "\(folder.path)/\(part.first ?? "0").ledger"
        _ = try BatchLedger(
          creating: ledgers[part] ?? "",
          SampleLedger.description(shard: BatchShard(part))
        )
      }
      func found() throws -> [String] {
        var places: [String] = []
        for path in ledgers.values {
          let ledger = try BatchLedger(opening: path)
          var search = try StoreSearch(folder.options())
          try ledger.stores { search.reserve($0.found) }
          for root in ["p/old", "q/old"] {
            _ = try search.search(root) { try ledger.add([$0]) }
          }
          places += try SampleLedger.stores(ledger).map { "\($0.found.place)" }
        }
        return places
      }
      try folder.folder("p/old")
      for number in 0..<8 { try folder.store("q/old/\(number).sqlite") }
      #expect(try found().count == 8)
      for number in 0..<8 { try folder.store("p/old/\(number).sqlite") }
      let places = try found()
      #expect(places.count == 16)
      #expect(Set(places).count == 16)
    }
  }

  @Test(arguments: ["0/3", "4/3", "a/3", "1", "1/2/3", "", "1/20000", "-1/2"])
  func `a part that there is not is refused`(_ text: String) {
    #expect(BatchShard(text) == nil)
  }
}
