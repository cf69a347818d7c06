import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// `coverage --changed-only`, in repositories made for the purpose.
@Suite(.enabled(if: Git.isThere)) struct CoverageChangesTests {
  private static let versions: [(name: String, entities: String)] = (1...4).map { number in
    (
      "v\(number)",
      SketchedModel.book((1...number).map { ("a\($0)", "") })
    )
  }

  /// Lends the body a repository with two models, all committed.
  private func withRepository(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive", model: "A")
      try SketchedModel.write(
        CoverageCommandTests.titles,
        into: "\(folder)/ModelArchive",
        model: "B"
      )
      try Git.run("init", "-q", "-b", "main", in: folder)
      try Git.run("add", ".", in: folder)
      try Git.run("commit", "-q", "-m", "Begin", in: folder)
      try body(folder)
    }
  }

  private func paths(_ folder: String, since reference: String = "main") throws -> [String] {
    let run = CommandRun(
      ["coverage", "--changed-only", reference, "--format", "json"],
      in: folder
    )
    return (try run.json()["paths"] as? [[String: Any]] ?? []).map {
      "\($0["from"] as? String ?? "")"
    }
  }

  @Test func `nothing that changed is nothing to look at`() throws {
    try withRepository { folder in
      let run = CommandRun("coverage", "--changed-only", "main", in: folder)
      #expect(run.status == .success)
      #expect(run.output.hasPrefix("Nothing that a path rests on differs from main."))
      try SketchedModel.write("words", to: "\(folder)/notes.txt")
      #expect(try paths(folder).isEmpty)
    }
  }

  @Test func `paths over a version that changed are looked at, and no others`() throws {
    try withRepository { folder in
      let path = "\(folder)/ModelArchive/A.xcdatamodeld/v2.xcdatamodel/contents"
      try SketchedModel.write(
        SketchedModel.contents(SketchedModel.book([("a1", ""), ("other", "")])),
        to: path
      )
      #expect(try paths(folder) == ["A/v1", "A/v2"])
      try Git.run("commit", "-q", "-a", "-m", "Change", in: folder)
      #expect(try paths(folder).isEmpty)
      #expect(try paths(folder, since: "main~1") == ["A/v1", "A/v2"])
    }
  }

  @Test func `a new mapping and a new version are changes that git need not know yet`() throws {
    try withRepository { folder in
      try SketchedModel.write(
        "from: B/v2\nto: B/v3\nentities: [{source: Book}]\n",
        to: "\(folder)/ModelArchive/B.v2-v3.hop.yml"
      )
      #expect(try paths(folder) == ["B/v1", "B/v2"])
      try Git.run("add", ".", in: folder)
      #expect(try paths(folder) == ["B/v1", "B/v2"])
      try Git.run("commit", "-q", "-m", "Map", in: folder)
      try SketchedModel.write(
        SketchedModel.contents(SketchedModel.book([("z", "")])),
        to: "\(folder)/ModelArchive/B.xcdatamodeld/v0.xcdatamodel/contents"
      )
      #expect(try paths(folder) == ["v0"])
    }
  }

  @Test func `a hop file that loses more is a gap of the change, as it is of all`() throws {
    try withRepository { folder in
      #expect(CommandRun("lock", "A/v1", "B/v1", "B/v2", in: folder).status == .success)
      let hop = "from: A/v1\nto: A/v2\nentities:\n  - source: Book\n"
      let path = "\(folder)/ModelArchive/A.v1-v2.hop.yml"
      try SketchedModel.write(hop, to: path)
      try Git.run("add", ".", in: folder)
      try Git.run("commit", "-q", "-m", "Map", in: folder)
      try SketchedModel.write(hop + "    where: a1 != \"x\"\n", to: path)
      for arguments in [["coverage"], ["coverage", "--changed-only", "main"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == .answerIsNo, "\(run.output)")
        #expect(run.words.contains("error WS409"), "\(run.output)")
      }
    }
  }

  @Test func `a version or mapping that is gone changes what remains`() throws {
    try withRepository { folder in
      try FileManager.default.removeItem(
        atPath: "\(folder)/ModelArchive/A.xcdatamodeld/v2.xcdatamodel"
      )
      #expect(try paths(folder) == ["A/v1", "A/v3"])
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs a repository of another user"))
  func `a repository of another user is read, since nothing that it configures is in force`() throws
  {
    try withRepository { folder in
      #expect(chown(folder, 1234, 1234) == 0 && chown("\(folder)/.git", 1234, 1234) == 0)
      let run = CommandRun("coverage", "--changed-only", "main", in: folder)
      #expect(run.status == .success)
      #expect(run.output.hasPrefix("Nothing that a path rests on differs from main."))
    }
  }

  @Test func `a lock that changed may concern every path`() throws {
    try withRepository { folder in
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      #expect(try paths(folder).count == 5)
      try Git.run("add", ".", in: folder)
      try Git.run("commit", "-q", "-m", "Lock", in: folder)
      #expect(try paths(folder).isEmpty)
      let run = CommandRun("coverage", "--changed-only", "main", in: folder)
      #expect(run.output.hasSuffix("\nNothing was looked at.\n"), "\(run.output)")
    }
  }

  @Test func `without a repository or such a commit there is a clear error`() throws {
    try withRepository { folder in
      for name in ["nowhere", "-x", "main:notes"] {
        let run = CommandRun(["coverage", "--changed-only=\(name)"], in: folder)
        #expect(run.status == .usage)
        #expect(run.errors.contains("commit"), "\(run.errors)")
      }
      let run = CommandRun(
        ["coverage", "--changed-only", "main"],
        in: folder,
        environment: ["PATH": "/nowhere"]
      )
      #expect(run.status == .usage)
      #expect(run.errors.contains("no git"))
    }
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let run = CommandRun("coverage", "--changed-only", "main", in: folder)
      #expect(run.status == .usage)
      #expect(run.errors.contains("is in no git repository"))
    }
  }
}
