import Files
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct AuthoredRunTests {
  private static let parts = 4

  @Test func `authored and inferred hops make one run`() throws {
    try TemporaryFolder.with { folder in
      let plan = try AuthoredJourney.plan()
      #expect(plan.hops.map(\.kind) == [.inferred, .authored, .inferred, .authored, .inferred])
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store)
      let output = folder + "/output.sqlite"
      let outcome = try AuthoredJourney.migrator(output: output).migrate(store)
      _ = try AuthoredJourney.digest(output)
      let result = try PersistentStore(reading: output)
      #expect(
        try result.connection.rows("SELECT Z_PK, -ZLENGTH FROM ZNOTE ORDER BY 1")
          == result.connection.rows("SELECT Z_PK, Z_PK * 2 + 1 FROM ZNOTE ORDER BY 1")
      )
      #expect(try result.connection.integer("SELECT COUNT(*) FROM ZCATEGORY") == 5)
      #expect(
        try result.connection.integer("SELECT COUNT(*) FROM ZTAG WHERE ZNAME = '30 notes'") == 1
      )
      #expect(
        try result.connection.integer("SELECT COUNT(*) FROM ZNOTE WHERE ZABSTRACT IS ZHEADING")
          == 30
      )
      // Each part is verified by itself, and the report says what could not be compared.
      let names = outcome.verification.checks.map(\.name)
      #expect(names.filter { $0 == "carried-rows" }.count == 4, "\(names)")
      let left = outcome.verification.checks.first { $0.name == "not-compared" }
      #expect(left?.details.contains { $0.message.contains("LengthPolicy") } == true)
      #expect(try !FileSystem.exists(output + ".waystone"))
    }
  }

  @Test func `code that nobody registered is named before anything is done`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store)
      var options = MigrationOptions()
      options.output = folder + "/output.sqlite"
      options.settings.acceptsUnprovenNames = true
      options.allowedSQL = .all
      let plan = try AuthoredJourney.plan()
      let error = #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(store)
      }
      #expect(error?.code == .refused)
      #expect(error?.message.contains("LengthPolicy") == true)
    }
  }

  @Test func `a working copy that changed is none from which an authored hop goes on`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store, version: 1)
      let output = folder + "/output.sqlite"
      var options = MigrationOptions()
      options.output = output
      options.registry = AuthoredJourney.registry
      options.allowedSQL = .all
      options.batchSize = 8
      options.commitInterval = .zero
      options.settings.acceptsUnprovenNames = true
      let cancellation = options.cancellation
      options.onEvent = { if $0 == .passed(.batchWritten) { cancellation.request() } }
      let plan = try AuthoredJourney.plan(from: "v2")
      #expect(plan.hops.first?.kind == .authored)
      #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(store)
      }
      // One letter of one value, as a disk changes it: no counter tells.
      let copy = output + ".waystone/hop-0.sqlite"
      let bytes = try #require(TemporaryFolder.bytes(of: copy))
      let place = try #require(bytes.firstRange(of: Array("category 1".utf8)))
      try OpenFile(writing: copy).write(Array("category 2".utf8), at: Int64(place.lowerBound))
      let error = #expect(throws: MigrationError.self) {
        try AuthoredJourney.migrator().resume(output)
      }
      #expect(error?.code == .mismatch)
      #expect(try !FileSystem.exists(output))
    }
  }

  /// In parts, which run beside each other: part by part every point is tried.
  @Test(arguments: 0..<parts)
  func `a run of authored hops survives a kill at every step`(part: Int) async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try AuthoredJourney.makeStore(store)
    let whole = folder.path + "/whole.sqlite"
    let events = try KillPoint.record { onEvent in
      _ = try AuthoredJourney.migrator(output: whole, onEvent: onEvent).migrate(store)
    }
    let after = try AuthoredJourney.digest(whole)
    var batches = 0
    let points = events.indices.filter { index in
      guard events[index] == .passed(.batchWritten) else {
        return KillPoint.isWanted(events[index], after: Array(events[..<index]))
      }
      batches += 1
      return batches % 6 == 0
    }
    #expect(points.count > Self.parts)
    let own = stride(from: part, to: points.count, by: Self.parts).map { points[$0] }
    for index in own {
      let output = "\(folder.path)/output-\(index).sqlite"
      await #expect(processExitsWith: .signal(SIGKILL), "at \(events[index])") {
        [store = store as String, output = output as String, index = index as Int] in
        _ = try AuthoredJourney.migrator(output: output, onEvent: KillPoint.killer(at: index))
          .migrate(store)
      }
      if try CheckpointJournal(path: output + ".waystone/journal.ndjson").run == nil {
        if try !FileSystem.exists(output) {
          _ = try AuthoredJourney.migrator(output: output).migrate(store)
        }
      } else {
        _ = try AuthoredJourney.migrator().resume(output)
      }
      #expect(try AuthoredJourney.digest(output) == after, "resumed after \(events[index])")
      #expect(try !FileSystem.exists(output + ".waystone"), "at \(events[index])")
    }
    print("killed in authored hops at \(own.count) of \(events.count) events")
  }
}
