import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

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

  private func write(_ files: [String: String], to folder: String) throws {
    for (name, text) in files {
      let path = "\(folder)/\(name)"
      try FileManager.default.createDirectory(
        atPath: String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)),
        withIntermediateDirectories: true
      )
      try TemporaryFolder.write(Array(text.utf8), to: path)
    }
  }

  private func with(
    _ files: [String: String],
    _ configuration: String? = nil,
    _ body: (_ folder: String) throws -> Void
  ) throws {
    let folder = try ScratchFolder()
    try write(files, to: folder.path)
    if let configuration { try write(["waystone.yml": configuration], to: folder.path) }
    try body(folder.path)
  }

  @Test func `of one target are a guess of init, which says so`() throws {
    var files = Self.twoApps
    files["Watch/Main.swift"] = "struct W { }"
    try with(files) { folder in
      #expect(CommandRun("init", in: folder).status == .success)
      let text = try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8)
      #expect(text.contains("models: .\n# A guess: "), "\(text)")
      #expect(text.contains("\ntarget: App\n"), "\(text)")
      let run = CommandRun("check", in: folder)
      #expect(run.words.contains("0 errors, 0 warnings"), "\(run.output)\(run.errors)")
    }
    try with(Self.twoApps) { folder in
      #expect(CommandRun("init", in: folder).status == .success)
      let text = try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8)
      #expect(text.contains("# Several targets make a container: App, Watch."), "\(text)")
      #expect(text.contains("\n# target: App\n"), "\(text)")
    }
  }

  @Test(.enabled(if: Git.isThere, "needs git"))
  func `are those of the target as each tag has it`() throws {
    try with(["App/Note.swift": "@Model final class Note { var text: String }"]) { folder in
      try Git.commitAll(in: folder)
      try Git.run("tag", "v1", in: folder)
      try write(Self.twoApps, to: folder)
      try Git.run("add", "-A", in: folder)
      try Git.run("commit", "-q", "-m", "b", in: folder)
      try Git.run("tag", "v2", in: folder)
      try write(["waystone.yml": "models: '.@v1,v2,.'\ntarget: App\n"], to: folder)
      let run = CommandRun("versions", in: folder)
      #expect(
        run.words.contains(
          "At v1 all files of the folder count. No project or package here has a target App."
        ),
        "\(run.output)\(run.errors)"
      )
      #expect(CommandRun("diff", "v1", "v2", in: folder).output.contains("nothing differs"))
      #expect(CommandRun("diff", "v2", "current", in: folder).output.contains("nothing differs"))
    }
  }
}
