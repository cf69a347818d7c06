import Files
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// A store that was migrated several times.
@Suite struct RunByRunTests {
  private let folder: ScratchFolder
  private let store: String
  /// The contents of the store before each run, and after the last.
  private let contents: [Journey.Content]

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    var contents = [try Journey.content(store)]
    for (from, to) in [("v1", "v3"), ("v3", "v4"), ("v4", "v5")] {
      let plan = try Journey.plan(from: from, to: to)
      _ = try StoreMigrator(plan: plan, options: MigrationOptions()).migrate(store)
      contents.append(try Journey.content(store))
    }
    self.contents = contents
  }

  private func runs() throws -> [FinishedRun] { try StoreMigrator.runs(of: store).runs }

  // M5
  @Test func `each run is listed, and the store goes back before any of them`() throws {
    let runs = try runs()
    #expect(runs.map(\.description.from) == ["Letters/v1", "Letters/v3", "Letters/v4"])
    #expect(runs.allSatisfy { $0.isApplied })
    #expect(runs.map(\.description.second) == runs.map(\.description.second).sorted())
    #expect(runs.allSatisfy { $0.backupSize ?? 0 > 0 })
    for (run, content) in zip(runs, contents) {
      #expect(try Journey.content(run.backup) == content)
    }
    let kept = try #require(
      StoreMigrator.rollback(store, to: runs[0].description.run).replaced
    )
    #expect(try Journey.content(store) == contents[0])
    #expect(try Journey.content(kept) == contents[3])
    let left = try self.runs()
    #expect(left.allSatisfy { !$0.isApplied })
    #expect(left.map { $0.backupSize != nil } == [false, true, true])
  }

  // M5
  @Test func `run by run, from the last to the first`() throws {
    let names = try runs().map(\.description.run)
    try StoreMigrator.rollback(store)
    #expect(try Journey.content(store) == contents[2])
    // Once more without a name would undo what nobody asked for.
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
    #expect(error?.code == .nothingToDo)
    #expect(error?.message.contains(names[2]) == true)
    for index in [1, 0] {
      try StoreMigrator.rollback(store, to: names[index])
      #expect(try Journey.content(store) == contents[index])
      #expect(try runs().map(\.isApplied) == (0..<3).map { $0 < index })
    }
    // And forth again.
    let plan = try Journey.plan(from: "v1", to: "v4")
    _ = try StoreMigrator(plan: plan, options: MigrationOptions()).migrate(store)
    #expect(try runs().map(\.isApplied) == [false, false, false, true])
    try StoreMigrator.rollback(store)
    #expect(try Journey.content(store) == contents[0])
  }

  @Test func `what was written between two rollbacks is not lost unasked`() throws {
    let names = try runs().map(\.description.run)
    try StoreMigrator.rollback(store)
    do {
      let app = try SQLiteConnection(path: store, access: .readWrite)
      try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242")
    }
    let written = try Journey.content(store)
    let error = #expect(throws: MigrationError.self) {
      try StoreMigrator.rollback(store, to: names[0])
    }
    #expect(error?.code == .mismatch)
    let kept = try #require(
      StoreMigrator.rollback(store, to: names[0], force: true).replaced
    )
    #expect(try Journey.content(store) == contents[0])
    #expect(try Journey.content(kept) == written)
  }

  @Test func `a run that no journal has is not gone back to`() throws {
    for name in ["1", "", "1700000000-0123abcd-1f", "../../etc"] {
      let error = #expect(throws: MigrationError.self, "\(name)") {
        try StoreMigrator.rollback(store, to: name)
      }
      #expect(error?.code == .nothingToDo)
    }
    #expect(try Journey.content(store) == contents[3])
  }

  @Test func `a later run of which nothing is left takes no way back`() throws {
    let names = try runs().map(\.description.run)
    // As a run leaves it that put the last journal away and then was refused.
    let workspace = Workspace(destination: store)
    try FileSystem.rename(workspace.journal, to: "\(workspace.backups)/\(names[2]).ndjson")
    #expect(try runs().map(\.description.run) == names)
    try StoreMigrator.rollback(store)
    #expect(try Journey.content(store) == contents[2])
    try StoreMigrator.rollback(store, to: names[1])
    #expect(try Journey.content(store) == contents[1])
  }
}
