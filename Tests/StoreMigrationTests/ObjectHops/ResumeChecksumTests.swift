import Files
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// Hops that stop, and go on with files that something else changed meanwhile.
@Suite struct ResumeChecksumTests {
  /// A change of one of the two files.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Whether it is the scratch database that is changed.
    let isOfScratch: Bool
    /// A statement that changes at least one row, once the hop is far enough.
    let sql: String

    init(_ name: String, scratch sql: String) {
      (testDescription, isOfScratch, self.sql) = (name, true, sql)
    }

    init(_ name: String, result sql: String) {
      (testDescription, isOfScratch, self.sql) = (name, false, sql)
    }

    static let all = [
      Change(
        "another destination",
        scratch: "UPDATE association SET destination_key = 1 WHERE mapping = 0 AND source_key = 3"
      ),
      Change(
        "a mapping's objects forgotten",
        scratch: "DELETE FROM association WHERE mapping = 2 AND source_key > 3"
      ),
      Change("another end of a link", scratch: "UPDATE link SET other = owner WHERE rowid = 2"),
      Change("a link forgotten", scratch: "DELETE FROM link WHERE rowid = 2"),
      Change("another key issued", scratch: "UPDATE issued SET greatest = greatest + 5"),
      Change(
        "another position",
        scratch: "UPDATE hop SET last_key = last_key + 7 WHERE last_key > 0"
      ),
      Change("another instant", scratch: "UPDATE policy_start SET seconds = 1"),
      Change("a value", result: "UPDATE ZNOTE SET ZTITLE = 'changed' WHERE Z_PK = 1"),
      Change("a link", result: "UPDATE ZNOTE SET ZTAG = NULL WHERE ZTAG IS NOT NULL"),
      Change("an object removed", result: "DELETE FROM ZTAG WHERE Z_PK = 1"),
    ]
  }

  /// Has the hop begin anew; its seal stays, and is none of the next run's.
  static func remove(_ files: ObjectHop.Files) throws {
    try FileSystem.remove(files.new)
    try FileSystem.remove(files.scratch)
  }

  /// Runs some batches of a hop, or what is left of it where that is less.
  ///
  /// - Returns: Whether it was stopped behind them.
  static func run(_ step: AuthoredStep, batches: Int) throws -> Bool {
    let cancellation = Cancellation()
    var count = 0
    do {
      try step.run(cancellation: cancellation) { event in
        if event == .passed(.batchWritten) { count += 1 }
        if count == batches { cancellation.request() }
      }
      return false
    } catch let error as MigrationError where error.code == .interrupted { return true }
  }

  /// The number of batches that a run of what is left takes.
  static func batches(_ step: AuthoredStep) throws -> Int {
    var batches = 0
    try step.run { if $0 == .passed(.batchWritten) { batches += 1 } }
    return batches
  }

  @Test(arguments: Change.all)
  func `a hop whose files were changed while it stood still begins anew`(_ change: Change) throws {
    try TemporaryFolder.with { folder in
      let step = try ObjectHopResumeTests.step(in: folder)
      try step.makeStore()
      let all = try Self.batches(step)
      let whole = try step.digest()
      try Self.remove(step.files)
      // Until there is such a row.
      var isChanged = false
      while !isChanged {
        try #require(try Self.run(step, batches: 3))
        let database = try AppDatabase(change.isOfScratch ? step.files.scratch : step.files.new)
        try database.execute(change.sql)
        isChanged = database.totalChanges > 0
      }
      #expect(try Self.batches(step) == all)
      #expect(try step.digest() == whole)
    }
  }

  @Test func `whichever bit of the two files is flipped, the result is the same`() throws {
    try TemporaryFolder.with { folder in
      let step = try ObjectHopResumeTests.step(in: folder)
      try step.makeStore()
      let all = try Self.batches(step)
      let whole = try step.digest()
      let seed = UInt64.random(in: 0 ... .max)
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<12 {
        try Self.remove(step.files)
        let batches = Int.random(in: 1..<all, using: &generator)
        try #require(try Self.run(step, batches: batches))
        let path = Bool.random(using: &generator) ? step.files.scratch : step.files.new
        let file = try OpenFile(writing: path)
        let offset = Int64.random(in: 0..<(try file.status().size), using: &generator)
        let byte = try #require(try file.read(count: 1, at: offset).first)
        try file.write([byte ^ 1 << UInt8.random(in: 0..<8, using: &generator)], at: offset)
        _ = try Self.batches(step)
        #expect(try step.digest() == whole, "seed \(seed): byte \(offset) of \(path)")
      }
    }
  }

  @Test func `a seal that is gone or damaged makes the hop begin anew`() throws {
    try TemporaryFolder.with { folder in
      let step = try ObjectHopResumeTests.step(in: folder)
      try step.makeStore()
      let all = try Self.batches(step)
      let whole = try step.digest()
      let seal = step.files.scratch + "-seal"
      for isRemoved in [true, false] {
        try Self.remove(step.files)
        try #require(try Self.run(step, batches: all / 2))
        if isRemoved {
          try FileSystem.remove(seal)
        } else {
          try OpenFile(writing: seal).write([UInt8](repeating: 7, count: 64), at: 0)
        }
        #expect(try Self.batches(step) == all)
        #expect(try step.digest() == whole)
      }
    }
  }
}
