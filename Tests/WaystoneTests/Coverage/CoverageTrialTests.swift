import Foundation
import MigrationTestSupport
import StoreGeneration
import Testing
import Waystone

/// Stores that coverage makes, migrates and verifies.
@Suite struct CoverageTrialTests {
  private static let books = [
    "Book { title: String? }", "Book { title: String?; year: String? }",
    "Book { title: String?; note: String?; year: Int16? }",
  ]

  private static func trials(_ rows: Int) -> (inout CoverageOptions) -> Void {
    { $0.trials = CoverageOptions.Trials(rows: rows) }
  }

  private func tried(_ report: CoverageReport, _ version: String, _ name: String) -> Int? {
    let path = report.models.flatMap(\.paths).first { $0.versions.contains(version) }
    return path?.trial?.exercises.first { "\($0.kind) \($0.name)" == name }?.count
  }

  @Test func `each version's store arrives, and what it tried is listed`() throws {
    let letters = SampleStore.models.appending(path: "Letters.xcdatamodeld")
    var options = CoverageOptions()
    options.trials = CoverageOptions.Trials()
    let report = try Project(at: letters).coverage(options)
    #expect(tried(report, "v2", "edge v2 → v3") == 1)
    #expect(tried(report, "v2", "edge v3 → v4") == 1)
    #expect(tried(report, "v2", "edge v1 → v2") == nil)
    #expect(tried(report, "v2", "entity Letter") ?? 0 > 50)
    #expect(tried(report, "v2", "attribute Letter.heading") ?? 0 > 20)
    #expect(tried(report, "v2", "relationship Letter.enclosures") ?? 0 > 20)
  }

  @Test(arguments: [(2, true), (40, false)])
  func `a condition that no row of a made store broke is not verified`(rows: Int, isUnmet: Bool)
    throws
  {
    try SketchedProject.with("A { bs ->> B.a } B { a -> A.bs }", "A { bs -> B.a } B { a -> A.bs }")
    {
      project in
      let report = try project.coverage(nil, Self.trials(rows))
      let trial = try #require(report.models[0].paths[0].trial)
      #expect(trial.unmetConditions == (isUnmet ? ["WS317 A.bs"] : []))
      #expect((tried(report, "v1", "condition WS317 A.bs") == 0) == isUnmet)
    }
  }

  @Test(arguments: [true, false])
  func `a policy is called with the objects of its entity, where the program has it`(
    hasPolicy: Bool
  )
    throws
  {
    try SketchedProject.with(Self.books) { sketched in
      try sketched.hop(
        "[{source: Book, policy: Library.BookPolicy, attributes: {year: 'CAST($source.year, \"NSNumber\")'}}]",
        from: "v2",
        to: "v3"
      )
      var project = try sketched.project
      if hasPolicy { project.registry.register(BookPolicy.self) }
      var options = CoverageOptions()
      options.trials = CoverageOptions.Trials(rows: 30)
      let report = try project.coverage(options)
      let count = hasPolicy ? 30 : 0
      for version in ["v1", "v2"] {
        #expect(tried(report, version, "policy Library.BookPolicy") == count)
        // A store that did not arrive tried nothing.
        #expect(tried(report, version, "entity Book") == count)
      }
      #expect(tried(report, "v2", "edge v2 → v3") == (hasPolicy ? 1 : 0))
      #expect(report.totals.reachable == (hasPolicy ? 2 : 0))
      #expect(report.allFindings.has(.unresolvedPolicy) == !hasPolicy)
    }
  }

  /// The policy in the hop file.
  private final class BookPolicy: EntityMigrationPolicy {}

  @Test func `a trial whose SQL fails is a gap of its path alone`() throws {
    try SketchedProject.with("Book { title: String? }", "Book { heading: String? was title }") {
      project in
      try project.draw([("w1", "Book { a: String? }"), ("w2", "Book { b: String? }")], of: "Shelf")
      try project.write(
        """
        from: w1
        to: w2
        sql: {before: [SELECT nothing FROM nowhere]}
        entities: [{source: Book}]
        """,
        to: "w1-w2.hop.yml"
      )
      let names = TemporaryFolder.names(in: project.folder)
      let report = try project.coverage(.progressive) {
        $0.trials = CoverageOptions.Trials(rows: 1)
        $0.allowsSQL = true
      }
      #expect(report.models.flatMap(\.paths).map { $0.trial?.isVerified } == [true, false])
      #expect(report.gaps.has(.trialFailed))
      #expect(TemporaryFolder.names(in: project.folder) == names)
    }
  }

  /// A model of which no store can be made, as a child declares what its parent does, beside one of
  /// which a store arrives.
  private func withUnmakeableStore(
    _ configuration: String = "",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try SketchedProject.with("Book { a: String? }", "Book { a: String?; b: String? }") { project in
      let child = #"<entity name="Child" parentEntity="Base">"#
      func entities(_ more: String) -> String {
        let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
        return #"<entity name="Base">\#(name)\#(more)</entity>\#(child)\#(name)</entity>"#
      }
      let year = #"<attribute name="year" optional="YES" attributeType="Integer 32"/>"#
      try project.draw([("o1", entities("")), ("o2", entities(year))], of: "Odd")
      try project.configure(configuration)
      try body(project)
    }
  }

  @Test func `a store that cannot be made is a gap, as is one that could not be migrated`() throws {
    try withUnmakeableStore { project in
      let tried = try project.coverage(nil, Self.trials(9))
      #expect(tried.gaps.has(.trialFailed) && tried.untriedPaths.count == 1)
      // The release relies on the app, which needs no run.
      let untried = try project.coverage()
      #expect(!untried.gaps.has(.unknownPlace) && !untried.gaps.has(.trialFailed))
      #expect(untried.models.flatMap(\.paths).contains { $0.missing.has(.unknownPlace) })
    }
  }

  @Test func `a failed trial that is accepted passes and is not called proven`() throws {
    let accepting = """
      accept:
        - {code: WS725, version: o1, reason: The app keeps no such rows.}
        - {code: WS217, place: Child.name, reason: No user has such a store.}
      """
    try withUnmakeableStore(accepting) { project in
      let report = try project.coverage(nil, Self.trials(9))
      #expect(report.isComplete && report.untriedPaths.count == 1)
    }
  }

  @Test func `a store without rows proves nothing`() throws {
    try SketchedProject.with(Array(Self.books.prefix(2))) { project in
      let store = try project.store("v1", rows: 1, "DELETE FROM ZBOOK")
      let report = try project.coverage { options in
        options.stores = [store]
        options.trials = CoverageOptions.Trials(rows: 9)
      }
      #expect(report.isComplete)
      #expect(report.untriedPaths.map(\.store) == [store])
      #expect(report.models.flatMap(\.paths).map { $0.trial?.rows } == [9, 0])
    }
  }

  @Test(arguments: [("v2", true), ("v1", false)])
  func `a trial settles names by the sample that waystone.yml names`(version: String, fits: Bool)
    throws
  {
    try SketchedProject.with(Array(Self.books.prefix(2))) { project in
      let models = try project.project.models
      let model = try #require(models.versions.first { $0.name == version }).model
      try StoreGenerator(model: model, rows: 1, seed: 1)
        .write(to: "\(project.folder)/sample.sqlite")
      try project.configure("samples:\n  v2: sample.sqlite")
      if fits {
        #expect(try project.coverage(nil, Self.trials(9)).isComplete)
      } else {
        #expect(throws: WaystoneError.self) { try project.coverage(nil, Self.trials(9)) }
      }
    }
  }
}
