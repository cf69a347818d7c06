import BatchMigration
import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Stores in folders, and named by paths, patterns and manifests.
@Suite struct `Finding stores in folders` {
  @Test func `a store is found by its first bytes and not by its name`() throws {
    try SearchedFolder.with { folder in
      try folder.wholeStore("old/Documents/Notes.sqlite")
      try folder.store("old/blob.dat")
      try folder.file("old/empty.sqlite", [])
      try folder.file("old/other.db", Array("no database".utf8))
      try folder.file("old/packed.sqlite", [0x1f, 0x8b, 8, 0])
      try folder.file("old/readme.txt", Array("text".utf8))
      let found = try folder.search("old")
      #expect(found.names == ["old/blob.dat", "old/Documents/Notes.sqlite"])
      #expect(found.stores.map(\.destination) == found.names)
      #expect(
        found.oddities == [
          "old/empty.sqlite: It is named as a store, and is empty.",
          "old/other.db: It is named as a store, and is no SQLite database, or it is encrypted.",
          "old/packed.sqlite: It is named as a store, and is compressed by gzip. Decompress it: gzip -d.",
        ]
      )
      #expect(found.tally.others == 4)
      let notes = try #require(found.stores.last)
      let path = "\(folder.path)/old/Documents/Notes.sqlite"
      #expect(notes.place == .file(path))
      let log = try #require(TemporaryFolder.bytes(of: path + "-wal"))
      let file = try #require(TemporaryFolder.bytes(of: path))
      #expect(!log.isEmpty)
      #expect(notes.bytes == Int64(file.count + log.count))
      #expect(try notes.head == FoundStore.head(ofFile: path))
      #expect(notes.modified != nil)
    }
  }

  @Test func `workspaces, support folders, the output and the ledger are passed over`() throws {
    try SearchedFolder.with { folder in
      try folder.store("a.sqlite")
      try folder.store("a.sqlite.waystone/backup/1-a.sqlite")
      try folder.store("plain.waystone/b.sqlite")
      try folder.store(".a_SUPPORT/_EXTERNAL_DATA/x")
      try folder.store("out/a.sqlite")
      try folder.store("batch.db")
      try folder.store("batch.db.holders/1")
      try folder.link("to-out", to: "out")
      try folder.link("to-ledger.db", to: "batch.db")
      let found = try folder.search(".", output: "out", ledger: "batch.db")
      let name = (folder.path as NSString).lastPathComponent
      #expect(found.names == ["\(name)/a.sqlite", "\(name)/plain.waystone/b.sqlite"])
      #expect(found.stores.last?.destination == "\(name)/plain.waystone_/b.sqlite")
      #expect(
        found.oddities == [
          "\(name)/to-ledger.db: It is a link that leads to the ledger.",
          "\(name)/to-out: It is a link that leads to the output tree.",
        ]
      )
    }
  }

  @Test(arguments: ["out", "out/in", "to-in", "out/in/a.sqlite"])
  func `a source in the destination is refused`(root: String) throws {
    try SearchedFolder.with { folder in
      try folder.store("out/in/a.sqlite")
      try folder.link("to-in", to: "out/in")
      let error = try #require(throws: WaystoneError.self) {
        _ = try folder.search(root, output: "out")
      }
      #expect(error.code == .badArgument)
      #expect(error.message == "\(root) lies in the output tree, where the batch itself writes.")
    }
  }

  @Test func `links are not followed, and those that lead out are told of`() throws {
    try SearchedFolder.with { folder in
      try folder.store("in/a.sqlite")
      try folder.store("outside/b.sqlite")
      try folder.store("outside/blob")
      try folder.file("outside/text", Array("text".utf8))
      try folder.link("in/folder", to: "../outside")
      try folder.link("in/c.bin", to: "../outside/blob")
      try folder.link("in/text", to: "../outside/text")
      try folder.link("in/same.sqlite", to: "a.sqlite")
      try folder.link("in/gone.sqlite", to: "nowhere")
      let found = try folder.search("in")
      #expect(found.names == ["in/a.sqlite"])
      let out =
        "It is a link that leads out of the folder, and is not followed: name what it leads to."
      #expect(
        found.oddities == [
          "in/c.bin: \(out)", "in/folder: \(out)",
          "in/gone.sqlite: It is a link that leads nowhere.",
        ]
      )
    }
  }

  @Test func `a store that several roots lead to is found once`() throws {
    try SearchedFolder.with { folder in
      try folder.store("a/b/c.sqlite")
      let found = try folder.search("a/b/c.sqlite", "a/b", "a", "a/./b", "a/**/*.sqlite")
      #expect(found.names == ["c.sqlite"])
    }
  }

  @Test func `a store that an earlier search found keeps its name for itself`() throws {
    try SearchedFolder.with { folder in
      try folder.store("x/a.sqlite")
      let first = try #require(try folder.search("x/a.sqlite").stores.first)
      try folder.store("y/a.sqlite")
      var search = try StoreSearch(folder.options())
      search.reserve(first)
      var found: [FoundStore] = []
      for root in ["y/a.sqlite", "x/a.sqlite"] { _ = try search.search(root) { found.append($0) } }
      #expect(found.map(\.sharedName) == ["a.sqlite", "a.sqlite"])
      #expect(found.last?.name == first.name)
      #expect(found.last?.destination == first.destination)
      #expect(found.first?.place == .file("\(folder.path)/y/a.sqlite"))
      #expect(found.first?.name != first.name)
      #expect(found.first?.destination != first.destination)
    }
  }

  @Test func `a container of Xcode's is searched from its AppData on`() throws {
    try SearchedFolder.with { folder in
      try folder.store("Phone.xcappdata/AppData/Documents/Notes.sqlite")
      try folder.file("Phone.xcappdata/AppDataInfo.plist", Array("<plist/>".utf8))
      let found = try folder.search("Phone.xcappdata/")
      #expect(found.names == ["Phone.xcappdata/AppData/Documents/Notes.sqlite"])
    }
  }

  @Test func `a pattern finds what meets it`() throws {
    try SearchedFolder.with { folder in
      for name in ["p/a1.sqlite", "p/a2.sqlite", "p/b1.sqlite", "p/q/a3.sqlite", "p/.h/a4.sqlite"] {
        try folder.store(name)
      }
      #expect(try folder.search("p/a?.sqlite").names == ["p/a1.sqlite", "p/a2.sqlite"])
      #expect(try folder.search("p/[!a]*").names == ["p/b1.sqlite", "p/q/a3.sqlite"])
      #expect(try folder.search("p/*[2-3].sqlite").names == ["p/a2.sqlite"])
      #expect(
        try folder.search("p/**/a*").names == ["p/a1.sqlite", "p/a2.sqlite", "p/q/a3.sqlite"]
      )
      // Of a name with such characters the name counts.
      try folder.store("p/[a]1.sqlite")
      #expect(try folder.search("p/[a]1.sqlite").names == ["[a]1.sqlite"])
      let error = try #require(throws: WaystoneError.self) { _ = try folder.search("p/z*") }
      #expect(error.code == .missingFile)
    }
  }

  @Test func `a root that is not there, or no store, is told`() throws {
    try SearchedFolder.with { folder in
      let error = try #require(throws: WaystoneError.self) { _ = try folder.search("none") }
      #expect(error.code == .missingFile)
      try folder.file("text", Array("text".utf8))
      #expect(
        try folder.search("text").oddities
          == ["text: It is no SQLite database, and no archive of a known form."]
      )
    }
  }

  @Test(arguments: [
    "{\"path\": \"x/a.sqlite\", \"name\": \"Phone 1/a.sqlite\"}\n\n{\"path\": \"y\"}\n"
      + "{\"path\": \"gone\"}\n{\"name\": 1}\n{\"path\": \"y\", \"name\": \"../up\"}",
    "\u{feff}name,path\r\n\"Phone 1/a.sqlite\",\"x/a.sqlite\"\r\n,y\r\n\n,gone\n1\n../up,y\n",
  ])
  func `a manifest names stores and folders`(text: String) throws {
    try SearchedFolder.with { folder in
      try folder.store("x/a.sqlite")
      try folder.store("y/b.sqlite")
      try folder.file("list", Array(text.utf8))
      var search = try StoreSearch(folder.options())
      var names: [String] = []
      let tally = try search.search(manifest: "list") { names.append($0.name) }
      #expect(names == ["Phone 1/a.sqlite", "y/b.sqlite"])
      #expect(tally.oddities.map(\.name).count == 3)
      #expect(tally.oddities.first?.name == "gone")
      #expect(tally.oddities.last?.reason.contains("leads upwards") == true)
    }
  }

  @Test func `a table without paths is no manifest`() throws {
    try SearchedFolder.with { folder in
      try folder.file("list", Array("a,b\n1,2\n".utf8))
      var search = try StoreSearch(folder.options())
      let error = try #require(throws: WaystoneError.self) {
        _ = try search.search(manifest: "list") { _ in }
      }
      #expect(error.code == .badFile)
    }
  }

  @Test func `a log without its store, and archives that nobody opens, are told of`() throws {
    try SearchedFolder.with { folder in
      try folder.store("a.sqlite")
      try folder.file("b.sqlite-wal", [0x37, 0x7f, 0x06, 0x82] + [UInt8](repeating: 0, count: 100))
      try folder.file("empty.sqlite-wal", [])
      try folder.file("old.tar.xz", [0xfd])
      try folder.file("Notes.sqlite.gz", [0x1f, 0x8b])
      try folder.file("log.gz", [0x1f, 0x8b])
      try folder.file("none.zip", [])
      let found = try folder.search(".")
      let name = (folder.path as NSString).lastPathComponent
      #expect(found.names == ["\(name)/a.sqlite"])
      let told = found.oddities.map { $0.split(separator: ":")[0] }
      #expect(
        told
          == ["Notes.sqlite.gz", "b.sqlite-wal", "none.zip", "old.tar.xz"].map { "\(name)/\($0)" },
        "\(found.oddities)"
      )
    }
  }
}
