import MigrationTestSupport
import Testing
import Waystone

/// Entities that leave a configuration, which loses rows only where the app opens stores by it.
@Suite struct ConfigurationQuestionTests {
  /// Two entities leave the configuration in the step to the current version.
  private static let versions = [
    "Book in Local { t: String? } Note in Local { t: String? } Tag { t: String? }",
    "Book { t: String?; y: String? } Note { t: String?; y: String? } Tag in Local { t: String?; y: String? }",
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

  private static let open = ["warning WS334 v2"]
  private static let lost = ["error WS334 v2 Book", "error WS334 v2 Note"]

  @Test(arguments: [
    ("", "", open), ("", byVariable, open), ("", bySetter, open), ("", withAll, []),
    ("", byName, lost), ("configurations: none", byName, []),
    ("configurations: used", withAll, lost),
  ])
  func `the answer of waystone.yml, else of the app's sources, settles it, and check asks once`(
    configuration: String,
    source: String,
    found: [String]
  ) throws {
    try SketchedProject.with(Self.versions, configured: configuration) { project in
      try project.write(source, to: "App/Stack.swift")
      let findings = try project.check().allFindings.of(.configurationChanged)
      #expect(
        findings.briefs.sorted() == found
          || found.count == 1 && findings.map(\.severity) == [.warning]
      )
    }
  }

  @Test(arguments: [("", [.note]), ("configurations: none", [])] as [(String, [Finding.Severity])])
  func `no verb takes an open question for a loss`(
    configuration: String,
    severities: [Finding.Severity]
  ) throws {
    try SketchedProject.with(Self.versions, configured: configuration) { project in
      let plan = try project.plan("v1")
      #expect(plan.refusals.isEmpty)
      #expect(Set(plan.findings.of(.configurationChanged).map(\.severity)) == Set(severities))
      let report = try project.coverage()
      #expect(report.isComplete)
      let found = report.models.flatMap(\.paths).flatMap(\.findings)
      #expect(Set(found.of(.configurationChanged).map(\.severity)) == Set(severities))
    }
  }

  @Test func `a store with all entities gives the answer for its own plan`() throws {
    try SketchedProject.with(Self.versions, configured: "configurations: used") { project in
      let store = try project.store("v1")
      #expect(try !project.plan(store).findings.has(.configurationChanged))
      #expect(try project.plan("v1").findings.has(.configurationChanged))
    }
  }

  @Test(arguments: [["s.sqlite", "v1"], ["v1", "s.sqlite"]])
  func `the answer of one store of many is not that of the next`(starts: [String]) throws {
    try SketchedProject.with(Self.versions, configured: "configurations: used") { sketched in
      try sketched.store("v1")
      var project = try sketched.project
      project.keepPlanners()
      for start in starts {
        let request = try PlanningRequest(from: start, to: "v2", in: project)
        let codes = request.graph.consecutiveEdges.flatMap(\.findings).map(\.code)
        #expect(codes.contains(.configurationChanged) == (start == "v1"), "\(start)")
      }
    }
  }

  @Test func `other words are refused at their line`() throws {
    try SketchedProject.with(Self.versions) { project in
      try project.configure("configurations: all")
      let error = #expect(throws: WaystoneError.self) { try project.project }
      #expect(error?.message.contains("waystone.yml:2: `configurations`") == true)
    }
  }
}
