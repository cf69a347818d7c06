import BatchMigration
import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// The files out of an archive that was changed since.
@Suite(.enabled(if: SearchedFolder.hasArchiver, "needs bsdtar: install libarchive-tools"))
struct `Fetching stores` {
  @Test func `a store that was changed is not fetched, and the others are`() throws {
    try SearchedFolder.with { folder in
      let members = [
        "grown.sqlite": TarBytes.database(), "other.sqlite": TarBytes.database(),
        "gone.sqlite": TarBytes.database(), "same.sqlite": TarBytes.database(),
      ]
      func write(_ members: [String: [UInt8]]) throws {
        let bytes = members.sorted { $0.key < $1.key }
          .flatMap { TarBytes.member($0.key, $0.value) }
        try folder.file("x.tar", bytes + TarBytes.end)
      }
      try write(members)
      let stores = try folder.search("x.tar").stores
      #expect(stores.count == 4)
      var changed = members
      changed["grown.sqlite"]?.append(0)
      changed["other.sqlite"]?[20] = 2
      changed["gone.sqlite"] = nil
      try write(changed)
      let into = try folder.folder("into")
      let outcomes = try StoreFetch(folder.options()).fetch(stores, into: into) {
        $0.place.fileName
      }
      for outcome in outcomes {
        switch outcome.result {
        case .success(let path): #expect(path == "\(into)/same.sqlite/same.sqlite")
        case .failure(let error): #expect(error.code == .mismatch)
        }
      }
      #expect(TemporaryFolder.names(in: into) == ["same.sqlite"])
    }
  }

  @Test func `nothing is written outside of the folder, whatever the ledger says`() throws {
    try SearchedFolder.with { folder in
      try folder.file("x.tar", TarBytes.member("a.sqlite", TarBytes.database()) + TarBytes.end)
      var store = try #require(try folder.search("x.tar").stores.first)
      let archive = "\(folder.path)/x.tar"
      let into = try folder.folder("into")
      for name in ["../up.sqlite", "/a.sqlite", ".b_SUPPORT/_EXTERNAL_DATA/1", "c/d/e"] {
        store.place = .member(archive: archive, files: ["a.sqlite": "gone", name: "a.sqlite"])
        let outcomes = try StoreFetch(folder.options()).fetch([store], into: into) { _ in "1" }
        #expect(throws: WaystoneError.self) { _ = try outcomes.first?.result.get() }
      }
      store.place = .member(archive: archive, files: ["a.sqlite": "a.sqlite"])
      for name in ["..", "a/b", ""] {
        let outcomes = try StoreFetch(folder.options()).fetch([store], into: into) { _ in name }
        #expect(throws: WaystoneError.self) { _ = try outcomes.first?.result.get() }
      }
      #expect(TemporaryFolder.names(in: into) == [])
      #expect(TemporaryFolder.names(in: folder.path) == ["into", "x.tar"])
    }
  }

  @Test func `a folder that is there is left as it is`() throws {
    try SearchedFolder.with { folder in
      try folder.file("x.tar", TarBytes.member("a.sqlite", TarBytes.database()) + TarBytes.end)
      let stores = try folder.search("x.tar").stores
      try folder.file("into/1/a.sqlite", [1])
      let outcomes = try StoreFetch(folder.options()).fetch(stores, into: "\(folder.path)/into") {
        _ in "1"
      }
      #expect(throws: WaystoneError.self) { _ = try outcomes.first?.result.get() }
      #expect(TemporaryFolder.bytes(of: "\(folder.path)/into/1/a.sqlite") == [1])
    }
  }

  @Test func `a store with holes is fetched with its holes filled`() throws {
    try SearchedFolder.with { folder in
      let path = try folder.file("old/a.sqlite", TarBytes.database())
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: 3 << 20)
      try file.write(contentsOf: Data("end".utf8))
      try file.truncate(atOffset: 5 << 20)
      try file.close()
      try folder.run("bsdtar", "-acf", "old.tgz", "old")
      let stores = try folder.search("old.tgz").stores
      #expect(stores.map(\.bytes) == [5 << 20])
      let into = try folder.folder("into")
      let outcomes = try StoreFetch(folder.options()).fetch(stores, into: into) { _ in "1" }
      let fetched = try #require(try outcomes.first?.result.get())
      #expect(TemporaryFolder.bytes(of: fetched) == TemporaryFolder.bytes(of: path))
    }
  }

  @Test func `an archive that is refused gives no store`() throws {
    try SearchedFolder.with { folder in
      try folder.file("x.tar", TarBytes.member("a.sqlite", TarBytes.database()) + TarBytes.end)
      let stores = try folder.search("x.tar").stores
      let cut = TarBytes.member(Array("a.sqlite".utf8), size: 9000, TarBytes.database())
      try folder.file("x.tar", cut)
      let into = try folder.folder("into")
      let error = try #require(throws: WaystoneError.self) {
        _ = try StoreFetch(folder.options()).fetch(stores, into: into) { _ in "1" }
      }
      #expect(error.message.contains("is refused"))
      #expect(TemporaryFolder.names(in: into) == [])
    }
  }
}
