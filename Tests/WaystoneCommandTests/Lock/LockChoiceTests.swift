import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct LockChoiceTests {
  @Test func `a first lock leaves the current version out, which users may not have`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let run = try project.run("lock", "--format", "json").json()
      #expect(run["added"] as? [String] == ["v1", "v2"])
      #expect(run["notLocked"] as? [String] == ["v10"])
      #expect(run["written"] as? Bool == true)
    }
  }

  /// The newest version drops `isbn`, which `check` fails for.
  private static let lossy = ("v11", SketchedModel.book([("heading", "")]))

  @Test func `a check that fails for a loss stays red after a lock without names`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.add([Self.lossy])
      #expect(project.run("check").status == .answerIsNo)
      #expect(project.run("lock").status == .success)
      #expect(project.run("check").words.contains("isbn"))
      #expect(project.run("check").status == .answerIsNo)
      #expect(project.run("lock").status == .success)
      #expect(project.run("check").status == .answerIsNo)
      #expect(project.run("lock", "v11").status == .success)
      #expect(!project.run("check").words.contains("isbn"))
    }
  }

  @Test func `a project's only version is locked without a name`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Array(SketchedModel.library.prefix(1)))
      let run = project.run("lock", "--format", "json")
      #expect(run.status == .success)
      #expect(try run.json()["added"] as? [String] == ["v1"])
      #expect(FileManager.default.fileExists(atPath: project.lock))
      // The next version counts as new, and is not locked by itself.
      try project.add([SketchedModel.library[1]])
      #expect(try project.run("lock", "--format", "json").json()["added"] as? [String] == [])
    }
  }

  @Test func `a model's only version stays out of a first lock where another one has more`() throws
  {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let other = SketchedModel.library.prefix(1).map {
        (name: "t\($0.name)", entities: $0.entities)
      }
      try SketchedModel.write(other, into: "\(folder)/ModelArchive", model: "Other")
      let run = try project.run("lock", "--format", "json").json()
      #expect(run["added"] as? [String] == ["v1", "v2"])
    }
  }

  @Test func `models of tests stay out of a lock unless they are named`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let others = SketchedModel.library.map { (name: "t\($0.name)", entities: $0.entities) }
      try SketchedModel.write(others, into: "\(folder)/ModelArchive/AppTests", model: "Trial")
      try project.configure("models: ModelArchive\n")
      let run = try project.run("lock", "--format", "json").json()
      #expect(run["added"] as? [String] == ["v1", "v2"])
      let named = try project.run("lock", "tv1", "--format", "json").json()
      #expect(named["added"] as? [String] == ["tv1"])
    }
  }

  @Test func `a loss in a model of tests counts before a first lock as after it`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let trial = [["title", "isbn"], ["title"], ["title", "year"]].enumerated().map {
        index,
        names in
        (name: "t\(index + 1)", entities: SketchedModel.book(names.map { ($0, "") }))
      }
      try SketchedModel.write(trial, into: "\(folder)/ModelArchive/AppTests", model: "Trial")
      try project.configure("models: ModelArchive\n")
      for _ in ["before", "after"] {
        let check = project.run("check")
        #expect(check.status == .answerIsNo, "\(check.output)")
        #expect(check.words.contains("isbn"))
        #expect(project.run("lock").status == .success)
      }
    }
  }

  @Test(arguments: [["v99"], ["v1", "--all"], ["v1", "v99"]])
  func `a version that is not there is not locked`(arguments: [String]) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(CommandRun(["lock"] + arguments, in: folder).status == .usage)
      #expect(!FileManager.default.fileExists(atPath: project.lock))
    }
  }

  @Test func `a trial run of a lock writes nothing`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let run = try project.run("lock", "--dry-run", "--format", "json").json()
      #expect(run["added"] as? [String] == ["v1", "v2"])
      #expect(run["written"] as? Bool == false)
      #expect(run["dryRun"] as? Bool == true)
      #expect(!FileManager.default.fileExists(atPath: project.lock))
    }
  }

  @Test(arguments: [false, true])
  func `versions that are locked at the same time are all in the lock`(isThere: Bool) throws {
    try TemporaryFolder.with { folder in
      let names = (1...12).map { "M\($0)" }
      for name in names {
        let versions = [(name: "v1", entities: SketchedModel.book([("a" + name, "")]))]
        try SketchedModel.write(versions, into: "\(folder)/ModelArchive", model: name)
      }
      @Sendable func lock(_ name: String) {
        let run = CommandRun("lock", "\(name)/v1", in: folder)
        #expect(run.status == .success, "\(run.output) \(run.errors)")
      }
      if isThere { lock(names[0]) }
      DispatchQueue.concurrentPerform(iterations: names.count) { lock(names[$0]) }
      let json = try CommandRun("check", "--format", "json", in: folder).json()
      let lock = try #require(json["lock"] as? [String: Any])
      #expect(lock["versions"] as? Int == names.count, "\(lock)")
    }
  }
}
