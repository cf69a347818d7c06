import BatchMigration
import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Stores in archives, which strangers may have made.
@Suite(.enabled(if: SearchedFolder.hasArchiver, "needs bsdtar: install libarchive-tools"))
struct `Finding stores in archives` {
  /// Makes `old` with a whole store, a second one and another file.
  private func fill(_ folder: SearchedFolder) throws {
    try folder.wholeStore("old/Documents/Notes.sqlite")
    try folder.store("old/b.dat", saying: "b")
    try folder.file("old/readme.txt", Array("text".utf8))
    try folder.file("old/._b.sqlite", [0, 5, 22, 7, 0, 2, 0, 0])
  }

  @Test(arguments: ["old.zip", "old.tar", "old.tgz", "old.tar.zst"])
  func `the stores of an archive are found and fetched whole`(archive: String) throws {
    try SearchedFolder.with { folder in
      try fill(folder)
      try folder.run("bsdtar", "-acf", archive, "-C", "old", ".")
      let found = try folder.search(archive)
      let notes = try #require(found.stores.first { $0.name.hasSuffix("Notes.sqlite") })
      #expect(found.names.sorted() == ["\(archive)/Documents/Notes.sqlite", "\(archive)/b.dat"])
      #expect(found.tally.oddities == [])
      #expect(found.tally.others == 2)
      let external = ".Notes_SUPPORT/_EXTERNAL_DATA/0B5E"
      #expect(
        notes.place
          == .member(
            archive: "\(folder.path)/\(archive)",
            files: [
              "Notes.sqlite": "Documents/Notes.sqlite",
              "Notes.sqlite-wal": "Documents/Notes.sqlite-wal", external: "Documents/\(external)",
            ]
          )
      )
      let path = "\(folder.path)/old/Documents/Notes.sqlite"
      #expect(try notes.head == FoundStore.head(ofFile: path))
      #expect(notes.modified != nil)

      let into = try folder.folder("into")
      let outcomes = try StoreFetch(folder.options()).fetch(found.stores, into: into) {
        $0.place.fileName
      }
      #expect(outcomes.map(\.store) == found.stores)
      for outcome in outcomes { _ = try outcome.result.get() }
      let place = "\(into)/Notes.sqlite"
      #expect(
        TemporaryFolder.names(in: place) == [".Notes_SUPPORT", "Notes.sqlite", "Notes.sqlite-wal"]
      )
      for name in ["Notes.sqlite", "Notes.sqlite-wal", external] {
        #expect(
          TemporaryFolder.bytes(of: "\(place)/\(name)")
            == TemporaryFolder.bytes(of: "\(folder.path)/old/Documents/\(name)")
        )
        let file = try FileManager.default.attributesOfItem(atPath: "\(place)/\(name)")
        #expect(file[.posixPermissions] as? Int == 0o600)
      }
    }
  }

  @Test func `members that could lead elsewhere are refused one by one`() throws {
    try SearchedFolder.with { folder in
      let store = TarBytes.database()
      var bytes = TarBytes.member("./good/a.sqlite", store)
      bytes += TarBytes.member("good/../../up.sqlite", store)
      bytes += TarBytes.member("/abs.sqlite", store)
      bytes += TarBytes.member("link.sqlite", type: "2")
      bytes += TarBytes.member("hard.sqlite", type: "1")
      bytes += TarBytes.member("pipe.sqlite", type: "6")
      bytes += TarBytes.member("good/A.SQLITE", TarBytes.database(2))
      bytes += TarBytes.member("é.sqlite", store)
      bytes += TarBytes.member("e\u{301}.sqlite", store)
      bytes += TarBytes.member(Array("latin-".utf8) + [0xe9], type: "0", store)
      bytes += TarBytes.member("inner.zip", Array("PK\u{3}\u{4}".utf8))
      bytes += TarBytes.member("text", Array("text".utf8))
      try folder.file("x.tar", bytes + TarBytes.end)
      let found = try folder.search("x.tar")
      #expect(found.names == ["x.tar/good/a.sqlite", "x.tar/é.sqlite"])
      let link = "It is a link, and links in archives are not followed."
      let double =
        "It comes behind another member of its name, or of one that differs in case or normal form "
        + "alone."
      #expect(
        found.oddities == [
          "x.tar/good/../../up.sqlite: Its name leads upwards (`..`).",
          "x.tar//abs.sqlite: Its name is an absolute path.",
          "x.tar/link.sqlite: \(link)",
          "x.tar/hard.sqlite: \(link)",
          "x.tar/pipe.sqlite: It is a device or a pipe.",
          "x.tar/good/A.SQLITE: \(double)",
          "x.tar/e\u{301}.sqlite: \(double)",
          "x.tar/latin-\u{fffd}: Its name is not UTF-8.",
          "x.tar/inner.zip: It is an archive, and archives are opened only where they are named "
            + "themselves, or by a pattern.",
        ]
      )
      #expect(found.tally.files == 12)
      #expect(found.tally.others == 10)
    }
  }

  @Test func `a store is refused whose -wal is`() throws {
    try SearchedFolder.with { folder in
      let store = TarBytes.database()
      let bytes =
        TarBytes.member("a.sqlite-wal", type: "2") + TarBytes.member("a.sqlite", store)
        + TarBytes.member("b.sqlite", store) + TarBytes.member("c.sqlite", store)
        + TarBytes.member(".c_SUPPORT/_EXTERNAL_DATA/1", type: "2")
        // Which of two is meant nobody can say.
        + TarBytes.member("b.sqlite-wal", [1]) + TarBytes.member("b.sqlite-wal", [2])
        + TarBytes.member("d.sqlite", store) + TarBytes.member("d.sqlite", TarBytes.database(2))
        + TarBytes.member("e.sqlite", store)
      try folder.file("x.tar", bytes + TarBytes.end)
      let found = try folder.search("x.tar")
      #expect(found.names == ["x.tar/e.sqlite"])
      #expect(
        found.oddities.filter { $0.contains("as files of it are") } == [
          "x.tar/a.sqlite: It is refused, as files of it are: a.sqlite-wal.",
          "x.tar/b.sqlite: It is refused, as files of it are: b.sqlite-wal.",
          "x.tar/c.sqlite: It is refused, as files of it are: .c_SUPPORT/_EXTERNAL_DATA/1.",
          "x.tar/d.sqlite: It is refused, as files of it are: d.sqlite.",
        ]
      )
    }
  }

  @Test func `workspaces in an archive hold no stores`() throws {
    try SearchedFolder.with { folder in
      try folder.store("old/a.sqlite")
      try folder.store("old/a.sqlite.waystone/hop-1.sqlite")
      try folder.file("old/a.sqlite.waystone/journal.ndjson", [])
      try folder.run("bsdtar", "-acf", "old.zip", "old")
      #expect(try folder.search("old.zip").names == ["old.zip/old/a.sqlite"])
    }
  }

  enum Limit: CaseIterable { case bytes, ratio, entries }

  @Test(arguments: Limit.allCases)
  func `an archive that is too large is refused as a whole`(limit: Limit) throws {
    try SearchedFolder.with { folder in
      try folder.store("old/a.sqlite")
      try folder.file("old/z", [UInt8](repeating: 0, count: 4 << 20))
      try folder.run("bsdtar", "-acf", "old.tgz", "old")
      var limits = ArchiveLimits()
      #expect(try folder.search("old.tgz", limits: limits).names == ["old.tgz/old/a.sqlite"])
      switch limit {
      case .bytes: limits.bytes = 2 << 20
      case .ratio: limits.bytesOfAnyRatio = 2 << 20
      case .entries: limits.entries = 2
      }
      let found = try folder.search("old.tgz", limits: limits)
      #expect(found.stores == [])
      let reason = try #require(found.oddities.first)
      let words =
        switch limit {
        case .bytes: "It unpacks to more than 2097152 bytes."
        case .ratio: "It unpacks to more than 200 times its size"
        case .entries: "It holds more than 2 files and folders."
        }
      #expect(reason.hasPrefix("old.tgz: The archive is refused. \(words)"))
      #expect(found.oddities.count == 1)
    }
  }

  @Test func `an encrypted archive is refused, and nobody is asked`() throws {
    try SearchedFolder.with { folder in
      try folder.store("old/a.sqlite")
      try folder.run(
        "bsdtar",
        "-cf",
        "old.zip",
        "--format",
        "zip",
        "--options",
        "zip:encryption=zipcrypt",
        "--passphrase",
        "word",
        "old"
      )
      let found = try folder.search("old.zip")
      #expect(found.stores == [])
      #expect(
        found.oddities
          == ["old.zip: The archive is refused. It is encrypted; unpack it, and name the folder."]
      )
    }
  }

  @Test func `an archive that lists files of this machine reads none of them`() throws {
    try SearchedFolder.with { folder in
      let secret = try folder.store("secret.sqlite")
      try folder.file("x", Array("#mtree\n./a.sqlite type=file contents=\(secret)\n".utf8))
      try folder.run("gzip", "x")
      let found = try folder.search("x.gz")
      #expect(found.stores == [])
      #expect(
        found.oddities == [
          "x.gz: The archive is refused. It is no zip or tar archive inside, but of the form “mtree”."
        ]
      )
    }
  }

  @Test func `an archive that is cut off is refused`() throws {
    try SearchedFolder.with { folder in
      try fill(folder)
      try folder.run("bsdtar", "-acf", "old.tgz", "old")
      let bytes = try #require(TemporaryFolder.bytes(of: "\(folder.path)/old.tgz"))
      try folder.file("cut.tgz", Array(bytes.dropLast(bytes.count / 2)))
      let found = try folder.search("cut.tgz")
      #expect(found.stores == [])
      #expect(
        found.oddities.first?
          .hasPrefix("cut.tgz: The archive is refused. It cannot be read to its end: bsdtar says")
          == true
      )
    }
  }

  @Test(arguments: ["zip", "tgz"])
  func `an archive is refused whose contents are not what its checksums say`(form: String) throws {
    try SearchedFolder.with { folder in
      try folder.store("old/a.sqlite")
      let name = "old.\(form)"
      let options = form == "zip" ? ["--options", "zip:compression=store"] : []
      try folder.run(["bsdtar"] + options + ["-acf", name, "old"])
      #expect(try folder.search(name).names == ["\(name)/old/a.sqlite"])
      var bytes = try #require(TemporaryFolder.bytes(of: "\(folder.path)/\(name)"))
      // A byte of the contents in one, of the checksum in the other.
      bytes[form == "zip" ? bytes.count / 2 : bytes.count - 8] ^= 1
      try folder.file(name, bytes)
      let found = try folder.search(name)
      #expect(found.stores == [])
      #expect(found.oddities.first?.contains("It cannot be read to its end: ") == true)
    }
  }

  @Test func `archives are opened where they are named or met by a pattern, and else told of`()
    throws
  {
    try SearchedFolder.with { folder in
      try folder.store("old/a.sqlite")
      try folder.folder("all")
      for name in ["all/1.zip", "all/2.tgz"] { try folder.run("bsdtar", "-acf", name, "old") }
      #expect(
        try folder.search("all/*").names == ["all/1.zip/old/a.sqlite", "all/2.tgz/old/a.sqlite"]
      )
      let found = try folder.search("all")
      #expect(found.stores == [])
      #expect(found.tally.oddities.map(\.name) == ["all/1.zip", "all/2.tgz"])
    }
  }
}

