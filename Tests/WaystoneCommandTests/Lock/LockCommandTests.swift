import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// A project of one model in a folder, whose files a test edits.
struct SketchedProject {
  let folder: String

  /// The versions of a library: `isbn` is added, then `title` becomes `heading`.
  init(_ folder: String, versions: [(name: String, entities: String)] = SketchedModel.library)
    throws
  {
    self.folder = folder
    try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
  }

  /// The lock beside the models.
  var lock: String { "\(folder)/ModelArchive/waystone.lock" }

  /// Replaces text in a version's file.
  func edit(_ version: String, _ old: String, _ new: String) throws {
    let path = "\(folder)/ModelArchive/Library.xcdatamodeld/\(version).xcdatamodel/contents"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(old))
    try SketchedModel.write(text.replacing(old, with: new), to: path)
  }

  /// Removes a version.
  func remove(_ version: String) throws {
    try FileManager.default.removeItem(
      atPath: "\(folder)/ModelArchive/Library.xcdatamodeld/\(version).xcdatamodel"
    )
  }

  /// Adds versions; the last one becomes current.
  func add(_ versions: [(name: String, entities: String)]) throws {
    try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
  }

  /// Writes `waystone.yml`.
  func configure(_ text: String) throws {
    try SketchedModel.write(text, to: "\(folder)/waystone.yml")
  }

  func run(_ arguments: String...) -> CommandRun { CommandRun(arguments, in: folder) }
}

@Suite struct LockGoldenTests {
  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `a lock has a line for each version and each shape of an entity`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      check(project.run("lock", "--all"), .success, "lock.txt")
      let text = try String(contentsOfFile: project.lock, encoding: .utf8)
      #expect(Golden.mismatch(text, "lock-file.txt") == nil)
      check(project.run("check"), .success, "check-locked.txt")
    }
  }

  @Test func `a default that is edited is named, and so is a type`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.edit(
        "v2",
        #"name="title" optional="YES""#,
        #"name="title" optional="YES" defaultValueString="x""#
      )
      check(project.run("check"), .answerIsNo, "check-default-edited.txt")
      try project.edit(
        "v2",
        #"name="isbn" optional="YES" attributeType="String""#,
        #"name="isbn" optional="YES" attributeType="Integer 64""#
      )
      let run = project.run("check", "--format", "json")
      check(run, .answerIsNo, "check-type-edited.json")
      check(project.run("lock", "--all"), .answerIsNo, "lock-drift.txt")
    }
  }

  @Test func `an edit that was meant is accepted with its reason`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.edit(
        "v2",
        #"name="isbn" optional="YES""#,
        #"name="isbn" optional="YES" defaultValueString="-""#
      )
      try project.edit("v10", #"name="isbn""#, #"name="code" elementID="isbn""#)
      check(
        project.run("lock", "--accept", "v2", "--reason", "v2 was \"never\" out"),
        .answerIsNo,
        "lock-accept-one-of-two.txt"
      )
      let text = try String(contentsOfFile: project.lock, encoding: .utf8)
      #expect(text.contains(#""reasons":["v2 was \"never\" out"]"#))
      check(
        project.run("lock", "--accept", "v10", "--reason", "nor was v10"),
        .success,
        "lock-accepted.txt"
      )
      #expect(project.run("check").status == .success)
      let again = project.run("lock", "--accept", "v2", "--reason", "once more")
      #expect(again.status == .answerIsNo)
      #expect(again.errors.contains("nothing to accept"))
    }
  }
}

