import MigrationTestSupport
import Testing
import Waystone

/// The versions and mappings that a project can do without.
@Suite struct PruneTests {
  /// `name` becomes `label` and then `caption`; v3 is v2 again, v4 only adds `note`.
  private static let versions = [
    "Book { name: String? }", "Book { label: String? was name }",
    "Book { label: String? was name }",
    "Book { label: String?; note: String? }", "Book { caption: String? was label; note: String? }",
  ]

  @Test(arguments: [("", ["v2"]), ("shipped: [v1, v5]", ["v2", "v3", "v4"])])
  func `a version that no store is of and no path needs can go`(
    configuration: String,
    removable: [String]
  ) throws {
    try SketchedProject.with(Self.versions, configured: configuration) { project in
      let model = try #require(try project.project.prune().models.first)
      #expect(model.count == 5)
      let found = model.removable.map(\.version)
      #expect(Set(found).isSubset(of: removable) && found.contains("v2"), "\(found)")
    }
  }

  @Test(arguments: [("v2", 0), ("v5", 1)])
  func `a version that others hash like can be dropped, and the current one cannot`(
    version: String,
    losses: Int
  ) throws {
    try SketchedProject.with(Self.versions) { project in
      let model = try #require(
        try project.project.pruning(without: [version], stores: []).models.first
      )
      #expect(model.losses.count >= losses && model.losses.isEmpty == (losses == 0))
    }
  }

  @Test func `a mapping that no path takes can go`() throws {
    try SketchedProject.with(
      "B { t: String? }",
      "B { t: String?; y: String? }",
      "B { t: String?; y: Int16? }"
    ) {
      project in
      try project.hop(
        #"[{source: B, attributes: {y: 'CAST($source.y, "NSNumber")'}}]"#,
        from: "v2",
        to: "v3"
      )
      #expect(try project.project.prune().models.first?.idleMappings == [])
      try project.configure("shipped: [v3]")
      let idle = try project.project.prune().models.first?.idleMappings ?? []
      #expect(idle.count == 1 && idle[0].hasSuffix("v2-v3.hop.yml"))
    }
  }
}