/// The words where archives cannot be opened.
@Suite struct `Archives without bsdtar` {
  @Test func `an error says what to install`() throws {
    try SearchedFolder.with { folder in
      try folder.file("x.zip", Array("PK\u{3}\u{4}".utf8))
      let options = StoreSearch.Options(
        output: nil,
        ledger: nil,
        folder: WorkingFolder(folder.path),
        searchPath: folder.path
      )
      var search = try StoreSearch(options)
      let error = try #require(throws: WaystoneError.self) {
        _ = try search.search("x.zip") { _ in }
      }
      #expect(error.message == "There is no bsdtar to open archives with.")
      #expect(error.recovery.contains("apt-get install libarchive-tools"))
    }
  }

  @Test func `a log in an archive without its store is told of`() throws {
    try SearchedFolder.with { folder in
      let log = [0x37, 0x7f, 0x06, 0x82] + [UInt8](repeating: 0, count: 100)
      let bytes =
        TarBytes.member("a.sqlite", TarBytes.database()) + TarBytes.member("a.sqlite-wal", log)
        + TarBytes.member("b.sqlite-wal", log) + TarBytes.member("c.sqlite-wal", [1])
        // What macOS keeps beside a log, and the log of a run.
        + TarBytes.member("__MACOSX/._a.sqlite-wal", [0, 5, 22, 7] + log)
        + TarBytes.member("d.sqlite.waystone/journal.ndjson", [1])
        + TarBytes.member("d.sqlite.waystone/hop-1.sqlite-wal", log)
      try folder.file("x.tar", bytes + TarBytes.end)
      let found = try folder.search("x.tar")
      #expect(found.names == ["x.tar/a.sqlite"])
      #expect(found.oddities.map { $0.split(separator: ":")[0] } == ["x.tar/b.sqlite-wal"])
    }
  }
}
