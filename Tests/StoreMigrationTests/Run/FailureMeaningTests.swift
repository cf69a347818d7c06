import Files
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

@Suite struct `What a run's failures mean` {
  private func meaning(
    _ code: SQLiteError.Code,
    _ files: [String] = ["/a/S.sqlite"]
  ) -> MigrationError {
    var error = SQLiteError(code: code, message: "message")
    error.files = files
    return MigrationError(error, during: "a hop")
  }

  @Test(arguments: [SQLiteError.Code.ioError, .full, .noMemory, .cantOpen, .readOnly])
  func `what the system refuses keeps the run`(code: SQLiteError.Code) {  // F7, F8, F9
    let error = meaning(code)
    #expect(error.code == .inputOutput)
    #expect(!error.wouldComeAgain)
  }

  @Test func `damage is the store's, or of what the run itself wrote`() {  // F7, F12
    #expect(meaning(.corrupt).code == .damaged)
    #expect(
      meaning(.corrupt, ["/a/S.sqlite", "/a/S.sqlite.waystone/hop-1.sqlite"]).code == .damaged
    )
    let own = meaning(.corrupt, ["/a/S.sqlite.waystone/hop-1.sqlite"])
    #expect(own.code == .failed)
    #expect(own.recovery.contains("The original is intact"))
    for error in [meaning(.corrupt), own] { #expect(!error.recovery.contains("report")) }
  }

  @Test func `a store that another process has migrated meanwhile needs nothing`() throws {  // F10
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let loser = try Journey.migrator()
    _ = try Journey.migrator().migrate(store)
    let names = TemporaryFolder.names(in: store + ".waystone")
    let error = #expect(throws: MigrationError.self) { try loser.migrate(store) }
    #expect(error?.code == .nothingToDo, "\(error?.message ?? "")")
    #expect(TemporaryFolder.names(in: store + ".waystone") == names)
    #expect(try Journey.content(store).version == "v5")
  }

  @Test func `a store that another process brought elsewhere is in use`() throws {  // F10
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    _ = try StoreMigrator(plan: Journey.plan(to: "v3"), options: MigrationOptions()).migrate(store)
    let error = #expect(throws: MigrationError.self) { try Journey.migrator().migrate(store) }
    #expect(error?.code == .inUse, "\(error?.message ?? "")")
  }
}
