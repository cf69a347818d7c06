import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Verdicts that hold a release.
@Suite struct VerdictTests {
  /// A year that becomes a number, which nothing infers.
  private static let years = [
    "Book { title: String? }", "Book { title: String?; year: String? }",
    "Book { title: String?; year: Int16? }",
  ]

  @Test func `what is shipped with its loss fails only for a lock that is missing`() throws {
    try SketchedProject.with("Book { title: String? }", "Book { headline: String? }") { project in
      try project.expectFailures(["error WS209 v2 Book.title"])
      try project.configure("shipped: [v1, v2]")
      #expect(try project.check().failures.map(\.code) == [.lockMissing])
      try project.project.lock(.all)
      try project.expectFailures([])
      try project.configure("")
      try project.expectFailures([])
      try project.remove("waystone.lock")
      try project.expectFailures(["error WS209 v2 Book.title"])
    }
  }

  @Test func `one of several drops is no candidate, and a mapping's loss fails too`() throws {
    try SketchedProject.with("Book { abc: String?; xyz: String? }", "Book { q: String? }") {
      project in
      try project.expectFailures(["error WS302 v2 Book.abc", "error WS302 v2 Book.xyz"])
      try project.hop("[{source: Book, attributes: {q: $source.abc}}]")
      try project.configure("policy: {maximum: error}")
      let dropped = try project.check().failures.of(.attributeDropped)
      #expect(Set(dropped.map(\.place.subject)) == ["Book.xyz"])
    }
  }

  @Test func `an unfinished hop file is no path, and changes nothing of what the app does`() throws
  {
    try SketchedProject.with(Self.years) { project in
      let before = try project.coverage().outcomes
      #expect(before == ["v1: unknown", "v2: fails"])
      let hop = "[{source: Book, attributes: {year: null}}]  # TODO decide"
      try project.hop(hop, from: "v2", to: "v3")
      for trials in [nil, CoverageOptions.Trials(rows: 5)] {
        let report = try project.coverage { $0.trials = trials }
        #expect(report.totals.reachable == 0 && !report.isComplete)
        #expect(report.outcomes == before)
        #expect(report.allFindings.has(.unfinishedMapping))
      }
      try project.hop(hop.replacing("# TODO", with: "#"), from: "v2", to: "v3")
      #expect(try project.coverage().totals.reachable == 2)
    }
  }

  @Test func `null for a required attribute is no path`() throws {
    try SketchedProject.with("Book { title: String? }", "Book { title: String?; year: Int16 }") {
      project in
      try project.hop("[{source: Book, attributes: {year: null}}]")
      let report = try project.coverage { $0.trials = CoverageOptions.Trials(rows: 5) }
      #expect(report.totals.reachable == 0 && !report.isComplete)
      #expect(try project.check().allFindings.has(.uncoveredAttribute))
    }
  }

  @Test func `every version has its row, also one of the same hashes as another`() throws {
    let book = "Book { title: String? }"
    try SketchedProject.with(book, book, "Book { title: String?; x: String? }") { project in
      let report = try project.coverage()
      #expect(report.outcomes == ["v1, v2: arrives"])
      #expect(report.totals.paths == 2 && report.totals.arriving == 2)
    }
  }

  @Test func `an expression orders versions by its groups, and others are left out`() throws {
    let versions = ["Old", "Foo20", "Bar1", "Baz1000"].map { ($0, "Book { a\($0): String? }") }
    try SketchedProject.with(named: versions) { project in
      func order(_ configuration: String) throws -> [String] {
        try project.configure(configuration)
        return try project.project.models.versions.map(\.name)
      }
      for wrong in [
        "order: '[A-Z][a-z]+([0-9]+)'", "order: [Bar1, Foo20]", "order: 'Bar'", "ignore: [None]",
      ] {
        #expect(throws: WaystoneError.self, "\(wrong)") { try order(wrong) }
      }
      let ordered = try order("order: '[A-Z][a-z]+([0-9]+)'\nignore: [Old]")
      #expect(ordered == ["Bar1", "Foo20", "Baz1000"])
    }
  }
}
