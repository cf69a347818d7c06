import MigrationTestSupport
import Testing
import Waystone

/// Projects whose versions branched, as `waystone.yml` gives it.
@Suite struct BranchedOrderTests {
  private static let versions = [
    ("v1", "Book { isbn: String?; title: String? }"),
    ("v2a", "Book { heading: String? was title; isbn: String? }"),
    ("v2b", "Book { isbn: String?; year: String? }"),
    ("v3", "Book { heading: String? was title; isbn: String?; year: String? }"),
  ]

  @Test(arguments: [
    "order: {v1: [], v2a: [v1], v2b: [v1], v3: [v2a, v2b]}",
    "order: {v2a: v1, v2b: v1, v3: [v2a, v2b]}",
    "order: {Library: {v2a: v1, v2b: v1, v3: [v2a, v2b]}}",
    "order:\n  v1:\n  v3: [v2a, v2b]\n  v2b: v1\n  v2a: v1",
  ])
  func `an order that branches is written in several ways`(order: String) throws {
    try SketchedProject.with(named: Self.versions, configured: order) { project in
      let error = #expect(throws: PlanningError.self) { try project.plan("v2a", to: "v2b") }
      #expect(error?.code == .differentBranches)
      let archive = try project.project.models
      #expect(archive.findings.isEmpty)
      let model = archive.models[0]
      let follows = model.versions.indices.map { index in
        model.parentPositions(of: index).map { model.versions[$0].name }
      }
      #expect(follows == [[], ["v1"], ["v1"], ["v2a", "v2b"]])
    }
  }

  @Test func `a lock keeps the branches, and their ends are heads`() throws {
    let order = "order: {v2a: v1, v2b: v1, v3: v2a}"
    try SketchedProject.with(named: Self.versions, locked: 4, configured: order) { project in
      let lock = try LockFile.read("\(project.folder)/waystone.lock", shownAs: "lock")
      #expect(lock?.versions.map(\.after) == [[], ["v1"], ["v1"], ["v2a"]])
      let heads = try project.project.heads()[0].heads
      #expect(Set(heads.map(\.version.name)) == ["v2b", "v3"])
    }
  }

  @Test func `an order of models stays what it was`() throws {
    let order = "order: {Library: [v1, v2a, v2b, v3]}"
    try SketchedProject.with(named: Self.versions, configured: order) { project throws in
      #expect(try project.plan("v2a", to: "v2b").refusals.isEmpty)
    }
  }

  @Test(arguments: [
    ("order: {v2a: v1, v2b: v1, v3: [v2a, v9]}", "v9, which is no version", 2),
    ("order: {v2a: v1, v3: [v2a]}", "where v2b stands", 2),
    ("order:\n  v1: v3\n  v2a: v1\n  v2b: v1\n  v3: [v2a, v2b]", "in a circle", 3),
    ("order: {v2a: v1, v2b: v1, v3: [v2a, v2a]}", "stands twice", 2),
    ("order: {v2a: {v1: {x: y}}, v3: v1}", "order", 2),
    ("order: {Other: {v2a: v1}}", "0 models called Other", 2),
  ])
  func `what makes no order is an error with its line`(order: String, words: String, line: Int)
    throws
  {
    try SketchedProject.with(named: Self.versions, configured: order) { project throws in
      let error = #expect(throws: WaystoneError.self) { try project.project }
      #expect(error?.message.contains(words) == true)
      #expect(error?.message.contains("waystone.yml:\(line)") == true)
    }
  }
}
