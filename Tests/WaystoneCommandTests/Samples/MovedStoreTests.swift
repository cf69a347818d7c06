import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import Waystone
import WaystoneCommand

/// The verbs on an app that moved from Core Data to SwiftData.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct MovedStoreTests {
  @Test func `the article's commands print what it says, and its configuration is the sample's`()
    throws
  {
    let article = Article("Sources/Waystone/Waystone.docc/MovingToSwiftData.md")
    let text = try #require(try article.blocks("yaml").first).joined(separator: "\n")
    try MovedSample.with { sample in
      let file = try String(contentsOfFile: sample.folder + "/waystone.yml", encoding: .utf8)
      #expect(file.hasSuffix(text + "\n"))
      #expect(try article.runCommands(in: sample.folder) == 11)
    }
  }

  @Test(arguments: [false, true])
  func `init finds both, and drafts the list and the order`(hasEmptyModel: Bool) throws {
    try MovedSample.with { sample in
      if hasEmptyModel {
        let folder = sample.folder + "/Empty.xcdatamodeld/Empty.xcdatamodel"
        try FileManager.default.createDirectory(
          atPath: folder,
          withIntermediateDirectories: true
        )
        try sample.write(
          "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\"/>",
          to: "Empty.xcdatamodeld/Empty.xcdatamodel/contents"
        )
      }
      try FileManager.default.removeItem(atPath: sample.folder + "/waystone.yml")
      let run = sample.run("init")
      #expect(run.status == .success, "\(run.errors)")
      let text = try String(contentsOfFile: sample.folder + "/waystone.yml", encoding: .utf8)
      #expect(text.contains("\nmodels: [Recipes.xcdatamodeld, .]\n"), "\(text)")
      #expect(
        text.contains(
          "order:\n  - Recipes/v1\n  - Recipes/v2\n  - Recipes/v3\n  - SwiftData/SchemaV1\n"
            + "  - SwiftData/SchemaV2\n"
        ),
        "\(text)"
      )
      #expect(text.contains("\nruntime: swiftdata\n"), "\(text)")
      let models = try sample.project.models.models.map(\.name)
      #expect(models.contains("Recipes+SwiftData"), "\(models)")
    }
  }

  @Test func `the exported schema has the hashes of the version`() throws {
    try MovedSample.with { sample in
      let run = sample.run("export", "v3", "--swift", "-o", "SchemaV0.swift")
      #expect(run.status == .success, "\(run.errors)")
      try FileManager.default.createDirectory(
        atPath: sample.folder + "/Exported",
        withIntermediateDirectories: false
      )
      try FileManager.default.moveItem(
        atPath: sample.folder + "/SchemaV0.swift",
        toPath: sample.folder + "/Exported/SchemaV0.swift"
      )
      let project = try sample.project
      let read = try ModelArchive(contentsOf: URL(filePath: sample.folder + "/Exported"))
      let old = try #require(project.models.versions.first { $0.name == "v3" })
      #expect(read.versions.map(\.model.entityVersionHashes) == [old.model.entityVersionHashes])
    }
  }

  @Test func `all that no class can have is named at once`() {
    let run = CommandRun("export", "Letters/v4", "--swift", "--models", SampleArchive.root)
    #expect(run.status != .success)
    #expect(run.errors.contains("Correspondent is abstract"), "\(run.errors)")
  }
}
