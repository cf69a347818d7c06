import Files
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct CleaningTests {
  private let folder: ScratchFolder
  private let store: String
  private var workspace: String { store + ".waystone" }

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
  }

  private func migrate(_ from: String, _ to: String) throws {
    let plan = try Journey.plan(from: from, to: to)
    _ = try StoreMigrator(plan: plan, options: MigrationOptions()).migrate(store)
  }

  private func backups() -> [String] { TemporaryFolder.names(in: workspace + "/backup") }

  @Test func `an error says what was being done`() throws {
    let circle = folder.path + "/circle"
    #expect(symlink(circle, circle) == 0)
    func message(_ body: () throws -> Void) -> String {
      #expect(throws: MigrationError.self, performing: body)?.message ?? ""
    }
    #expect(message { _ = try StoreMigrator.clean(circle, isTrial: true) }.contains("cleaning up"))
    #expect(message { _ = try StoreMigrator.runs(of: circle) }.contains("list of runs"))
    #expect(message { try StoreMigrator.rollback(circle) }.contains("rollback"))
  }

  @Test func `what would be removed is told first, and then removed`() throws {
    try migrate("v1", "v3")
    try StoreMigrator.rollback(store)
    try migrate("v1", "v3")
    let content = try Journey.content(store)
    let names = backups()
    #expect(names.count == 3)
    let told = try StoreMigrator.clean(store, isTrial: true)
    #expect(backups() == names)
    #expect(
      told.removed.map(\.kind.rawValue).sorted() == ["backup", "journal", "journal", "replaced"]
    )
    #expect(told.removed.allSatisfy { $0.bytes > 0 && TemporaryFolder.bytes(of: $0.path) != nil })
    #expect(told.kept.isEmpty && told.strangers.isEmpty)
    #expect(try StoreMigrator.clean(store, isTrial: false) == told)
    #expect(TemporaryFolder.names(in: folder.path) == ["store.sqlite"])
    #expect(try Journey.content(store) == content)
    #expect(try StoreMigrator.clean(store, isTrial: false) == WorkspaceCleaning())
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
    #expect(error?.code == .nothingToDo)
  }

  @Test func `the last runs can be kept, and what is young`() throws {
    for (from, to) in [("v1", "v3"), ("v3", "v4"), ("v4", "v5")] { try migrate(from, to) }
    let runs = try StoreMigrator.runs(of: store).runs
    let all = backups()
    let young = CleaningRule(before: runs[0].description.second - 100)
    #expect(try StoreMigrator.clean(store, young, isTrial: false).removed.isEmpty)
    #expect(backups() == all)
    let cleaning = try StoreMigrator.clean(store, CleaningRule(kept: 2), isTrial: false)
    #expect(Set(cleaning.removed.map(\.run)) == [runs[0].description.run])
    #expect(Set(cleaning.kept.map(\.run)) == Set(runs[1...].map(\.description.run)))
    #expect(try StoreMigrator.runs(of: store).runs == Array(runs[1...]))
    // The ways back that stay are whole.
    try StoreMigrator.rollback(store)
    try StoreMigrator.rollback(store, to: runs[1].description.run)
    #expect(try Journey.content(store).version == "v3")
  }

  @Test func `what an unfinished run or rollback needs stays`() async throws {
    try migrate("v1", "v3")
    await #expect(processExitsWith: .signal(SIGKILL)) { [store = store as String] in
      try StoreMigrator.rollback(store, onEvent: KillPoint.killer(at: 1))
    }
    let names = backups()
    let begun = try StoreMigrator.clean(store, isTrial: false)
    #expect(begun.removed.isEmpty && begun.unfinished == .rollback)
    #expect(backups() == names)
    try StoreMigrator.rollback(store)
    let earlier = Set(backups())
    try StoppedRun.stop(store, at: .hop)
    let cleaning = try StoreMigrator.clean(store, isTrial: false)
    #expect(
      cleaning.removed.allSatisfy {
        earlier.contains(FileSystem.name(of: $0.path))
          || $0.kind == .journal
      }
    )
    #expect(cleaning.unfinished == .run)
    let checkpoints = cleaning.kept.filter { $0.kind == .checkpoint }
    #expect(checkpoints.map { FileSystem.name(of: $0.path) } == ["hop-0.sqlite"])
    #expect(checkpoints.allSatisfy { $0.bytes > 0 && $0.run != nil })
    #expect(try Journey.migrator().resume(store).hops == Journey.hops)
    #expect(try StoreMigrator.clean(store, isTrial: true).unfinished == nil)
    #expect(try StoreMigrator.runs(of: store).runs.last?.backupSize != nil)
  }

  @Test func `links and what nobody knows are left alone`() throws {
    try migrate("v1", "v3")
    let victim = folder.path + "/victim"
    try TemporaryFolder.write([1], to: victim)
    let link = workspace + "/backup/1700000000-0123abcd-1f-store.sqlite"
    #expect(symlink(victim, link) == 0)
    try TemporaryFolder.write([2], to: workspace + "/backup/mine.txt")
    let cleaning = try StoreMigrator.clean(store, isTrial: false)
    #expect(
      cleaning.strangers.map { FileSystem.name(of: $0) }.sorted()
        == ["1700000000-0123abcd-1f-store.sqlite", "mine.txt"]
    )
    #expect(backups() == ["1700000000-0123abcd-1f-store.sqlite", "mine.txt"])
    #expect(TemporaryFolder.bytes(of: victim) == [1])
  }

  // F12
  @Test func `a workspace that a run left at its very end is taken away`() throws {
    let output = folder.path + "/output.sqlite"
    _ = try Journey.migrator(output: output).migrate(store)
    for body in [
      { _ = try StoreMigrator.clean(output, isTrial: false) },
      { StoreMigrator.removeIdleWorkspace(of: output) },
      {
        #expect(throws: MigrationError.self) {
          _ = try Journey.migrator(output: output).migrate(store)
        }
      },
    ] as [() throws -> Void] {
      try FileSystem.createFolder(output + ".waystone")
      try TemporaryFolder.write([], to: output + ".waystone/lease")
      try body()
      #expect(TemporaryFolder.names(in: folder.path) == ["output.sqlite", "store.sqlite"])
    }
  }
}