@Suite struct LockCommandTests {
  @Test func `what is shipped is locked, and what is not is new`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("shipped: [v1, v2]\n")
      let run = try project.run("lock", "--format", "json").json()
      #expect(run["added"] as? [String] == ["v1", "v2"])
      #expect(run["path"] as? String == "waystone.lock")
      let check = try project.run("check", "--format", "json").json()
      #expect(check["newVersions"] as? [String] == ["v10"])
      #expect(check["clean"] as? Bool == true)
    }
  }

  @Test func `a lock that is up to date is not written again`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      let first = try String(contentsOfFile: project.lock, encoding: .utf8)
      let again = project.run("lock", "--all")
      #expect(again.status == .success)
      #expect(again.output.contains("Nothing is added."))
      try project.add([("v11", SketchedModel.book([("heading", ""), ("isbn", ""), ("note", "")]))])
      let unnamed = project.run("lock")
      #expect(unnamed.words.contains("Nothing is added."))
      #expect(unnamed.words.contains("not locked v11"))
      #expect(unnamed.words.contains("When users have it: `waystone lock v11`."))
      #expect(try String(contentsOfFile: project.lock, encoding: .utf8) == first)
      let dry = project.run("lock", "v11", "--dry-run")
      #expect(dry.words.contains("added v11") && dry.words.contains("not written, --dry-run"))
      #expect(try String(contentsOfFile: project.lock, encoding: .utf8) == first)
      #expect(project.run("lock", "v11").words.contains("added v11"))
      let second = try String(contentsOfFile: project.lock, encoding: .utf8)
      let lines = Set(second.split(separator: "\n"))
      #expect(lines.isSuperset(of: first.split(separator: "\n")))
      #expect(second.contains(#""model":"Library","name":"v11""#))
      #expect(second.contains(#""after":["v10"]"#))
    }
  }

  @Test func `a shipped version that is not locked makes the lock stale`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("shipped: [v1, v2]\n")
      #expect(project.run("lock").status == .success)
      try project.configure("shipped: [v1, v2, v10]\n")
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("WS704"))
      #expect(run.words.contains("v10 is shipped, as waystone.yml says, and is not locked."))
      #expect(project.run("lock").status == .success)
      #expect(project.run("check").status == .success)
    }
  }

  @Test func `an order that changed is no longer the locked one`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("models: ModelArchive\n")
      #expect(project.run("lock", "--all").status == .success)
      try project.configure("order: [v2, v1, v10]\n")
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("v1 was the first when it was locked, and now follows v2."))
      #expect(run.words.contains("v2 followed v1 when it was locked, and now is the first."))
      #expect(project.run("lock", "--all").status == .answerIsNo)
    }
  }

  @Test func `a version before locked ones is no addition`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.add([("v3", SketchedModel.book([("isbn", ""), ("title", ""), ("x", "")]))])
      let check = project.run("check")
      #expect(check.words.contains("v10 is shipped and stands after the current version v3"))
      #expect(check.words.contains("Failed: WS707."))
      #expect(check.words.contains("v3 is not locked and stands before v10, which is"))
      let refused = project.run("lock", "--all")
      #expect(refused.status == .answerIsNo)
      #expect(refused.words.contains("v10 followed v2 when it was locked, and now follows v3."))
      let run = project.run(
        "lock",
        "v3",
        "--accept",
        "v10",
        "--reason",
        "v3 was a fix from a branch"
      )
      #expect(run.status == .success, "\(run.output)")
      #expect(run.words.contains("added v3"))
      #expect(project.run("check").words.contains("Failed: WS707."))
    }
  }

  @Test func `a locked version that is gone is given up with a reason`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.remove("v2")
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("Library/v2 is locked and no longer there"))
      #expect(project.run("lock", "--all").status == .answerIsNo)
      let accepted = project.run("lock", "--accept", "v2", "--reason", "nobody has it")
      #expect(accepted.status == .success, "\(accepted.output)\(accepted.errors)")
      let after = project.run("check")
      #expect(after.status == .success, "\(after.output)")
      let text = try String(contentsOfFile: project.lock, encoding: .utf8)
      #expect(text.contains(#""isRemoved":true"#) && text.contains(#""reasons":["nobody has it"]"#))
    }
  }

  @Test func `an edit in a step has one finding, with a lock and without`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.add([("v11", try #require(SketchedModel.library.last).entities)])
      try project.edit("v11", #"name="isbn""#, #"name="isbn" defaultValueString="-""#)
      func codes() throws -> [String] {
        let findings = try project.run("check", "--format", "json").json()["findings"]
        return try #require(findings as? [[String: Any]]).filter {
          $0["version"] as? String == "v11" && $0["property"] as? String == "isbn"
        }
        .compactMap { $0["code"] as? String }
      }
      let unlocked = try codes()
      #expect(unlocked == ["WS332"])
      try project.configure("shipped: [v1, v2, v10]")
      #expect(project.run("lock").status == .success)
      let locked = try codes()
      #expect(locked == unlocked)
    }
  }

  @Test func `what only code reads is told and does not fail`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.edit("v1", #"representedClassName="Book""#, #"representedClassName="Tome""#)
      let run = project.run("check", "--verbose")
      #expect(run.status == .success)
      #expect(run.words.contains("WS703"))
      #expect(run.words.contains("Book has other class names"))
    }
  }

  @Test(arguments: [
    ["--accept", "v1"], ["--reason", "because"], ["--accept", "v1", "--reason", "  "],
    ["--accept", "v9", "--reason", "because"],
  ])
  func `an acceptance needs a version that is locked, and a reason`(arguments: [String]) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      #expect(CommandRun(["lock", "--all"] + arguments, in: folder).status == .usage)
    }
  }

  @Test func `one model's lock leaves the others' lines alone`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let other = [("w1", SketchedModel.book([("a", "")]))]
      try SketchedModel.write(other, into: "\(folder)/ModelArchive", model: "Other")
      #expect(project.run("lock", "--all").status == .success)
      let models = "ModelArchive/Library.xcdatamodeld"
      #expect(project.run("check", "--models", models).status == .success)
      try project.add([("v11", SketchedModel.book([("heading", "")]))])
      #expect(project.run("lock", "v11", "--models", models).status == .success)
      let text = try String(contentsOfFile: project.lock, encoding: .utf8)
      #expect(text.contains(#""model":"Other","name":"w1""#))
      #expect(text.contains(#""model":"Library","name":"v11""#))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `a lock that is a link which leads nowhere is refused`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(symlink("\(folder)/nowhere", project.lock) == 0)
      let run = project.run("lock", "--all")
      #expect([.missingInput, .cannotCreate].contains(run.status), "\(run.errors)")
      #expect(run.errors.contains("is a symbolic link that leads nowhere"), "\(run.errors)")
    }
  }
}
