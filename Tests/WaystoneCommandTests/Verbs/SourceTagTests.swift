import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

/// Versions that Swift sources declare at the tags of a repository.
@Suite(.enabled(if: SourceParser.isAvailable && Git.isThere, "needs git and the trait SwiftData"))
struct SourceTagTests {
  private static let model = "@Model class A { var x: Int }"

  /// Lends a repository whose folder `S` had some files at each of some tags, and has the last ones.
  private func with(
    _ states: [(tag: String?, files: [String: String])],
    _ body: (_ folder: String) throws -> Void
  ) throws {
    let folder = try ScratchFolder()
    try Git.run("init", "-q", "-b", "main", in: folder.path)
    for state in states {
      for (name, text) in state.files {
        let path = "\(folder.path)/S/\(name)"
        try FileManager.default.createDirectory(
          atPath: String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)),
          withIntermediateDirectories: true
        )
        try TemporaryFolder.write(Array(text.utf8), to: path)
      }
      guard let tag = state.tag else { continue }
      try Git.run("add", "-A", in: folder.path)
      try Git.run("commit", "-q", "--allow-empty", "-m", tag, in: folder.path)
      try Git.run("tag", tag, in: folder.path)
    }
    try body(folder.path)
  }

  @Test func `freeze a schema as it was at a tag, never one as it is now`() throws {
    try with([("t1", ["A.swift": Self.plan(1)]), (nil, ["A.swift": Self.plan(2)])]) { folder in
      let now = CommandRun("freeze", "V1", "--models", "S@t1,.", in: folder)
      #expect(now.status != .success && now.output.isEmpty)
      #expect(now.errors.contains("`waystone freeze V1 --from TAG`"), "\(now.errors)")
      let then = CommandRun("freeze", "V1", "--from", "t1", "--models", "S@t1,.", in: folder)
      #expect(then.status == .success && then.output.contains("enum V1: VersionedSchema"))
      #expect(!then.output.contains("p2"))
    }
  }

  @Test func `are read of the same files as the folder itself`() throws {
    let other = ["Kit/waystone.yml": "models: .\n", "Kit/Sub/B.swift": "@Model class B {}"]
    try with([("v1", ["A.swift": Self.model].merging(other) { $1 })]) { folder in
      let diff = CommandRun("diff", "v1", "current", "--models", "S@v1,.", in: folder)
      #expect(diff.output.hasPrefix("v1 → current  nothing differs"), "\(diff.output)")
    }
  }

  /// Schemas `V1` and on, each with one more property, and a plan of lightweight stages.
  private static func plan(_ count: Int, first: String = "") -> String {
    let schemas = (1...count).map { number in
      let properties = (1...number).map { "var p\($0): Int?" }.joined(separator: "; ")
      return """
        enum V\(number): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [A.self] }
          @Model final class A { \(properties)\(number == 1 ? first : "") }
        }
        """
    }
    let stages = (1..<count).map {
      ".lightweight(fromVersion: V\($0).self, toVersion: V\($0 + 1).self)"
    }
    let names = (1...count).map { "V\($0).self" }
    return schemas.joined(separator: "\n") + """

      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(names.joined(separator: ", "))] }
        static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
      }
      """
  }

  @Test func `follow one another, whatever the plan lists today`() throws {
    let states: [(String?, [String: String])] = [
      ("v1.0", ["A.swift": Self.plan(1)]), ("v1.1", ["A.swift": Self.plan(2)]),
      (nil, ["A.swift": Self.plan(3)]),
    ]
    try with(states) { folder in
      let run = CommandRun("graph", "--models", "S@v1.0,v1.1,.", in: folder)
      #expect(run.words.contains("v1.0 → v1.1"), "\(run.output)\(run.errors)")
    }
  }

  /// The first tag has the schemas before the last two; a schema that was shipped is as it was, or is not.
  @Test(arguments: [(2, "", "arrives"), (1, "; var late: Int?", "fails")])
  func `know what the plan does with a version of theirs`(
    count: Int,
    edit: String,
    outcome: String
  ) throws {
    let states: [(String?, [String: String])] = [
      ("v1.0", ["A.swift": Self.plan(count)]), (nil, ["A.swift": Self.plan(3, first: edit)]),
    ]
    try with(states) { folder in
      let json = try CommandRun("coverage", "--models", "S@v1.0,.", "--format", "json", in: folder)
        .json()
      let paths = json["paths"] as? [[String: Any]]
      let apps = paths?.compactMap { ($0["app"] as? [String: Any])?["outcome"] as? String }
      #expect(apps == [outcome], "\(json)")
    }
  }

  @Test func `beside a file whose name is not UTF-8 are refused, and the file is named`() throws {
    try with([(nil, ["A.swift": Self.model])]) { folder in
      let start = "\(folder)/S/caf".utf8CString.dropLast()
      let descriptor = open(
        Array(start) + [CChar(bitPattern: 0xe9)] + ".swift".utf8CString,
        O_CREAT,
        0o600
      )
      // Not every file system takes such a name.
      guard descriptor >= 0 else { return }
      close(descriptor)
      let run = CommandRun("versions", "--models", "S", in: folder)
      #expect(run.status == .missingInput)
      #expect(run.errors.contains("S/caf"), "\(run.errors)")
      #expect(run.errors.contains("its name is not UTF-8"), "\(run.errors)")
    }
  }

  @Test func `of which one declares no model go on without it, and name it`() throws {
    let states: [(String?, [String: String])] = [
      ("v0", ["A.swift": "// @Model"]), ("v1", ["A.swift": Self.model]),
    ]
    try with(states) { folder in
      let run = CommandRun("versions", "--models", "S@v0,v1", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.words.contains("v0 is left out: S declares no class with @Model there."))
      #expect(run.words.contains("v1"), "\(run.output)")
      let none = CommandRun("versions", "--models", "S@v0", in: folder)
      #expect(none.status == .missingInput, "\(none.output)")
      #expect(none.errors.contains("at v0 declares no class with @Model"), "\(none.errors)")
    }
  }

  @Test func `are taken by init, which says how far it is and which they are`() throws {
    var states: [(String?, [String: String])] = [("0.1", ["A.swift": "// @Model"])]
    states += (1...32).map { ("1.\($0)", ["A.swift": Self.model]) }
    try with(states) { folder in
      try Git.run("tag", "-d", "1.31", in: folder)
      let run = CommandRun(["init"], in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.errors == "Reading the models at 30 tags. This can take minutes.\n")
      #expect(
        run.words.contains(
          "tags 1.2 to 1.32 (30); not looked at: 0.1, 1.1. `models:` in waystone.yml names them: add or "
            + "remove tags there."
        ),
        "\(run.output)"
      )
      let text = try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8)
      #expect(text.contains("1.30,1.32,."), "\(text)")
      #expect(text.contains("# Older tags, to add where users still have their stores: 0.1, 1.1."))
      for name in ["waystone.yml", ".github/workflows/waystone.yml"] {
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
      }
      let terminal = CommandRun(["init"], in: folder, isTerminal: true)
      #expect(terminal.errors.contains("\rReading the models at tag 30 of 30: 1.32\u{1b}[K"))
      #expect(terminal.errors.hasSuffix("\r\u{1b}[K"))
    }
  }

  @Test func `without models are named by init as JSON`() throws {
    let states: [(String?, [String: String])] = [
      ("0.1", ["A.swift": "// @Model"]), ("1.0", ["A.swift": Self.model]),
    ]
    try with(states) { folder in
      let json = try CommandRun("init", "--format", "json", in: folder).json()
      let tags = json["tags"] as? [String: [String]]
      #expect(tags == ["taken": ["1.0"], "withoutModels": ["0.1"], "older": []])
    }
  }

  @Test func `of which one cannot be read stay in sight`() throws {
    let long = Self.model + "\n" + String(repeating: "// long\n", count: 70_000)
    let states: [(String?, [String: String])] = [
      ("v1", ["A.swift": long]), ("v2", ["A.swift": Self.model]),
    ]
    try with(states) { folder in
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, "--models", "S@v1,v2", in: folder)
        #expect(run.status == .answerIsNo, "\(verb): \(run.output)")
        #expect(run.words.contains("error WS802"), "\(verb): \(run.output)")
        #expect(run.words.contains("v1"), "\(verb): \(run.output)")
      }
    }
  }

  @Test func `are led on by a default that only the app of today has`() throws {
    let states: [(String?, [String: String])] = [
      ("v1", ["A.swift": Self.model]),
      ("v2", ["A.swift": "@Model class A { var x: Int; var y: Int }"]),
      (nil, ["A.swift": "@Model class A { var x: Int; var y: Int = 0 }"]),
    ]
    try with(states) { folder in
      let run = CommandRun(
        "coverage",
        "--models",
        "S@v1,v2,.",
        "--runtime",
        "swiftdata",
        in: folder
      )
      #expect(run.status == .success && run.words.contains("No gap."), "\(run.output)")
      #expect(run.words.contains("2 arrive without loss"), "\(run.output)")
    }
  }
}
