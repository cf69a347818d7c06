import MigrationTestSupport
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Whether a run may run SQL that a mapping brings along.
@Suite struct `SQL that a run is allowed` {
  @Test func `is asked for before anything is opened`() throws {  // C8
    try TemporaryFolder.with { folder in
      var options = try AuthoredJourney.migrator().options
      options.allowedSQL = .none
      let migrator = StoreMigrator(plan: try AuthoredJourney.plan(), options: options)
      let error = #expect(throws: MigrationError.self) {
        _ = try migrator.migrate(folder + "/none.sqlite")
      }
      #expect(error?.code == .refused && error?.recovery.contains("--allow-sql") == true)
      #expect(TemporaryFolder.names(in: folder).isEmpty)
    }
  }

  @Test func `is asked for again when the run is resumed`() throws {  // C8
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store)
      let cancellation = Cancellation()
      var options = try AuthoredJourney.migrator().options
      options.cancellation = cancellation
      options.onEvent = { event in
        if case .recorded(let record) = event, record.hop == 1 { cancellation.request() }
      }
      let plan = try AuthoredJourney.plan()
      let stopped = #expect(throws: MigrationError.self) {
        _ = try StoreMigrator(plan: plan, options: options).migrate(store)
      }
      #expect(stopped?.code == .interrupted)
      var others = try AuthoredJourney.migrator().options
      others.allowedSQL = .none
      let refused = #expect(throws: MigrationError.self) {
        _ = try StoreMigrator(plan: plan, options: others).resume(store)
      }
      #expect(refused?.code == .refused)
      // Nothing is lost by asking: the run goes on where it is allowed.
      let outcome = try AuthoredJourney.migrator().resume(store)
      #expect(outcome.verification.passed && outcome.resumedAfter >= 1)
    }
  }
}
