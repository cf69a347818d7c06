import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct PruneGoldenTests {
  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  /// `name` becomes `label` and then `caption`; v2b is v2 again, v3 only adds `note`.
  private static let versions: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("name", "")])),
    ("v2", SketchedModel.book([("label", #"elementID="name""#)])),
    ("v2b", SketchedModel.book([("label", #"elementID="name""#)])),
    ("v3", SketchedModel.book([("label", ""), ("note", "")])),
    ("v4", SketchedModel.book([("caption", #"elementID="label""#), ("note", "")])),
  ]

  @Test func `what no store is of and no path needs can go`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      try project.configure("shipped: [v1, v4]\n")
      check(project.run("prune"), .success, "prune.txt")
      check(project.run("prune", "--format", "json"), .success, "prune.json")
    }
  }

  @Test func `dropping versions says who loses what`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      check(project.run("prune", "--drop", "v2", "v2b", "v3"), .answerIsNo, "prune-drop.txt")
      let twin = project.run("prune", "--drop", "v2")
      #expect(twin.status == .success, "\(twin.output)")
      #expect(twin.words.contains("no store would lose its path"))
      let current = project.run("prune", "--drop", "v4")
      #expect(current.status == .answerIsNo)
      #expect(current.words.contains("v4: it is the current version"))
    }
  }

  @Test(arguments: ["heads", "prune"])
  func `nothing is said of all versions where one cannot be read`(_ verb: String) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      #expect(project.run("lock", "v1").status == .success)
      try project.edit("v4", "<entity", "<<")
      let run = CommandRun([verb], in: folder)
      #expect(run.status == .damagedInput, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("v4 cannot be read"), "\(run.errors)")
    }
  }
}
