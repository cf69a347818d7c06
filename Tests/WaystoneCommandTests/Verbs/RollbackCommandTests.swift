import Files
import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct RollbackCommandTests {
  /// A folder with a store that was migrated twice.
  private static func with(_ body: (_ folder: String) throws -> Void) throws {
    try RunCommandTests.with { folder, _ in
      for version in ["v2", "v10"] {
        let run = CommandRun("migrate", "B.sqlite", "--to", version, in: folder)
        #expect(run.status == .success, "\(run.errors)")
      }
      try body(folder)
    }
  }

  private static func version(in folder: String) throws -> [String]? {
    try CommandRun("inspect", "B.sqlite", "--format", "json", in: folder).json()["versions"]
      as? [String]
  }

  private func runs(in folder: String) throws -> [[String: Any]] {
    let list = CommandRun("rollback", "B.sqlite", "--list", "--format", "json", in: folder)
    #expect(list.status == .success, "\(list.errors)")
    return try #require(try list.json()["runs"] as? [[String: Any]])
  }

  // M5
  @Test func `runs are listed, and the store goes back before the first`() throws {
    try Self.with { folder in
      let listed = try runs(in: folder)
      #expect(listed.map { $0["to"] as? String } == ["Library/v2", "Library/v10"])
      #expect(listed.map { $0["applied"] as? Bool } == [true, true])
      for run in listed {
        let backup = try #require(run["backup"] as? String)
        let size = try FileSystem.size(of: "\(folder)/\(backup)")
        #expect(run["bytes"] as? Int == size.map { Int($0) })
      }
      let first = try #require(listed[0]["run"] as? String)
      let text = CommandRun("rollback", "B.sqlite", "--list", in: folder)
      #expect(text.output.contains(first) && text.output.contains("applied"))
      let back = CommandRun("rollback", "B.sqlite", "--to", first, "--format", "json", in: folder)
      #expect(back.status == .success, "\(back.errors)")
      let json = try back.json()
      #expect(json["run"] as? String == first)
      #expect(json["version"] as? String == "Library/v1")
      let found = try Self.version(in: folder)
      #expect(found == ["v1"])
      do {
        let left = try runs(in: folder).map { $0["applied"] as? Bool }
        #expect(left == [false, false])
      }
      let list = CommandRun("rollback", "B.sqlite", "--list", in: folder)
      #expect(list.output.contains("put back") && !list.output.contains("gone"), "\(list.output)")
      let again = CommandRun("rollback", "B.sqlite", in: folder)
      #expect(again.status == .answerIsNo)
      #expect(again.errors.contains("--list"))
    }
  }

  // M2
  @Test func `a store that is garbage or gone comes back by force`() throws {
    for bytes in [nil, Array("garbage".utf8)] as [[UInt8]?] {
      try Self.with { folder in
        let store = "\(folder)/B.sqlite"
        try FileSystem.remove(store)
        if let bytes { try TemporaryFolder.write(bytes, to: store) }
        let refused = CommandRun("rollback", "B.sqlite", in: folder)
        #expect(refused.status == .answerIsNo)
        #expect(refused.errors.contains("--force"))
        let forced = CommandRun("rollback", "B.sqlite", "--force", in: folder)
        #expect(forced.status == .success, "\(forced.errors)")
        let found = try Self.version(in: folder)
        #expect(found == ["v2"])
      }
    }
  }

  @Test func `backups are shown, and removed when that is asked for`() throws {
    try Self.with { folder in
      let ended = CommandRun("resume", "B.sqlite", in: folder)
      #expect(ended.output.hasPrefix("Nothing to resume: the last run at B.sqlite has ended."))
      let told = CommandRun("clean", "B.sqlite", in: folder)
      #expect(told.status == .success, "\(told.errors)")
      #expect(told.output.contains("--yes"))
      let json = try CommandRun("clean", "B.sqlite", "--keep", "1", "--format", "json", in: folder)
        .json()
      #expect(json["removed"] as? Bool == false)
      #expect(
        (json["items"] as? [[String: Any]])?.map { $0["kind"] as? String }
          == ["backup", "journal"]
      )
      #expect((json["kept"] as? [[String: Any]])?.count == 2)
      do {
        let left = try runs(in: folder).count
        #expect(left == 2)
      }
      let removed = CommandRun("clean", "B.sqlite", "--keep", "1", "--yes", in: folder)
      #expect(removed.status == .success, "\(removed.errors)")
      do {
        let left = try runs(in: folder).map { $0["to"] as? String }
        #expect(left == ["Library/v10"])
      }
      #expect(CommandRun("clean", "B.sqlite", "--yes", in: folder).status == .success)
      #expect(TemporaryFolder.names(in: folder) == ["B.sqlite", "ModelArchive"])
      let nothing = CommandRun("clean", "B.sqlite", "--yes", in: folder)
      #expect(nothing.output.hasPrefix("Nothing to remove"))
      let back = CommandRun("rollback", "B.sqlite", in: folder)
      #expect(back.errors.contains("`waystone clean --yes` removes backups"), "\(back.errors)")
    }
  }

  @Test(arguments: [
    (["rollback", "No.sqlite"], CommandStatus.missingInput),
    (["clean", "No.sqlite"], .missingInput),
    (["rollback", "B.sqlite", "--list", "--force"], .usage),
    (["rollback", "B.sqlite", "--to", "1"], .answerIsNo),
    (["clean", "B.sqlite", "--keep", "-1"], .usage),
    (["clean", "B.sqlite", "--older-than", "-1"], .usage),
  ])
  func `what cannot be meant changes nothing`(
    arguments: [String],
    status: CommandStatus
  ) throws {
    try Self.with { folder in
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == status, "\(run.errors)")
      let left = try runs(in: folder)
      #expect(left.count == 2)
    }
  }

  // C3 M12
  @Test(.timeLimit(.minutes(10)), arguments: ["migrate", "resume", "rollback", "clean"])
  func `a workspace that is a link, or has a pipe for a journal, is 73`(verb: String) throws {
    try RunCommandTests.with { folder, store in
      let before = TemporaryFolder.bytes(of: store)
      let workspace = store + ".waystone"
      try FileSystem.createFolder("\(folder)/victim")
      try TemporaryFolder.write([1], to: "\(folder)/victim/hop-0.sqlite")
      #expect(symlink("victim", workspace) == 0)
      let linked = CommandRun(verb, "B.sqlite", in: folder)
      #expect(linked.status == .cannotCreate, "\(linked.errors)")
      #expect(linked.errors.contains("symbolic link"))
      #expect(TemporaryFolder.bytes(of: "\(folder)/victim/hop-0.sqlite") == [1])
      try FileSystem.remove(workspace)
      try FileSystem.createFolder(workspace)
      #expect(mkfifo(workspace + "/journal.ndjson", 0o600) == 0)
      let piped = CommandRun(verb, "B.sqlite", in: folder)
      #expect(piped.status == .cannotCreate, "\(piped.errors)")
      #expect(TemporaryFolder.bytes(of: store) == before)
    }
  }
}
