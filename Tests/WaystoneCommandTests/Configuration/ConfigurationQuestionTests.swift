import MigrationTestSupport
import Testing
import Waystone
import WaystoneCommand

/// Entities that leave a configuration, which loses rows only where the app opens stores by it.
@Suite struct ConfigurationQuestionTests {
  private static func version(_ name: String, local: String...) -> (name: String, entities: String)
  {
    let members = local.map { #"<memberEntity name="\#($0)"/>"# }.joined()
    let entities = ["Book", "Note", "Tag"].map { entity in
      """
      <entity name="\(entity)" syncable="YES">
      <attribute name="title" optional="YES" attributeType="String"/>
      \(name == "v2" ? #"<attribute name="year" optional="YES" attributeType="String"/>"# : "")
      </entity>
      """
    }
    return (
      name,
      entities.joined() + #"<configuration name="Local">\#(members)</configuration>"#
    )
  }

  /// Two entities leave the configuration in the step to the current version.
  private static let versions = [
    version("v1", local: "Book", "Note"), version("v2", local: "Tag"),
  ]

  private static let withAll = """
    let container = NSPersistentContainer(name: "Library")
    container.loadPersistentStores { _, _ in }
    """
  private static let byName = """
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType,
      configurationName: "Local", at: url)
    """
  private static let byVariable = """
    let description = NSPersistentStoreDescription(url: url)
    description.configuration = part.rawValue
    """

  /// The call as Objective-C makes it, with a constant's value.
  private static let bySetter = """
    NSPersistentContainer *container = [NSPersistentContainer persistentContainerWithName:@"Library"];
    [container.persistentStoreDescriptions.firstObject setConfiguration:[Names store]];
    """

  private func findings(
    _ configuration: String,
    source: String? = nil,
    _ arguments: String...
  ) throws -> [String] {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      try project.configure("models: ModelArchive\n" + configuration)
      if let source { try SketchedModel.write(source, to: "\(folder)/App/Stack.swift") }
      let run = CommandRun(arguments + ["--format", "json"], in: folder)
      return try found(in: run.json()).map {
        "\($0["severity"] ?? "") \($0["entity"] as? String ?? "all")"
      }
    }
  }

  private func found(in value: Any) -> [[String: Any]] {
    if let list = value as? [Any] { return list.flatMap(found) }
    guard let object = value as? [String: Any] else { return [] }
    return object["code"] as? String == "WS334" ? [object] : object.values.flatMap(found)
  }

  @Test func `check asks once for a model, and nothing fails`() throws {
    #expect(try findings("", "check") == ["warning all"])
    for source in [Self.byVariable, Self.bySetter] {
      #expect(try findings("", source: source, "check") == ["warning all"])
    }
  }

  @Test func `the answer of waystone.yml settles it`() throws {
    #expect(try findings("configurations: none\n", source: Self.byName, "check").isEmpty)
    let used = try findings("configurations: used\n", source: Self.withAll, "check")
    #expect(used.sorted() == ["error Book", "error Note"])
  }

  @Test func `the app's sources give the answer`() throws {
    #expect(try findings("", source: Self.withAll, "check").isEmpty)
    #expect(
      try findings("", source: Self.byName, "check").sorted() == ["error Book", "error Note"]
    )
  }

  @Test(arguments: ["plan", "coverage", "diff"])
  func `no verb takes an open question for a loss`(verb: String) throws {
    let ends = verb == "plan" ? ["v1"] : verb == "diff" ? ["v1", "v2"] : []
    for (answer, expected) in [("", Set(["note"])), ("configurations: none\n", [])] {
      try TemporaryFolder.with { folder in
        let project = try SketchedProject(folder, versions: Self.versions)
        try project.configure("models: ModelArchive\n" + answer)
        let run = CommandRun([verb] + ends + ["--format", "json"], in: folder)
        #expect(run.status == .success)
        let severities = found(in: try run.json()).map { $0["severity"] as? String ?? "" }
        #expect(Set(severities) == expected)
      }
    }
  }

  @Test func `a store with all entities gives the answer for its own plan`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      try project.configure("models: ModelArchive\nconfigurations: used\n")
      #expect(
        CommandRun("generate", "v1", "--rows", "2", "-o", "s.sqlite", in: folder).status == .success
      )
      let run = CommandRun("plan", "s.sqlite", "--format", "json", in: folder)
      let json = try run.json()
      #expect(found(in: json).isEmpty, "\(run.output)")
    }
  }

  @Test(arguments: [["s.sqlite", "v1"], ["v1", "s.sqlite"]])
  func `the answer of one store of many is not that of the next`(starts: [String]) throws {
    try TemporaryFolder.with { folder in
      let sketched = try SketchedProject(folder, versions: Self.versions)
      try sketched.configure("models: ModelArchive\nconfigurations: used\n")
      #expect(sketched.run("generate", "v1", "-o", "s.sqlite").status == .success)
      let working = WorkingFolder(folder)
      var project = try Project.load(models: nil, in: working)
      project.keepPlanners()
      for start in starts {
        let request = try PlanningRequest(
          from: start,
          to: "v2",
          in: project.mapped,
          resolved: working.resolved
        )
        let codes = request.graph.consecutiveEdges.flatMap(\.findings).map(\.code)
        #expect(codes.contains(.configurationChanged) == (start == "v1"), "\(start)")
      }
    }
  }

  @Test func `other words are refused at their line`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      try project.configure("models: ModelArchive\nconfigurations: all\n")
      let run = project.run("check")
      #expect(run.status == .damagedInput || run.status == .usage, "\(run.status)")
      #expect(run.errors.contains("waystone.yml:2: `configurations` must be none or used."))
    }
  }
}
