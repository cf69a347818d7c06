import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores with a page that cannot be read: what the command says, and what it makes of them.
@Suite struct DamagedStoreTests {
  /// A store of many pages, of which one in the middle is erased.
  private static func makeStore(in folder: String) throws {
    try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
    let run = CommandRun(
      "generate",
      "v1",
      "--rows",
      "3000",
      "--seed",
      "1",
      "-o",
      "Store.sqlite",
      in: folder
    )
    #expect(run.status == .success, "\(run.errors)")
    let path = "\(folder)/Store.sqlite"
    var bytes = try #require(TemporaryFolder.bytes(of: path))
    // 13 is a leaf of a table.
    let leaves = stride(from: 0, to: bytes.count, by: 4096).filter { bytes[$0] == 13 }
    let page = leaves[leaves.count / 2]
    for offset in page..<page + 4096 { bytes[offset] = 0 }
    try TemporaryFolder.write(bytes, to: path)
  }

  @Test func `a damaged store is status 65 and the error says what is left`() throws {  // F4, F12
    try TemporaryFolder.with { folder in
      try Self.makeStore(in: folder)
      let before = TemporaryFolder.bytes(of: "\(folder)/Store.sqlite")
      let run = CommandRun("migrate", "Store.sqlite", "-o", "Result.sqlite", in: folder)
      #expect(run.status == .damagedInput, "\(run.errors)")
      #expect(run.errors.contains("rows can be read"), "\(run.errors)")
      #expect(run.errors.contains("--accept-damaged-source"))
      #expect(!run.errors.contains("report"))
      #expect(TemporaryFolder.bytes(of: "\(folder)/Store.sqlite") == before)
      #expect(TemporaryFolder.names(in: folder) == ["ModelArchive", "Store.sqlite"])
      #expect(CommandRun("verify", "Store.sqlite", in: folder).status == .answerIsNo)
    }
  }

  @Test func `a dry run refuses a damaged store, or accepts it, as the run does`() throws {
    try TemporaryFolder.with { folder in
      try Self.makeStore(in: folder)
      let arguments = ["migrate", "Store.sqlite", "-o", "Result.sqlite", "--dry-run"]
      let refused = CommandRun(arguments, in: folder)
      #expect(refused.status == .damagedInput, "\(refused.output) \(refused.errors)")
      #expect(refused.errors.contains("rows can be read"))
      let accepted = CommandRun(arguments + ["--accept-damaged-source"], in: folder)
      #expect(accepted.status == .success, "\(accepted.errors)")
      #expect(TemporaryFolder.names(in: folder) == ["ModelArchive", "Store.sqlite"])
    }
  }

  @Test func `accepted damage is not why there is no path, for a dry run and a run alike`() throws {
    try TemporaryFolder.with { folder in
      try Self.makeStore(in: folder)
      let arguments = [
        "migrate", "Store.sqlite", "-o", "Result.sqlite", "--to", "v2", "--via", "v10",
      ]
      for more in [[], ["--dry-run"]] {
        let damaged = CommandRun(arguments + more, in: folder)
        #expect(damaged.status == .damagedInput, "\(more): \(damaged.errors)")
        let accepted = CommandRun(arguments + ["--accept-damaged-source"] + more, in: folder)
        #expect(accepted.status == .noPath, "\(more): \(accepted.errors)")
      }
    }
  }

  @Test func `what was read stands in the report and in JSON`() throws {  // F4
    try TemporaryFolder.with { folder in
      try Self.makeStore(in: folder)
      let arguments = ["migrate", "Store.sqlite", "--accept-damaged-source", "-o"]
      let text = CommandRun(arguments + ["A.sqlite"], in: folder)
      #expect(text.status == .success, "\(text.errors)")
      #expect(text.words.contains("damaged what could be read of the store"), "\(text.output)")
      #expect(text.words.contains("incomplete: it has only what could be read of Store.sqlite"))
      let json = CommandRun(arguments + ["B.sqlite", "--format", "json"], in: folder)
      let salvage = try #require(try json.json()["salvage"] as? [String: Any])
      #expect(salvage["whole"] as? Bool == false)
      let tables = try #require(salvage["tables"] as? [[String: Any]])
      #expect(tables.contains { ($0["unreadable"] as? [Any])?.isEmpty == false })
      #expect(CommandRun("verify", "A.sqlite", in: folder).status == .success)
      let inPlace = CommandRun("migrate", "Store.sqlite", "--accept-damaged-source", in: folder)
      #expect(inPlace.status == .usage, "\(inPlace.errors)")
    }
  }

  @Test func `a plan refuses a store with a damaged page that no question reads, as the run does`()
    throws
  {
    try TemporaryFolder.with { folder in
      let models = ["--models", "\(SampleArchive.root)/Letters.xcdatamodeld"]
      let made = CommandRun(
        ["generate", "v1", "--rows", "3000", "-o", "Store.sqlite"] + models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      let path = "\(folder)/Store.sqlite"
      var bytes = try #require(TemporaryFolder.bytes(of: path))
      // 10 is a leaf of an index.
      let leaves = stride(from: 0, to: bytes.count, by: 4096).filter { bytes[$0] == 10 }
      let page = try #require(leaves.last)
      for offset in page..<page + 4096 { bytes[offset] = 0 }
      try TemporaryFolder.write(bytes, to: path)
      let runs = [
        ["plan", "Store.sqlite", "--to", "v4"],
        ["migrate", "Store.sqlite", "-o", "R.sqlite", "--dry-run"],
      ]
      for arguments in runs + [["migrate", "Store.sqlite", "-o", "R.sqlite"]] {
        let run = CommandRun(arguments + models, in: folder)
        #expect(run.status == .damagedInput, "\(arguments): \(run.errors)")
        #expect(run.errors.contains("Store.sqlite is damaged: "), "\(run.errors)")
      }
    }
  }
}
