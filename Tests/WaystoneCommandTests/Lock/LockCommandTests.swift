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
