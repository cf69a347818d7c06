import MigrationTestSupport
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Whether a run that is resumed is verified, whatever its journal says.
@Suite struct `Verification of a resumed run` {
  private func options(
    _ level: VerificationLevel,
    stoppingAt hop: Int? = nil
  ) throws -> MigrationOptions {
    var options = try AuthoredJourney.migrator().options
    options.settings.verification = level
    let cancellation = Cancellation()
    options.cancellation = cancellation
    options.onEvent = { event in
      if case .recorded(let record) = event, record.event == .hop, record.hop == hop {
        cancellation.request()
      }
    }
    return options
  }

  /// Lends the body a store whose run, without verification, stopped after a hop.
  private func with(
    stoppedAfter hop: Int,
    _ body: (_ store: String, _ resume: (MigrationOptions) throws -> MigrationOutcome) throws
      -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store)
      let plan = try AuthoredJourney.plan()
      let first = try options(.none, stoppingAt: hop)
      let stopped = #expect(throws: MigrationError.self) {
        _ = try StoreMigrator(plan: plan, options: first).migrate(store)
      }
      #expect(stopped?.code == .interrupted)
      try body(store) { try StoreMigrator(plan: plan, options: $0).resume(store) }
    }
  }

  @Test func `is done although the journal says none`() throws {
    try with(stoppedAfter: 1) { _, resume in
      let outcome = try resume(options(.standard))
      #expect(outcome.verificationLevel == .standard)
      #expect(!outcome.verification.checks.isEmpty && outcome.verification.passed)
      #expect(!outcome.notes.contains { $0.contains("not verified") })
    }
  }

  @Test func `finds what was done to a checkpoint whose journal says none`() throws {
    try with(stoppedAfter: 1) { store, resume in
      var options = try options(.standard)
      let workspace = Workspace(destination: store).folder
      options.onEvent = { event in
        guard case .recorded(let record) = event, record.event == .hop, record.hop == 5,
          let file = record.file
        else { return }
        do {
          try AppDatabase("\(workspace)/\(file)").execute("DELETE FROM ZTAG WHERE Z_PK = 1")
        } catch { Issue.record(error) }
      }
      let error = #expect(throws: MigrationError.self) { _ = try resume(options) }
      #expect(error?.code == .verificationFailed, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func `is left out where that is said again, and the outcome says so`() throws {
    try with(stoppedAfter: 1) { _, resume in
      let outcome = try resume(options(.none))
      #expect(outcome.verificationLevel == .none)
      #expect(outcome.verification.checks.isEmpty)
      #expect(outcome.notes.contains { $0.contains("not verified") }, "\(outcome.notes)")
    }
  }

  @Test func `is refused where an authored hop was not verified and is past`() throws {
    try with(stoppedAfter: 2) { _, resume in
      let (standard, none) = (try options(.standard), try options(.none))
      let error = #expect(throws: MigrationError.self) { _ = try resume(standard) }
      #expect(error?.code == .mismatch)
      #expect(error?.message.contains("from v2 to v3 was not verified") == true)
      // Nothing is lost: the run goes on where that is accepted.
      let outcome = try resume(none)
      #expect(outcome.hops == AuthoredJourney.hops)
    }
  }

  @Test func `is full where the run began so`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store)
      let plan = try AuthoredJourney.plan()
      let first = try options(.full, stoppingAt: 1)
      #expect(throws: MigrationError.self) {
        _ = try StoreMigrator(plan: plan, options: first).migrate(store)
      }
      for level in [VerificationLevel.none, .standard] {
        var again = try options(level)
        if level == .none {
          let cancellation = again.cancellation
          again.onEvent = {
            if case .recorded(let record) = $0, record.hop == 2 { cancellation.request() }
          }
        }
        let migrator = StoreMigrator(plan: plan, options: again)
        if level == .none {
          #expect(throws: MigrationError.self) { _ = try migrator.resume(store) }
        } else {
          #expect(try migrator.resume(store).verificationLevel == .full)
        }
      }
    }
  }
}
