import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import Waystone

/// The file that SwiftData opens beside Core Data's.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct MovedStoreTests {
  @Test(arguments: [
    (
      "ModelConfiguration(url: url)", "note: The code gives SwiftData the URL of Recipes.sqlite, as"
    ),
    (
      "ModelConfiguration()",
      "warning: The code gives no URL, so that SwiftData opens default.store"
    ),
    ("ModelConfiguration(\"Cook\")", "warning: The code gives the name Cook and no URL"),
    (
      "ModelConfiguration(url: URL.documentsDirectory.appending(path: \"a/Other.db\"))",
      "note: The code gives SwiftData the URL of Other.db, and Core Data keeps Recipes.sqlite"
    ),
    (
      "ModelConfiguration(url: makeURL())", "note: The code gives SwiftData the URL of a file whose"
    ),
    (
      "ModelConfiguration(groupContainer: .identifier(\"group.a\"))",
      "warning: The code gives no URL, so that SwiftData opens default.store in a group container"
    ),
  ])
  func `the file that the code gives is told`(configuration: String, words: String) throws {
    try MovedSample.with { sample in
      try sample.edit("Sources/RecipesStore.swift", "ModelConfiguration(url: url)", configuration)
      let found = try sample.findings("WS820")
      #expect(found.count == 1 && found[0].hasPrefix(words), "\(found)")
    }
  }

  @Test func `a container without configurations opens default.store`() throws {
    try MovedSample.with { sample in
      try sample.edit(
        "Sources/RecipesStore.swift",
        ",\n      configurations: ModelConfiguration(url: url)",
        ""
      )
      let found = try sample.findings("WS820")
      #expect(found.first?.hasPrefix("warning: The code gives no URL") == true, "\(found)")
    }
  }

  @Test func `the name of a container of Core Data in the sources counts`() throws {
    try MovedSample.with { sample in
      try sample.write(
        "import CoreData\n\nlet old = NSPersistentContainer(name: \"Kitchen\")\n",
        to: "Sources/Old.swift"
      )
      let found = try sample.findings("WS820")
      #expect(found.first?.contains("Core Data keeps Kitchen.sqlite") == true, "\(found)")
    }
  }

  @Test func `a project of its own below a folder is passed over, unless there is no other model`()
    throws
  {
    try MovedSample.with { sample in
      func names(_ folder: String) -> [String] {
        ((try? ModelArchive(contentsOf: URL(filePath: folder))) ?? ModelArchive(models: [])).models
          .map(\.name)
      }
      try TemporaryFolder.with { folder in
        try FileManager.default.copyItem(atPath: sample.folder, toPath: folder + "/Recipes")
        #expect(names(folder) == ["Recipes"])
        try FileManager.default.copyItem(
          atPath: "\(SampleArchive.root)/Notes.xcdatamodeld",
          toPath: folder + "/Notes.xcdatamodeld"
        )
        #expect(names(folder) == ["Notes"])
      }
    }
  }
}
