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

  @Test func `are in doubt as a whole, and in none where their target is named`() throws {
    try with(Self.twoApps, "models: .\n") { folder in
      let all = CommandRun("versions", in: folder)
      #expect(all.words.contains("different") || all.words.contains("two classes"), "\(all.output)")
      try write(["waystone.yml": "models: .\ntarget: App\n"], to: folder)
      let app = CommandRun("check", in: folder)
      #expect(app.words.contains("0 errors, 0 warnings"), "\(app.output)\(app.errors)")
      #expect(CommandRun("diff", "current", in: folder).status != .success)
      try write(["waystone.yml": "models: App.xcodeproj\ntarget: Watch\n"], to: folder)
      let watch = CommandRun("versions", "--format", "json", in: folder)
      #expect(watch.output.contains("Draft") || watch.output.contains("\"entities\": 2"))
    }
  }

  @Test func `of a project without a name of a target are those of all apps, which it says`() throws
  {
    try with(Self.twoApps) { folder in
      let run = CommandRun("versions", "--models", "App.xcodeproj", in: folder)
      #expect(
        run.words.contains(
          "Several targets may make the app's store: App, Watch. The files of all count. Name one in "
            + "waystone.yml: `target: App`."
        ),
        "\(run.output)\(run.errors)"
      )
    }
  }

  @Test func `of a target that is not there are an error, which names those that are`() throws {
    try with(Self.twoApps, "models: .\ntarget: Ap\n") { folder in
      let run = CommandRun("versions", in: folder)
      #expect(run.status != .success)
      #expect(run.errors.contains("No project or package here has a target Ap."), "\(run.errors)")
      #expect(run.errors.contains("Let `target:` name one of App, Watch."), "\(run.errors)")
    }
  }

  @Test func `of a project that is damaged are an error at its line`() throws {
    let damaged = ["App.xcodeproj/project.pbxproj": "{\n<<<<<<< HEAD\n}"]
    let files = Self.twoApps.merging(damaged) { $1 }
    try with(files) { folder in
      let run = CommandRun("versions", "--models", "App.xcodeproj", in: folder)
      #expect(run.status != .success)
      #expect(run.errors.contains("Line 2"), "\(run.errors)")
    }
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

  @Test func `behind a link are not read, and are said to be missing`() throws {
    let project = SampleXcodeProject(Target("App").with { $0.files = ["A.swift", "Link.swift"] })
    let files = [
      "A.swift": "@Model final class A { var x: Int }",
      "App.xcodeproj/project.pbxproj": project.text,
    ]
    try with(files, "models: .\ntarget: App\n") { folder in
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/Link.swift",
        withDestinationPath: "/etc/passwd"
      )
      let run = CommandRun("check", in: folder)
      #expect(
        run.words.contains("1 file of the target App is not here, or behind a link: Link.swift."),
        "\(run.output)\(run.errors)"
      )
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
    try with(files, "models: .\n") { folder in
      // The one target that has the class is known without its name.
      let versions = CommandRun("versions", in: folder).words
      try write(["waystone.yml": "models: .\ntarget: App\n"], to: folder)
      let run = CommandRun("check", in: folder)
      #expect(run.words.contains("0 errors, 0 warnings"), "\(run.output)\(run.errors)")
      #expect(CommandRun("versions", in: folder).words == versions)
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
