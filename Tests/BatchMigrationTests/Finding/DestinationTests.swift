import BatchMigration
import Foundation
import Testing
import Waystone

/// The places of results: below the output tree, and no two at one place.
@Suite struct `Destinations of found stores` {
  /// The comparison of names by file systems that tell neither case nor normal form.
  private func folded(_ name: String) -> String {
    name.decomposedStringWithCanonicalMapping.uppercased().lowercased()
      .decomposedStringWithCanonicalMapping
  }

  @Test func `names that differ in case or normal form have different destinations`() throws {
    try SearchedFolder.with { folder in
      let names = [
        "s/Notes.sqlite", "s/notes.sqlite", "s/é.sqlite", "s/e\u{301}.sqlite", "s/ß", "s/SS",
      ]
      for name in names { try folder.store(name) }
      let found = try folder.search("s")
      // Some file systems have one file for two such names.
      try #require(found.stores.count > 3)
      #expect(Set(found.stores.map { folded($0.destination) }).count == found.stores.count)
      #expect(found.stores.map(\.destination) == (try folder.search("s").stores.map(\.destination)))
      #expect(found.stores.map(\.destination).contains("s/Notes.sqlite"))
      let other = try #require(found.stores.first { $0.name == "s/notes.sqlite" })
      #expect(other.destination.contains(/^s\/notes-[0-9a-f]{8}\.sqlite$/))
    }
  }

  @Test func `no store gets the place of the ledger`() throws {
    try SearchedFolder.with { folder in
      for name in ["batch.waystone.sqlite", "batch.waystone.sqlite-wal"] { try folder.store(name) }
      var search = try StoreSearch(
        StoreSearch.Options(
          output: folder.path + "/out",
          ledger: folder.path + "/out/batch.waystone.sqlite",
          folder: WorkingFolder(folder.path)
        )
      )
      for name in ["batch.waystone.sqlite", "batch.waystone.sqlite-wal"] {
        _ = try search.search(name) { #expect($0.destination != name) }
      }
    }
  }

  @Test func `stores of one name in several roots have different names and destinations`() throws {
    try SearchedFolder.with { folder in
      for name in ["x/old/a.sqlite", "y/old/a.sqlite", "z/old"] { try folder.store(name) }
      let found = try folder.search("x/old", "y/old", "z/old")
      #expect(found.stores.count == 3)
      #expect(Set(found.names).count == 3)
      let destinations = found.stores.map(\.destination)
      // A store may not take the name of a folder.
      #expect(destinations.first == "old/a.sqlite")
      #expect(destinations.last?.hasPrefix("old-") == true)
      #expect(Set(destinations.map(folded)).count == 3)
      let turned = try folder.search("z/old", "x/old").stores.map(\.destination)
      #expect(turned.first == "old")
      #expect(turned.last?.contains(/^old-[0-9a-f]{8}\/a\.sqlite$/) == true)
    }
  }

  @Test func `no destination is what a run or SQLite keeps beside another`() throws {
    try SearchedFolder.with { folder in
      try folder.store("s/a.sqlite")
      try folder.store("s/b-wal")
      try folder.store("s/line\nbreak")
      try folder.store("s/" + String(repeating: "n", count: 240) + ".sqlite")
      let found = try folder.search("s").stores.map(\.destination)
      #expect(found.count == 4)
      #expect(found.contains("s/b-wal_"))
      #expect(found.contains(#"s/line\nbreak"#))
      #expect(found.allSatisfy { $0.utf8.count < 200 })
    }
  }
}
