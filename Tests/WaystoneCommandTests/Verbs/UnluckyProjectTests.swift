import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Projects as they come: files that were never fetched, logs of other stores, pipes, mistyped paths.
@Suite struct UnluckyProjectTests {
  private let letters = ["--models", "ModelArchive/Letters.xcdatamodeld"]

  private func sha(_ path: String) -> [UInt8]? { TemporaryFolder.bytes(of: path) }

  @Test(arguments: [["inspect"], ["plan", "--to", "v4"], ["coverage"], ["digest"], ["verify"]])
  func `a log that is none of the store's stays where it is`(verb: [String]) throws {
    try SampleWalk.with { walk in
      let store = walk.folder + "/Old.sqlite"
      let made = CommandRun(
        ["generate", "v1", "--rows", "3", "--seed", "1", "-o", "Old.sqlite"] + letters,
        in: walk.folder
      )
      #expect(made.status == .success, "\(made.errors)")
      // The bytes of the header that say whether the store keeps a write-ahead log.
      var bytes = try #require(sha(store))
      bytes.replaceSubrange(18..<20, with: [1, 1])
      try TemporaryFolder.write(bytes, to: store)
      try TemporaryFolder.write(Array("another's".utf8), to: store + "-wal")
      _ = CommandRun(
        Array(verb.prefix(1)) + ["Old.sqlite"] + verb.dropFirst() + letters,
        in: walk.folder
      )
      #expect(sha(store) == bytes)
      #expect(sha(store + "-wal") == Array("another's".utf8))
    }
  }

  @Test func `findings of versions that share a name stand in their own model's file`() throws {
    try SampleWalk.with { walk in
      let run = CommandRun(
        ["coverage", "--models", "ModelArchive", "--format", "github"],
        in: walk.folder
      )
      let lines = run.output.split(separator: "\n").filter { $0.contains("Person.surnames") }
      #expect(!lines.isEmpty)
      #expect(
        lines.allSatisfy { $0.contains("file=ModelArchive/People.xcdatamodeld/") },
        "\(lines)"
      )
    }
  }

  @Test func `a store that was never fetched is told of, and so is a folder without any`() throws {
    try SampleWalk.with { walk in
      for (folder, name) in [("Fixtures", "v1.sqlite"), ("Empty", "README.md")] {
        let path = "\(walk.folder)/\(folder)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try SketchedModel.write(
          "version https://git-lfs.github.com/spec/v1\n",
          to: "\(path)/\(name)"
        )
        let run = CommandRun(["coverage", folder] + letters, in: walk.folder)
        #expect(run.status == .answerIsNo)
        #expect(run.output.contains("WS729") && run.output.contains(folder), "\(run.output)")
      }
    }
  }

  @Test func `a pipe is no lock and no store`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try FileManager.default.createDirectory(
        atPath: "\(folder)/Stores",
        withIntermediateDirectories: true
      )
      #expect(mkfifo(project.lock, 0o600) == 0)
      #expect(mkfifo("\(folder)/Stores/v1.sqlite", 0o600) == 0)
      #expect(CommandRun("check", in: folder).status == .missingInput)
      try FileManager.default.removeItem(atPath: project.lock)
      #expect(CommandRun("coverage", "Stores", in: folder).output.contains("No store is below"))
    }
  }

  @Test func `a lock that is named must be there`() throws {
    try TemporaryFolder.with { folder in
      _ = try SketchedProject(folder)
      let run = CommandRun("check", "--lock", "wystone.lock", in: folder)
      #expect(run.status == .missingInput)
      #expect(run.errors.contains("There is no wystone.lock."))
    }
  }
}
