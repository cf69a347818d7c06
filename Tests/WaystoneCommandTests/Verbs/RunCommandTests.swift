import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Generated stores of a sketched model, brought to its last version.
@Suite struct RunCommandTests {
  /// Runs a closure in a folder with the model's archive and a store of a version.
  static func with(
    _ version: String = "v1",
    _ body: (_ folder: String, _ store: String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let run = CommandRun("generate", version, "--rows", "40", "-o", "B.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      try body(folder, "\(folder)/B.sqlite")
    }
  }

  private func version(of store: String, in folder: String) throws -> [String]? {
    try CommandRun("inspect", store, "--format", "json", in: folder).json()["versions"] as? [String]
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `with an output the store stays as it is`() throws {
    try Self.with { folder, store in
      let before = TemporaryFolder.bytes(of: store)
      let run = CommandRun(
        "migrate",
        "B.sqlite",
        "--history",
        "--no-fuse",
        "-o",
        "C.sqlite",
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("hop 2/2"), "\(run.output)")
      #expect(TemporaryFolder.bytes(of: store) == before)
      let found = try version(of: "C.sqlite", in: folder)
      #expect(found == ["v10"])
      let left = try names(in: folder)
      #expect(left == ["B.sqlite", "C.sqlite", "ModelArchive"])
      let verified = CommandRun("verify", "C.sqlite", in: folder)
      #expect(verified.status == .success, "\(verified.output)")
    }
  }

  @Test func `in place the original is kept, and rollback puts it back`() throws {
    try Self.with { folder, _ in
      let run = CommandRun("migrate", "B.sqlite", "--to", "v2", "--format", "json", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let json = try run.json()
      #expect(json["schema"] as? String == "waystone.migrate/1")
      #expect(json["from"] as? String == "v1")
      #expect(json["to"] as? String == "v2")
      let backup = try #require(json["backup"] as? String)
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(backup)"))
      let found = try version(of: "B.sqlite", in: folder)
      #expect(found == ["v2"])

      let back = CommandRun("rollback", "B.sqlite", in: folder)
      #expect(back.status == .success, "\(back.errors)")
      let later = try version(of: "B.sqlite", in: folder)
      #expect(later == ["v1"])
      #expect(CommandRun("rollback", "B.sqlite", in: folder).status == .answerIsNo)
    }
  }

  @Test func `what changed since is not rolled back unasked`() throws {
    try Self.with { folder, store in
      #expect(CommandRun("migrate", "B.sqlite", in: folder).status == .success)
      do {
        let connection = try AppDatabase(store)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
      }
      let refused = CommandRun("rollback", "B.sqlite", in: folder)
      #expect(refused.status == .answerIsNo, "\(refused.errors)")
      let found = try version(of: "B.sqlite", in: folder)
      #expect(found == ["v10"])
      #expect(CommandRun("rollback", "B.sqlite", "--force", in: folder).status == .success)
      let later = try version(of: "B.sqlite", in: folder)
      #expect(later == ["v1"])
    }
  }

  @Test func `a store of the wanted version needs nothing`() throws {
    try Self.with("v10") { folder, store in
      let before = TemporaryFolder.bytes(of: store)
      let run = CommandRun("migrate", "B.sqlite", in: folder)
      #expect(run.status == .success)
      #expect(run.output.hasPrefix("Nothing to do"))
      #expect(TemporaryFolder.bytes(of: store) == before)
      let done = CommandRun("resume", "B.sqlite", in: folder)
      #expect(done.status == .success)
      #expect(done.output.hasPrefix("Nothing to resume: no run has left a record at B.sqlite."))
      let left = try names(in: folder)
      #expect(left == ["B.sqlite", "ModelArchive"])
    }
  }

  @Test(arguments: [
    (["migrate", "B.sqlite", "-o", "B.sqlite"], CommandStatus.cannotCreate),
    (["migrate", "B.sqlite", "-o", "No/Folder/C.sqlite"], .cannotCreate),
    (["generate", "v1", "-o", "B.sqlite"], .cannotCreate),
    (["generate", "v1", "-o", "No/Folder/C.sqlite"], .cannotCreate),
    (["migrate", "B.sqlite", "--to", "v7"], .usage),
    (["generate", "v7", "-o", "C.sqlite"], .usage),
    (["generate", "v1", "--rows", "-1", "-o", "C.sqlite"], .usage),
    (["resume", "C.sqlite"], .missingInput),
    (["rollback", "B.sqlite"], .answerIsNo),
  ])
  func `what cannot be done changes nothing`(arguments: [String], status: CommandStatus) throws {
    try Self.with { folder, store in
      let before = TemporaryFolder.bytes(of: store)
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.hasPrefix("error: "))
      #expect(TemporaryFolder.bytes(of: store) == before)
      let left = try names(in: folder)
      #expect(left == ["B.sqlite", "ModelArchive"])
    }
  }

  @Test func `a store that somebody has open is left alone`() throws {
    try Self.with { folder, store in
      let connection = try AppDatabase(store)
      try connection.execute("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE")
      for arguments in [["migrate", "B.sqlite"], ["migrate", "B.sqlite", "-o", "C.sqlite"]] {
        // Another process, since the locks of one's own process do not hold against oneself.
        let run = try ProcessRun(arguments, in: folder)
        #expect(run.status == CommandStatus.locked.rawValue, "\(run.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/C.sqlite"))
    }
  }

  @Test func `a store newer than every version is not brought back`() throws {
    try Self.with("v2") { folder, store in
      for version in ["v2", "v10"] {
        try FileManager.default.removeItem(
          atPath: "\(folder)/ModelArchive/Library.xcdatamodeld/\(version).xcdatamodel"
        )
      }
      let before = TemporaryFolder.bytes(of: store)
      let inspection = CommandRun("inspect", "B.sqlite", in: folder)
      #expect(inspection.output.contains("in no archived model"))
      for verb in ["plan", "migrate"] {
        let run = CommandRun(verb, "B.sqlite", in: folder)
        #expect(run.status == .noPath, "\(verb): \(run.errors)")
      }
      // Its own model is good enough to check it.
      #expect(CommandRun("verify", "B.sqlite", in: folder).status == .success)
      #expect(TemporaryFolder.bytes(of: store) == before)
      let left = try names(in: folder)
      #expect(left == ["B.sqlite", "ModelArchive"])
    }
  }

  @Test(arguments: ["inspect", "plan", "migrate", "verify"])
  func `a store that is cut off is damaged`(verb: String) throws {
    try Self.with { folder, store in
      let bytes = try #require(TemporaryFolder.bytes(of: store))
      let half = Array(bytes.prefix(bytes.count / 2))
      try TemporaryFolder.write(half, to: store)
      let run = CommandRun(verb, "B.sqlite", in: folder)
      #expect(run.status == .damagedInput, "\(run.errors)")
      #expect(TemporaryFolder.bytes(of: store) == half)
      let left = try names(in: folder)
      #expect(left == ["B.sqlite", "ModelArchive"])
    }
  }

  @Test func `a store that is not as its model says fails verification`() throws {
    try Self.with { folder, store in
      do {
        let connection = try AppDatabase(store)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 7")
      }
      let run = CommandRun("verify", "B.sqlite", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("FAILED"))
      #expect(run.errors.hasPrefix("error: "))
      let json = try CommandRun("verify", "B.sqlite", "--full", "--format", "json", in: folder)
        .json()
      #expect(json["passed"] as? Bool == false)
    }
  }

  @Test func `one seed makes one store`() throws {
    try Self.with { folder, store in
      for (name, seed) in [("C.sqlite", "1"), ("D.sqlite", "2")] {
        let run = CommandRun(
          "generate",
          "v1",
          "--rows",
          "40",
          "--seed",
          seed,
          "-o",
          name,
          in: folder
        )
        #expect(run.status == .success)
      }
      let bytes = TemporaryFolder.bytes(of: store)
      #expect(TemporaryFolder.bytes(of: "\(folder)/C.sqlite") == bytes)
      #expect(TemporaryFolder.bytes(of: "\(folder)/D.sqlite") != bytes)
    }
  }

  @Test func `nothing is resumed of a run that failed before its first record`() throws {
    try Self.with { folder, store in
      let whole = try #require(TemporaryFolder.bytes(of: store))
      try TemporaryFolder.write(Array(whole.prefix(whole.count / 2)), to: store)
      #expect(CommandRun("migrate", "B.sqlite", in: folder).status == .damagedInput)
      let run = CommandRun("resume", "B.sqlite", in: folder)
      #expect(run.status == .success)
      #expect(run.output.hasPrefix("Nothing to resume: no run has left a record at B.sqlite."))
      #expect(run.output.contains("waystone migrate"))
      let json = try CommandRun("resume", "B.sqlite", "--format", "json", in: folder).json()
      #expect(json["resumed"] as? Bool == false && json["reason"] as? String == "noRecord")
    }
  }
}
