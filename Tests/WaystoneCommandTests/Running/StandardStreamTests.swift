import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The built command under a shell, which can close and limit what a process inherits.
private func shell(_ script: String, in folder: String) throws -> (status: Int32, errors: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  process.arguments = ["-c", script, ProcessRun.executable("waystone").path]
  process.currentDirectoryURL = URL(fileURLWithPath: folder)
  let errors = Pipe()
  process.standardError = errors
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationReason == .exit ? process.terminationStatus : -1, text)
}

@Suite struct `Standard streams and limits` {
  private let models = "\(SampleArchive.root)/Letters.xcdatamodeld"

  private func made(_ name: String = "S.sqlite", in folder: ScratchFolder) throws -> String {
    let store = "\(folder.path)/\(name)"
    let run = CommandRun("generate", "v1", "--rows", "60", "-o", store, "--models", models)
    try #require(run.status == .success, "\(run.errors)")
    return store
  }

  #if os(Linux)
    @Test(arguments: ["> /dev/full", ">&-", ">&- <&-"])
    func `a report that cannot be printed says that the store was replaced`(
      redirection: String
    ) throws {  // M17
      let folder = try ScratchFolder()
      _ = try made(in: folder)
      let run = try shell(
        "\"$0\" migrate S.sqlite --to v4 --models '\(models)' \(redirection)",
        in: folder.path
      )
      #expect(run.status == 74)
      #expect(run.errors.contains("S.sqlite was replaced, and is of v4 now"), "\(run.errors)")
      let backups = folder.path + "/S.sqlite.waystone/backup"
      let backup = try #require(
        TemporaryFolder.names(in: backups).first { $0.hasSuffix("-S.sqlite") }
      )
      #expect(run.errors.contains(backup), "\(run.errors)")
      #expect(
        CommandRun("inspect", folder.path + "/S.sqlite", "--models", models).output.contains("v4")
      )
      // Nothing of the report went into a file that was opened under the stream's number.
      let journal =
        TemporaryFolder.bytes(of: folder.path + "/S.sqlite.waystone/journal.ndjson") ?? []
      #expect(!String(decoding: journal, as: UTF8.self).contains("the original is kept"))
      let back = try shell("\"$0\" rollback S.sqlite \(redirection)", in: folder.path)
      #expect(back.status == 74)
      #expect(back.errors.contains("S.sqlite is the original again"), "\(back.errors)")
      #expect(
        CommandRun("inspect", folder.path + "/S.sqlite", "--models", models).output.contains("v1")
      )
    }

    @Test func `where nothing was done, a full output says only that`() throws {  // M17
      let folder = try ScratchFolder()
      let store = try made(in: folder)
      let before = TemporaryFolder.bytes(of: store)
      let run = try shell(
        "\"$0\" inspect S.sqlite --models '\(models)' > /dev/full",
        in: folder.path
      )
      #expect(run.status == 74)
      #expect(!run.errors.contains("replaced"), "\(run.errors)")
      #expect(TemporaryFolder.bytes(of: store) == before)
    }

    @Test func `an output is named where its report cannot be printed`() throws {  // M17
      let folder = try ScratchFolder()
      _ = try made(in: folder)
      let run = try shell(
        "\"$0\" migrate S.sqlite --to v4 -o O.sqlite --models '\(models)' > /dev/full",
        in: folder.path
      )
      #expect(run.status == 74)
      #expect(run.errors.contains("O.sqlite is written, and is of v4"), "\(run.errors)")
    }

    @Test func `a batch says what it did where its report cannot be printed`() throws {
      let folder = try ScratchFolder()
      _ = try made(in: folder)
      let batch = "\"$0\" batch S.sqlite --to v4 --in-place --ledger L --models '\(models)'"
      let run = try shell(batch + " > /dev/full", in: folder.path)
      #expect(run.status == 74)
      #expect(run.errors.contains("the work is done: 1 store: 1 reached v4."), "\(run.errors)")
      let back = try shell("\"$0\" batch rollback --all --ledger L > /dev/full", in: folder.path)
      #expect(back.status == 74)
      #expect(back.errors.contains("the work is done: 1 original put back."), "\(back.errors)")
    }

    @Test(
      .disabled(
        if: ProcessInfo.processInfo.environment["WAYSTONE_SANITIZER"] == "thread",
        "the sanitizer takes the signal that ends a write itself"
      ),
      arguments: [8, 160, 200]
    )
    func `a file that may not grow ends with 74`(blocks: Int) throws {  // M11, F9
      let folder = try ScratchFolder()
      let store = try made(in: folder)
      let run = try shell(
        "ulimit -f \(blocks); \"$0\" migrate S.sqlite --to v4 --models '\(models)'",
        in: folder.path
      )
      // In blocks of 512 bytes: too small for the copy, or for what a hop adds.
      if run.status != 0 {
        #expect(run.status == 74, "\(run.errors)")
        #expect(CommandRun("inspect", store, "--models", models).output.contains("v1"))
      }
      let again = CommandRun("migrate", store, "--to", "v4", "--restart", "--models", models)
      #expect(again.status == .success, "\(again.errors)")
    }

    @Test func `a disk that is full for a mapping's SQL keeps the run`() throws {  // F8
      let folder = try ScratchFolder()
      let versions = [
        ("v1", SketchedModel.book([("title", "")])),
        ("v2", SketchedModel.book([("title", ""), ("note", "")])),
      ].map { (name: $0.0, entities: $0.1) }
      try SketchedModel.write(versions, into: "\(folder.path)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "5", "-o", "B.sqlite", in: folder.path)
      try #require(made.status == .success, "\(made.errors)")
      // Room that is asked for and given back.
      let hop = """
        from: v1
        to: v2
        entities:
          - source: Book
        sql:
          before: |
            CREATE TABLE filler (a, b);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40000)
              INSERT INTO filler SELECT i, printf('%.300d', i) FROM n;
            DROP TABLE filler;
        """
      try SketchedModel.write(hop, to: "\(folder.path)/Hops/v1-to-v2.hop.yml")
      let arguments = "migrate B.sqlite --mappings Hops --allow-sql"
      let run = try shell("ulimit -f 6000; \"$0\" \(arguments)", in: folder.path)
      #expect(run.status == 74, "\(run.errors)")
      #expect(!run.errors.contains("Correct the SQL"), "\(run.errors)")
      let resumed = CommandRun("resume", "B.sqlite", "--allow-sql", in: folder.path)
      #expect(resumed.status == .success, "\(resumed.errors)")
      #expect(resumed.output.contains("v2"), "\(resumed.output)")
    }

    @Test(
      .disabled(
        if: ProcessInfo.processInfo.environment["WAYSTONE_SANITIZER"] != nil,
        "a sanitizer's own memory has no room in little address space"
      )
    )
    func `a run that has no memory left can be resumed`() throws {  // F9
      let folder = try ScratchFolder()
      let store = "\(folder.path)/S.sqlite"
      let made = CommandRun("generate", "v1", "--rows", "4000", "-o", store, "--models", models)
      try #require(made.status == .success, "\(made.errors)")
      var refused = 0
      // From what the loader needs to what the run does; Swift itself, or a library below it, ends the
      // process (-1, 132, 134, 139) where an allocation of its own fails, after which the run goes on as
      // after any death.
      for limit in stride(from: 60_000, through: 400_000, by: 2_000) {
        let run = try shell(
          "ulimit -v \(limit); \"$0\" migrate S.sqlite --to v4 --restart --models '\(models)'",
          in: folder.path
        )
        if run.status == 0 { break }
        #expect(
          [-1, 127, 132, 134, 139, 74].contains(run.status),
          "\(limit): \(run.status) \(run.errors)"
        )
        guard run.status == 74 else { continue }
        refused += 1
        #expect(run.errors.contains("memory"), "\(run.errors)")
        #expect(CommandRun("inspect", store, "--models", models).output.contains("v1"))
        if refused > 8 { break }
      }
      print("no memory left: \(refused) runs refused")
      let last = CommandRun("migrate", store, "--to", "v4", "--restart", "--models", models)
      #expect(last.status == .success, "\(last.errors)")
    }

    @Test(
      .disabled(
        if: ProcessInfo.processInfo.environment["WAYSTONE_SANITIZER"] != nil,
        "a sanitizer writes a file of its own, which must be small here"
      )
    )
    func `a lock that cannot be written whole stays as it was`() throws {  // F6
      let folder = try ScratchFolder()
      let lock = folder.path + "/waystone.lock"
      let first = CommandRun(
        ["lock", "--all", "--models", models, "--lock", lock],
        in: folder.path
      )
      try #require(first.status == .success, "\(first.errors)")
      let text = try #require(TemporaryFolder.bytes(of: lock))
      try TemporaryFolder.write(Array("x".utf8), to: lock)
      try FileSystem.remove(lock)
      let run = try shell(
        "ulimit -f 1; \"$0\" lock --models '\(models)' --lock waystone.lock",
        in: folder.path
      )
      #expect(text.count > 512)
      #expect(run.status == 74, "\(run.errors)")
      #expect(run.errors.contains("waystone.lock"), "\(run.errors)")
      #expect(TemporaryFolder.names(in: folder.path).isEmpty)
    }
  #endif
}
