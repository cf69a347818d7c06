import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The sources of a batch, which may be less, or later, than it looks.
@Suite struct BatchSourcesTests {
  @Test(arguments: [["--output", "out"], ["--in-place", "--ledger", "b.sqlite"]])
  func `an empty path is no folder`(places: [String]) throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    let originals = folder.originals()
    let models = ["--models", SampleArchive.root]
    let named = try ProcessRun(["batch", ""] + models + places, in: folder.path)
    #expect(named.status == CommandStatus.usage.rawValue, "\(named.errors)")
    #expect(named.errors.contains("The path of what is to be searched is empty."))
    try TemporaryFolder.write(Array(#"{"path": ""}"#.utf8), to: folder.path + "/list")
    let listed = try ProcessRun(["batch", "--manifest", "list"] + models + places, in: folder.path)
    #expect(listed.status == 1)
    #expect(listed.output.contains("list:1: It has no path."), "\(listed.output)")
    #expect(folder.originals() == originals)
  }

  @Test func `an output in what is searched is refused where files lie in it`() throws {
    let folder = try BatchFolder()
    try folder.make("out/one.sqlite")
    let places = ["--output", "old/out"]
    let refused = try folder.run(places: places)
    #expect(refused.status == CommandStatus.usage.rawValue)
    #expect(refused.errors.contains("holds files already, which would not be looked at"))
    #expect(TemporaryFolder.names(in: folder.path + "/old/out") == ["one.sqlite"])
    try FileManager.default.moveItem(
      atPath: folder.path + "/old/out/one.sqlite",
      toPath: folder.path + "/old/one.sqlite"
    )
    for _ in 1...2 { #expect(try folder.run(places: places).status == 0) }
  }

  @Test func `a commit that stands in a -wal of the same size is told`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("../live/one.sqlite")
    let app = try AppDatabase(store)
    try app.execute("PRAGMA journal_mode = WAL; UPDATE ZTOPIC SET ZCOLOR = 1")
    try app.execute("PRAGMA wal_checkpoint(PASSIVE)")
    let arrived = folder.path + "/old/two.sqlite"
    func arrive() throws {
      for suffix in ["", "-wal"] {
        // A copy keeps the time.
        try? FileManager.default.removeItem(atPath: arrived + suffix)
        try FileManager.default.copyItem(atPath: store + suffix, toPath: arrived + suffix)
        let time = try FileManager.default.attributesOfItem(atPath: store + suffix)[
          .modificationDate
        ]
        try FileManager.default.setAttributes(
          [.modificationDate: try #require(time)],
          ofItemAtPath: arrived + suffix
        )
      }
    }
    try arrive()
    let size = TemporaryFolder.bytes(of: arrived + "-wal")?.count
    #expect(try folder.run().status == 0)
    try app.execute("UPDATE ZTOPIC SET ZCOLOR = 2")
    try arrive()
    #expect(TemporaryFolder.bytes(of: arrived + "-wal")?.count == size)
    let again = try folder.run()
    #expect(again.status == 1)
    #expect(
      try folder.number("SELECT COUNT(*) FROM oddity WHERE reason GLOB 'It was written*'") == 1
    )
  }

  @Test func `values whose files are not there are told`() throws {
    let folder = try BatchFolder()
    let store = folder.path + "/old/one.sqlite"
    let made = CommandRun(
      ["generate", "Letters/v1", "--models", SampleArchive.root, "--rows", "3000", "--seed", "6"]
        + ["--external-files", "-o", store]
    )
    try #require(made.status == .success, "\(made.errors)")
    let files = folder.path + "/old/.one_SUPPORT/_EXTERNAL_DATA"
    let name = try #require(TemporaryFolder.names(in: files).first)
    try FileManager.default.removeItem(atPath: "\(files)/\(name)")
    let run = try folder.run()
    #expect(run.status == 0)
    let report = try ProcessRun(["batch", "report", "out"], in: folder.path)
    #expect(report.output.contains("1 without all their files, in 1 store."), "\(report.output)")
    #expect(report.output.contains("values whose files are not there"), "\(report.output)")
  }

  @Test func `a certificate that nobody needs any more does not stay beside the ledger`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    #expect(try folder.run().status == 0)
    let number = try #require(try folder.number("SELECT id FROM store"))
    let certificates = folder.ledger + ".certificates"
    try FileManager.default.createDirectory(
      atPath: certificates,
      withIntermediateDirectories: false
    )
    // As a worker leaves it whose dispatcher was killed, and one of a store that there is not.
    for name in ["\(number).json", "\(number + 1).json"] {
      try TemporaryFolder.write(Array("{}".utf8), to: "\(certificates)/\(name)")
    }
    #expect(try folder.run().status == 0)
    #expect(TemporaryFolder.names(in: certificates) == ["\(number + 1).json"])
  }

  @Test func `files of one name in several folders are counted each`() throws {
    let folder = try BatchFolder()
    let folders = ["a/old", "b/old", "c/old"]
    for name in folders {
      let place = "\(folder.path)/\(name)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try TemporaryFolder.write(Array("text".utf8), to: place + "/bad.sqlite")
    }
    func run(_ roots: [String]) throws -> ProcessRun {
      let more = ["--to", "Letters/v2", "--output", "out", "--models", SampleArchive.root]
      return try ProcessRun(["batch"] + roots + more, in: folder.path)
    }
    let all = try run(folders)
    #expect(all.output.contains("3 are no stores"), "\(all.output)")
    for name in folders { #expect(all.output.contains("searched in \(folder.path)/\(name)")) }
    try FileManager.default.removeItem(atPath: folder.path + "/c/old/bad.sqlite")
    #expect(try run(["c/old"]).status == 1)
    #expect(try folder.number("SELECT COUNT(*) FROM oddity") == 2)
  }
}
