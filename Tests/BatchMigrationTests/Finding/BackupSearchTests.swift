import BatchMigration
import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Stores in backups of devices, as iTunes and the Finder make them.
@Suite struct `Finding stores in backups` {
  private static let domain = "AppDomain-com.example.app"

  /// Makes a backup with a whole store: files under hashes, and a manifest of their names.
  private func make(
    _ name: String,
    in folder: SearchedFolder,
    isEncrypted: Bool = false,
    isFlat: Bool = false,
    isBinary: Bool = true
  ) throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["IsEncrypted": isEncrypted, "Version": "10.0"] as [String: Any],
      format: isBinary ? .binary : .xml,
      options: 0
    )
    try folder.file("\(name)/Manifest.plist", Array(list))
    try AppDatabase.run(
      "\(folder.path)/\(name)/Manifest.db",
      "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER,"
        + " file BLOB)"
    )
    try add(folder: "Documents", to: name, in: folder)
    try folder.wholeStore("app/\(name)/Notes.sqlite")
    for (number, path) in [
      "Notes.sqlite", "Notes.sqlite-wal", ".Notes_SUPPORT/_EXTERNAL_DATA/0B5E",
    ].enumerated() {
      let bytes = try #require(TemporaryFolder.bytes(of: "\(folder.path)/app/\(name)/\(path)"))
      try add("Documents/\(path)", number + 1, bytes, to: name, in: folder, isFlat: isFlat)
    }
    try add("Documents/text", 4, Array("text".utf8), to: name, in: folder, isFlat: isFlat)
  }

  private func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 40 - digits.count) + digits
  }

  private func add(
    _ path: String,
    _ number: Int,
    _ bytes: [UInt8]?,
    to backup: String,
    in folder: SearchedFolder,
    isFlat: Bool = false
  ) throws {
    let id = id(number)
    if let bytes {
      try folder.file(isFlat ? "\(backup)/\(id)" : "\(backup)/\(id.prefix(2))/\(id)", bytes)
    }
    try AppDatabase.run(
      "\(folder.path)/\(backup)/Manifest.db",
      "INSERT INTO Files VALUES ('\(id)', '\(Self.domain)', '\(path)', 1, NULL)"
    )
  }

  private func add(folder path: String, to backup: String, in folder: SearchedFolder) throws {
    try AppDatabase.run(
      "\(folder.path)/\(backup)/Manifest.db",
      "INSERT INTO Files VALUES ('\(id(0xffff))', '\(Self.domain)', '\(path)', 2, NULL)"
    )
  }

  @Test(arguments: [(false, false), (true, true)])
  func `a store is found with its -wal and its external files, and fetched`(
    isFlat: Bool,
    isBinary: Bool
  ) throws {
    try SearchedFolder.with { folder in
      try make("Backup", in: folder, isFlat: isFlat, isBinary: isBinary)
      let before = TemporaryFolder.names(in: "\(folder.path)/Backup")
      let found = try folder.search("Backup")
      #expect(found.names == ["Backup/\(Self.domain)/Documents/Notes.sqlite"])
      #expect(found.tally.oddities == [])
      #expect(found.tally.files == 4)
      #expect(found.tally.others == 1)
      #expect(TemporaryFolder.names(in: "\(folder.path)/Backup") == before)
      let store = try #require(found.stores.first)
      #expect(store.place.fileName == "Notes.sqlite")
      let into = try folder.folder("into")
      let outcomes = try StoreFetch(folder.options()).fetch([store], into: into) { _ in "1" }
      let path = try #require(try outcomes.first?.result.get())
      #expect(path == "\(into)/1/Notes.sqlite")
      for name in ["Notes.sqlite", "Notes.sqlite-wal", ".Notes_SUPPORT/_EXTERNAL_DATA/0B5E"] {
        let bytes = TemporaryFolder.bytes(of: "\(into)/1/\(name)")
        #expect(bytes == TemporaryFolder.bytes(of: "\(folder.path)/app/Backup/\(name)"))
        #expect(bytes != nil)
      }
      // A store that is the same does not come from a file that changed meanwhile.
      try folder.file("app/Backup/Notes.sqlite", TarBytes.database())
      let id = id(1)
      let hashed = isFlat ? "Backup/\(id)" : "Backup/00/\(id)"
      try folder.file(hashed, TarBytes.database())
      let again = try StoreFetch(folder.options()).fetch([store], into: into) { _ in "2" }
      #expect(throws: WaystoneError.self) { _ = try again.first?.result.get() }
      #expect(TemporaryFolder.names(in: into) == ["1"])
    }
  }

  @Test func `an encrypted backup is refused, and one below a folder is told of`() throws {
    try SearchedFolder.with { folder in
      try make("all/1", in: folder, isEncrypted: true)
      try make("all/2", in: folder)
      let error = try #require(throws: WaystoneError.self) { _ = try folder.search("all/1") }
      #expect(error.code == .refused)
      let found = try folder.search("all")
      #expect(found.names == ["all/2/\(Self.domain)/Documents/Notes.sqlite"])
      #expect(
        found.oddities == [
          "all/1: all/1 is an encrypted backup. Make one without encryption, or decrypt it and name "
            + "the folder."
        ]
      )
    }
  }

  @Test func `a backup that does not say whether it is encrypted is refused`() throws {
    try SearchedFolder.with { folder in
      try make("Backup", in: folder)
      try folder.file("Backup/Manifest.plist", Array("<plist/>".utf8))
      let error = try #require(throws: WaystoneError.self) { _ = try folder.search("Backup") }
      #expect(error.code == .badFile)
    }
  }

  @Test func `a backup whose list has no files is refused`() throws {
    try SearchedFolder.with { folder in
      try make("b", in: folder)
      try AppDatabase.run("\(folder.path)/b/Manifest.db", "DROP TABLE Files")
      let error = #expect(throws: WaystoneError.self) { try folder.search("b") }
      #expect(error?.code == .badFile)
      #expect(error?.message == "b/Manifest.db has no list of the backup's files.")
    }
  }

  @Test(arguments: ["Manifest.plist", "Manifest.db", nil])
  func `files of a backup that is not known as one are not taken`(missing: String?) throws {
    try SearchedFolder.with { folder in
      try make("b", in: folder)
      if let missing {
        try FileManager.default.removeItem(atPath: "\(folder.path)/b/\(missing)")
      }
      // Without their folder they are what a shell makes of a pattern.
      let found = try folder.search(missing == nil ? "b/00" : "b")
      #expect(found.stores.map(\.name).filter { !$0.hasSuffix("Manifest.db") } == [])
      #expect(found.oddities.count == 1)
      #expect(found.oddities.first?.contains("It is a file of a device's backup") == true)
    }
  }

  @Test func `what the manifest says is not believed`() throws {
    try SearchedFolder.with { folder in
      try make("Backup", in: folder)
      try folder.store("secret.sqlite")
      try add("../up.sqlite", 0x10, TarBytes.database(), to: "Backup", in: folder)
      try add("Documents/a.sqlite", 0x11, TarBytes.database(), to: "Backup", in: folder)
      try add("Documents/a.sqlite-wal", 0x12, nil, to: "Backup", in: folder)
      try add("Documents/gone.sqlite", 0x13, nil, to: "Backup", in: folder)
      try AppDatabase.run(
        "\(folder.path)/Backup/Manifest.db",
        "INSERT INTO Files VALUES ('../../secret.sqlite', 'D', 's.sqlite', 1, NULL);"
          + " INSERT INTO Files VALUES ('\(id(0x14))', NULL, x'ff', 1, NULL)"
      )
      let found = try folder.search("Backup")
      #expect(found.stores.count == 1)
      let root = "Backup/\(Self.domain)"
      #expect(
        found.oddities == [
          "\(root)/../up.sqlite: Its name leads upwards (`..`).",
          "\(root)/Documents/a.sqlite: It is refused, as the backup lacks its -wal, or has several.",
          "\(root)/Documents/gone.sqlite: The backup lacks the file \(id(0x13)).",
          "Backup/D/s.sqlite: The backup lacks the file ../../secret.sqlite.",
          "Backup//: It has no name in the manifest of the backup.",
        ]
      )
    }
  }

  @Test func `a database that the manifest does not list is told of`() throws {
    try SearchedFolder.with { folder in
      try make("backup", in: folder)
      try folder.store("backup/aa/\(id(0xaa))")
      let found = try folder.search("backup")
      #expect(found.names.count == 1)
      #expect(
        found.oddities == [
          "backup/aa/\(id(0xaa)): It is a database that the manifest of the backup does not list."
        ]
      )
    }
  }
}
