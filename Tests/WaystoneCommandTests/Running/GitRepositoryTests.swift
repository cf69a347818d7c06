import Foundation
import MigrationTestSupport
import Testing
import Waystone
import WaystoneCommand

/// The parts of a git repository that are read, and those that are never in force.
@Suite(.enabled(if: Git.isThere)) struct GitRepositoryTests {
  /// Lends the body a committed repository with one model, tagged `v1`.
  private func withRepository(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", SketchedModel.book([("a", "")])), ("v2", SketchedModel.book([("b", "")]))],
        into: "\(folder)/ModelArchive"
      )
      try Git.commitAll(in: folder)
      try Git.run("tag", "v1", in: folder)
      try body(folder)
    }
  }

  @Test func `a filter and a hook of the repository do not run`() throws {
    try withRepository { folder in
      let script = "\(folder)/evil.sh"
      try SketchedModel.write("#!/bin/sh\necho $0 >> \(folder)/ran\ncat\n", to: script)
      #expect(chmod(script, 0o755) == 0)
      try FileManager.default.createDirectory(
        atPath: "\(folder)/hooks",
        withIntermediateDirectories: true
      )
      try FileManager.default.copyItem(atPath: script, toPath: "\(folder)/hooks/post-index-change")
      try Git.run("config", "filter.x.clean", script, in: folder)
      try Git.run("config", "core.hooksPath", "\(folder)/hooks", in: folder)
      try Git.run("config", "core.fsmonitor", script, in: folder)
      try SketchedModel.write("* filter=x\n", to: "\(folder)/.git/info/attributes")
      let contents = "\(folder)/ModelArchive/Library.xcdatamodeld/v1.xcdatamodel/contents"
      #expect(utimes(contents, nil) == 0)
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, "--changed-only", "v1", in: folder)
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/ran"), "\(verb)")
      }
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["HEAD", "packed-refs", "refs/heads/pipe", "objects/info/alternates", "shallow"]
  )
  func `a pipe that is a part of the repository is an error at once`(_ name: String) throws {
    try withRepository { folder in
      let path = "\(folder)/.git/\(name)"
      _ = unlink(path)
      #expect(mkfifo(path, 0o600) == 0)
      let run = CommandRun("coverage", "--changed-only", "v1", in: folder)
      #expect(run.status == .damagedInput, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("is a pipe, a socket or a device"), "\(run.errors)")
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a pipe that the configuration includes is not opened`() throws {
    try withRepository { folder in
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      try Git.run("config", "include.path", "\(folder)/pipe", in: folder)
      let run = CommandRun("coverage", "--changed-only", "v1", in: folder)
      #expect(run.status == .success, "\(run.errors)")
    }
  }

  @Test func `branches, tags and commits of a work tree beside the first are known`() throws {
    try withRepository { folder in
      try Git.run("pack-refs", "--all", in: folder)
      try Git.run("worktree", "add", "-q", "-b", "side", "\(folder)/side", in: folder)
      let first = try GitRepository(around: "\(folder)/ModelArchive")
      let second = try GitRepository(around: "\(folder)/side/ModelArchive")
      let commit = try first.commit("main")
      for name in ["v1", "side", "HEAD", "main^0", commit, String(commit.prefix(8))] {
        #expect(try second.commit(name) == commit, "\(name)")
      }
      #expect(second.root.hasSuffix("/side"))
      #expect(throws: WaystoneError.self) { try second.commit("nowhere") }
    }
  }

  @Test func `a repository of SHA-256 is read`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write("a", to: "\(folder)/a.txt")
      try Git.run("init", "-q", "-b", "main", "--object-format=sha256", in: folder)
      try Git.commitAll(in: folder)
      let repository = try GitRepository(around: folder)
      #expect(try repository.commit("main").count == 64)
      #expect(try repository.hasFile("\(folder)/a.txt", in: "HEAD"))
      #expect(try !repository.hasFile("\(folder)/b.txt", in: "HEAD"))
    }
  }

  @Test func `the versions that each commit has or had are known, wherever their model was`() throws
  {
    try TemporaryFolder.with { folder in
      try SketchedModel.write("1", to: "\(folder)/Old/M.xcdatamodeld/v9.xcdatamodel/contents")
      try Git.commitAll(in: folder)
      try SketchedModel.write("2", to: "\(folder)/App/M.xcdatamodeld/v9.xcdatamodel/contents")
      try SketchedModel.write("3", to: "\(folder)/App/M.xcdatamodeld/v10.xcdatamodel/contents")
      try Git.commitAll(in: folder)
      let sets = try GitRepository(around: "\(folder)/App")
        .folders(endingIn: ".xcdatamodel", below: "M.xcdatamodeld")
      #expect(sets == [["v9"], ["v9", "v10"]])
    }
  }

  @Test func `a version that only a merge adds is known, and its removal forgets none`() throws {
    try TemporaryFolder.with { folder in
      let model = "\(folder)/M.xcdatamodeld"
      try SketchedModel.write("1", to: "\(model)/v1.xcdatamodel/contents")
      try Git.commitAll(in: folder)
      try Git.run("checkout", "-q", "-b", "side", in: folder)
      try SketchedModel.write("3", to: "\(model)/v3.xcdatamodel/contents")
      try Git.commitAll(in: folder)
      try Git.run("checkout", "-q", "main", in: folder)
      try SketchedModel.write("a", to: "\(folder)/a.txt")
      try Git.commitAll(in: folder)
      try Git.run("merge", "-q", "--no-commit", "side", in: folder)
      try SketchedModel.write("2", to: "\(model)/v2.xcdatamodel/contents")
      try Git.commitAll(in: folder)
      try Git.run("rm", "-q", "-r", "\(model)/v3.xcdatamodel", in: folder)
      try Git.run("commit", "-q", "-m", "b", in: folder)
      let sets = try GitRepository(around: folder)
        .folders(endingIn: ".xcdatamodel", below: "M.xcdatamodeld")
      #expect(sets == [["v1"], ["v1", "v3"], ["v1", "v2", "v3"]])
    }
  }
}
