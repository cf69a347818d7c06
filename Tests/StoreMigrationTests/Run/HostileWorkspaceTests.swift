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

/// The files in the workspace of a store before a run begins, and the targets of links in it.
@Suite struct HostileWorkspaceTests {
  private let folder: ScratchFolder
  private let store: String
  private let before: Journey.Content
  private var workspace: String { store + ".waystone" }
  private var victim: String { folder.path + "/victim" }

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    before = try Journey.content(store)
    try FileSystem.createFolder(victim)
    for name in ["file", "hop-0.sqlite", "store.sqlite", "journal.ndjson"] {
      try TemporaryFolder.write([1, 2, 3], to: "\(victim)/\(name)")
    }
  }

  private func expectVictimIntact(_ comment: Comment? = nil) {
    let names = ["file", "hop-0.sqlite", "journal.ndjson", "store.sqlite"]
    #expect(TemporaryFolder.names(in: victim) == names, comment)
    for name in names {
      #expect(TemporaryFolder.bytes(of: "\(victim)/\(name)") == [1, 2, 3], comment)
      #expect((try? FileSystem.status("\(victim)/\(name)"))??.permissions != 0o600, comment)
    }
  }

  private func refusal(
    _ body: (StoreMigrator) throws -> Void
  ) throws -> MigrationError? {
    let migrator = try Journey.migrator()
    return #expect(throws: MigrationError.self) { try body(migrator) }
  }

  // C3
  @Test func `a link that is named like a private copy empties no folder`() throws {
    try FileSystem.createFolder(workspace)
    #expect(symlink(victim, workspace + "/waystone-x") == 0)
    #expect(symlink(victim, workspace + "/waystone-1y2p0ij32e8e7") == 0)
    let told = KillPoint.EventLog()
    let outcome = try Journey.migrator { told.append($0) }.migrate(store)
    #expect(outcome.hops == Journey.hops)
    expectVictimIntact()
    // They are told, and left alone.
    for name in ["waystone-x", "waystone-1y2p0ij32e8e7"] {
      #expect(
        told.events.contains { event in
          if case .noted(let text) = event { text.contains(name) } else { false }
        }
      )
      #expect(try FileSystem.resolved("\(workspace)/\(name)") == FileSystem.resolved(victim))
    }
    try StoreMigrator.rollback(store)
    _ = try StoreMigrator.clean(store, isTrial: false)
    expectVictimIntact()
    #expect(
      TemporaryFolder.names(in: workspace) == ["lease", "waystone-1y2p0ij32e8e7", "waystone-x"]
    )
  }

  // C3
  @Test func `a private copy that a killed reader left goes, and what else lies in it stays`()
    throws
  {
    try FileSystem.createFolder(workspace)
    for name in ["waystone-abc", "waystone-def"] {
      try FileSystem.createFolder("\(workspace)/\(name)")
      try TemporaryFolder.write([1], to: "\(workspace)/\(name)/store.sqlite")
      try TemporaryFolder.write([1], to: "\(workspace)/\(name)/store.sqlite-journal")
    }
    try TemporaryFolder.write([4], to: workspace + "/waystone-def/mine")
    _ = try Journey.migrator().migrate(store)
    #expect(!TemporaryFolder.names(in: workspace).contains("waystone-abc"))
    #expect(TemporaryFolder.names(in: workspace + "/waystone-def") == ["mine"])
    #expect(TemporaryFolder.bytes(of: workspace + "/waystone-def/mine") == [4])
  }

  // C3
  @Test(arguments: ["migrate", "resume", "rollback", "clean"])
  func `a workspace that is a link is refused`(_ verb: String) throws {
    #expect(symlink(victim, workspace) == 0)
    let error = try refusal { migrator in
      switch verb {
      case "migrate": _ = try migrator.migrate(store)
      case "resume": _ = try migrator.resume(store)
      case "rollback": try StoreMigrator.rollback(store)
      default: _ = try StoreMigrator.clean(store, isTrial: false)
      }
    }
    #expect(error?.code == .cannotCreate)
    #expect(error?.message == "\(workspace) is a symbolic link, not a folder.")
    expectVictimIntact("\(verb)")
    #expect(try Journey.content(store) == before)
  }

  // C3 M3
  @Test(arguments: [
    "hop-0.sqlite", "hop-2.sqlite", "hop-0.sqlite-journal", "hop-1-scratch.sqlite", "lease",
    "journal.ndjson", "backup",
  ])
  func `a link in the place of a run's file is refused before anything is copied`(
    _ name: String
  ) throws {
    try FileSystem.createFolder(workspace)
    let target = name == "backup" ? victim : victim + "/file"
    #expect(symlink(target, "\(workspace)/\(name)") == 0)
    let error = try refusal { _ = try $0.migrate(store) }
    #expect(error?.code == .cannotCreate)
    #expect(error?.message.contains("\(workspace)/\(name) is a symbolic link") == true)
    expectVictimIntact()
    #expect(try Journey.content(store) == before)
    #expect(try Journey.isWriteAheadLogged(store))
    #expect(try FileSystem.resolved("\(workspace)/\(name)") == FileSystem.resolved(target))
  }

  // C3
  @Test(arguments: ["lease", "journal.ndjson", "hop-0.sqlite"])
  func `a file with another name is not written to`(_ name: String) throws {
    try FileSystem.createFolder(workspace)
    try FileSystem.link(victim + "/file", to: "\(workspace)/\(name)")
    #expect(try refusal { _ = try $0.migrate(store) }?.code == .cannotCreate)
    expectVictimIntact()
    #expect(try Journey.content(store) == before)
  }

  // M12
  @Test(.timeLimit(.minutes(10)), arguments: ["journal.ndjson", "lease", "hop-0.sqlite"])
  func `a pipe in the place of a run's file stops no command for good`(_ name: String) throws {
    try FileSystem.createFolder(workspace)
    #expect(mkfifo("\(workspace)/\(name)", 0o600) == 0)
    #expect(try refusal { _ = try $0.migrate(store) }?.code == .cannotCreate)
    if name != "hop-0.sqlite" {
      #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
      #expect(throws: MigrationError.self) { try StoreMigrator.clean(store, isTrial: false) }
    }
    if name == "journal.ndjson" {
      #expect(try refusal { _ = try $0.resume(store) }?.code == .cannotCreate)
    }
    #expect(try Journey.content(store) == before)
  }

  // C3
  @Test func `what no run has made stays, whatever its name begins with`() throws {
    try FileSystem.createFolder(workspace)
    let names = [
      "hop-", "hop-0.sqlite.mine", "hop-0.sqlite-mine", "hop-x.sqlite", "hopes.txt", "waystone-",
    ]
    for name in names { try TemporaryFolder.write([5], to: "\(workspace)/\(name)") }
    _ = try Journey.migrator().migrate(store)
    try StoreMigrator.rollback(store)
    _ = try StoreMigrator.clean(store, isTrial: false)
    for name in names {
      #expect(TemporaryFolder.bytes(of: "\(workspace)/\(name)") == [5], "\(name)")
    }
  }

  // C3
  @Test func `a workspace to which others can write is refused`() throws {
    try FileSystem.createFolder(workspace)
    try FileSystem.setPermissions(0o777, of: workspace)
    #expect(try refusal { _ = try $0.migrate(store) }?.code == .cannotCreate)
    try FileSystem.setPermissions(0o700, of: workspace)
    try FileSystem.createFolder(workspace + "/backup")
    try FileSystem.setPermissions(0o722, of: workspace + "/backup")
    #expect(try refusal { _ = try $0.migrate(store) }?.code == .cannotCreate)
    try FileSystem.setPermissions(0o755, of: workspace + "/backup")
    #expect(try Journey.migrator().migrate(store).hops == Journey.hops)
  }
}
