import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import Waystone

/// Sources that belong to targets of a project.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the trait SwiftData"))
struct SourceTargetTests {
  private typealias Target = SampleXcodeProject.Target

  /// An app and its watch app, each with a class Note and a container of its own.
  private static let twoApps: [String: String] = [
    "App/Note.swift": "@Model final class Note { var text: String }",
    "App/Main.swift": "struct A { let c = ModelContainer(for: Note.self) }",
    "Watch/Note.swift": "@Model final class Note { var text: String?; var draft: Draft? }",
    "Watch/Draft.swift": "@Model final class Draft { var note: Note? }",
    "Watch/Main.swift": "struct W { let c = ModelContainer(for: Note.self, Draft.self) }",
    "App.xcodeproj/project.pbxproj": SampleXcodeProject(
      Target("App").with {
        $0.folders = ["App"]
        $0.dependencies = ["Watch"]
      },
      Target("Watch").with { $0.folders = ["Watch"] }
    ).text,
  ]

  private func with(
    _ files: [String: String],
    _ configuration: String = "models: .",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      for (name, text) in files { try project.write(text, to: name) }
      try project.write(configuration + "\n", to: "waystone.yml")
      try body(project)
    }
  }

  /// The findings of a check that are no notes.
  private func loud(_ project: SketchedProject) throws -> [String] {
    try project.check().allFindings.filter { $0.severity > .note }.briefs
  }

  @Test func `are in doubt as a whole, and in none where their target is named`() throws {
    try with(Self.twoApps) { project in
      #expect(try !loud(project).isEmpty)
      try project.write("models: .\ntarget: App\n", to: "waystone.yml")
      #expect(try loud(project) == [])
      try project.write("models: App.xcodeproj\ntarget: Watch\n", to: "waystone.yml")
      let watch = try #require(try project.project.models.versions.last).model
      #expect(Set(watch.entities.map(\.name)) == ["Draft", "Note"])
    }
  }

  @Test func `of a project without a name of a target are those of all apps`() throws {
    try with(Self.twoApps, "models: App.xcodeproj") { project in
      let several = try project.project.models.findings.of(.undecidedContainer)
      #expect(several.contains { $0.message.contains("App, Watch") })
    }
  }

  @Test func `of a target that is not there are an error, which names those that are`() throws {
    try with(Self.twoApps, "models: .\ntarget: Ap") { project throws in
      let error = #expect(throws: WaystoneError.self) { try project.project }
      #expect(error?.recovery.contains("App, Watch") == true)
    }
  }

  @Test func `of a project that is damaged are an error at its line`() throws {
    let damaged = ["App.xcodeproj/project.pbxproj": "{\n<<<<<<< HEAD\n}"]
    try with(Self.twoApps.merging(damaged) { $1 }, "models: App.xcodeproj") { project throws in
      let error = #expect(throws: WaystoneError.self) { try project.project }
      #expect(error?.message.contains("Line 2") == true)
    }
  }

  @Test func `behind a link are not read, and are missing`() throws {
    let project = SampleXcodeProject(Target("App").with { $0.files = ["A.swift", "Link.swift"] })
    let files = [
      "A.swift": "@Model final class A { var x: Int }",
      "App.xcodeproj/project.pbxproj": project.text,
    ]
    try with(files, "models: .\ntarget: App") { project in
      try FileManager.default.createSymbolicLink(
        atPath: "\(project.folder)/Link.swift",
        withDestinationPath: "/etc/passwd"
      )
      let missing = try project.check().allFindings.of(.unreadableSource)
      #expect(missing.count == 1 && missing[0].message.contains("Link.swift"))
    }
  }

  @Test func `mean the types of their own target, else those of the one that they import`() throws {
    let files = [
      "App.xcodeproj/project.pbxproj": SampleXcodeProject(
        Target("App").with {
          $0.folders = ["App"]
          $0.products = ["Net", "Kit"]
        }
      ).text,
      "App/Note.swift": "import Kit\n@Model final class Note { var kind: Kind; var size: Size }",
      "App/Kind.swift": "enum Kind: Int, Codable { case a }",
      "P/Package.swift": """
      let p = Package(name: "P", products: [.library(name: "Net", targets: ["Net"]),
        .library(name: "Kit", targets: ["Kit"])], targets: [.target(name: "Net"), .target(name: "Kit")])
      """,
      "P/Sources/Net/Types.swift": "struct Kind {}\nenum Size: String, Codable { case s }",
      "P/Sources/Kit/Types.swift": "public enum Size: Int, Codable { case s }",
    ]
    try with(files) { project in
      // The one target that has the class is known without its name.
      let hashes = try project.project.models.versions.map(\.model.entityVersionHashes)
      try project.write("models: .\ntarget: App\n", to: "waystone.yml")
      #expect(try loud(project) == [])
      #expect(try project.project.models.versions.map(\.model.entityVersionHashes) == hashes)
    }
  }
}
