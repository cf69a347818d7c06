import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Two targets, each with a folder of the same models and mappings.
@Suite struct MappingCopyTests {
  @Test func `identical copies are one mapping`() throws {
    try TemporaryFolder.with { folder in
      for target in ["App", "Watch"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(target)",
          withIntermediateDirectories: true
        )
        for name in [
          "Notes.xcdatamodeld", "Notes.v2-v3.xcmappingmodel", "Notes.v3-v4.xcmappingmodel",
        ] {
          try FileManager.default.copyItem(
            atPath: "\(SampleArchive.root)/\(name)",
            toPath: "\(folder)/\(target)/\(name)"
          )
        }
      }
      let check = CommandRun("check", "--models", ".", in: folder)
      #expect(!check.output.contains("both say"), "\(check.output)")
      for target in ["App", "Watch"] {
        let version = "\(target)/Notes.xcdatamodeld/v"
        let run = CommandRun(
          "plan",
          "\(version)2",
          "--to",
          "\(version)3",
          "--models",
          ".",
          in: folder
        )
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        #expect(run.output.contains("v2-v3.xcmappingmodel"))
      }
    }
  }

  @Test func `a hop file is for the model beside it`() throws {
    try TemporaryFolder.with { folder in
      for target in ["App", "Widget"] {
        try SketchedModel.write(Self.versions, into: "\(folder)/\(target)", model: "M")
        try SketchedModel.write(
          Self.hop("Note").replacing("MA/", with: "").replacing(
            "$source.title",
            with: "\"'\(target)'\""
          ),
          to: "\(folder)/\(target)/note.hop.yml"
        )
      }
      // The app does not read hop files.
      let check = CommandRun("check", "--models", ".", in: folder)
      #expect(check.words.contains("Failed: WS722"), "\(check.output)\(check.errors)")
      let version = "Widget/M.xcdatamodeld/v"
      let plan = CommandRun(
        "plan",
        version + "1",
        "--to",
        version + "2",
        "--models",
        ".",
        in: folder
      )
      #expect(plan.output.contains("Widget/note.hop.yml"), "\(plan.output)\(plan.errors)")
    }
  }

  private static let versions = [
    ("v1", ""), ("v2", #"<attribute name="year" optional="YES" attributeType="String"/>"#),
  ]
  .map { name, more in
    (
      name: name,
      entities: ["Note", "Tag"].map { entity in
        """
        <entity name="\(entity)" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>\(more)</entity>
        """
      }.joined()
    )
  }

  private static func hop(_ entity: String) -> String {
    """
    from: MA/v1
    to: MA/v2
    entities:
      - source: \(entity)
        attributes:
          year: $source.title
    """
  }

  @Test(arguments: [["Shared"], ["A", "B"]])
  func `a model keeps its mapping where another has one more beside it`(tagFolders: [String]) throws
  {
    try TemporaryFolder.with { folder in
      for target in ["A", "B"] {
        try SketchedModel.write(Self.versions, into: "\(folder)/App/\(target)", model: "M\(target)")
      }
      try SketchedModel.write(Self.hop("Note"), to: "\(folder)/App/A/note.hop.yml")
      for other in tagFolders {
        try SketchedModel.write(Self.hop("Tag"), to: "\(folder)/App/\(other)/tag.hop.yml")
      }
      let run = CommandRun(
        ["plan", "MB/v1", "--to", "MB/v2", "--models", "App", "--format", "json"],
        in: folder
      )
      let hops = try run.json()["hops"] as? [[String: Any]] ?? []
      let files = tagFolders.suffix(1).map { "App/\($0)/tag.hop.yml" }
      #expect(hops.map { $0["mappings"] as? [String] } == [files], "\(run.output)")
    }
  }
}
