import Foundation
import MigrationTestSupport
import StoreGeneration
import Testing
import Waystone

/// Names that no model settles: samples that settle them, and guesses that a project accepts.
@Suite struct SampleTests {
  private static let linked = "Book { title: String?; s5 ->> Book.s6; s6 ->> Book.s5 }"

  /// Lends a project whose second version gets a many-to-many that either side may name, and which
  /// has a store of each version.
  private func with(_ configuration: String = "", _ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with("Book { title: String? }", Self.linked) { project in
      for version in try project.project.models.versions {
        try StoreGenerator(model: version.model, rows: 1, seed: 1)
          .write(to: "\(project.folder)/\(version.name).sqlite")
      }
      try project.configure(configuration)
      try body(project)
    }
  }

  @Test(arguments: [
    ("samples:\n  v2: none.sqlite", 3), ("samples:\n  v2: waystone.yml", 3),
    ("samples:\n  v2: v1.sqlite", 3), ("samples:\n  v1: v2.sqlite", 3),
    ("samples:\n  v3: v2.sqlite", 3), ("samples:\n  Library/v2: v2.sqlite\n  v2: v2.sqlite", 4),
  ])
  func `a sample that no plan could use is refused at its line`(text: String, line: Int) throws {
    try with(text) { project in
      for answer in [{ _ = try project.check() }, { _ = try project.coverage() }] {
        let error = #expect(throws: WaystoneError.self) { try answer() }
        #expect(error?.message.contains("waystone.yml:\(line): ") == true)
      }
    }
  }

  @Test func `a sample of the version settles its names for every verb`() throws {
    try with("samples:\n  Library/v2: v2.sqlite") { project throws in
      #expect(try project.verdict())
      #expect(try project.coverage().totals.reachable == 1)
      #expect(try project.plan("v1").refusals.isEmpty)
    }
  }

  @Test func `a store that was made up settles no name`() throws {
    try with { project in
      let models = try project.project.models
      func made(_ version: VersionName) throws -> Bool {
        let url = URL(filePath: "\(project.folder)/made-\(version.text).sqlite")
        return try models.generateStore(at: url, of: version, rows: 4).hasGuessedNames
      }
      #expect(try made("v2") && !made("v1"))
      #expect(throws: WaystoneError.self) {
        try project.plan("v1.sqlite") {
          $0.settings.sample = "\(project.folder)/made-v2.sqlite"
        }
      }
      try project.configure("samples:\n  v2: made-v2.sqlite")
      let error = #expect(throws: WaystoneError.self) { try project.coverage() }
      #expect(error?.message.contains("waystone.yml:3: made-v2.sqlite") == true)
    }
  }

  @Test func `names that nothing settles hold no app, and are no path until they are accepted`()
    throws
  {
    try with { project in
      let report = try project.coverage()
      #expect(report.isComplete && report.totals.reachable == 0)
      #expect(report.allFindings.of(.unprovenName).map(\.severity) == [.note])
      #expect(try project.plan("v1.sqlite").refusals == ["WS501"])
      let trials: (inout CoverageOptions) -> Void = { $0.trials = .init(rows: 5) }
      #expect(try !project.coverage(nil, trials).isComplete)

      try project.accept("code: WS501, place: Book.s6")
      let accepted = try project.coverage(nil, trials)
      #expect(accepted.isComplete && accepted.totals.reachable == 1)
      #expect(accepted.models[0].paths.map(\.isGuess) == [true])
      let plan = try project.plan("v1.sqlite")
      #expect(plan.refusals.isEmpty)
      // A guess stays one.
      #expect(plan.findings.of(.unprovenName).map(\.severity) == [.warning])
      let store = try Store(reading: URL(filePath: "\(project.folder)/v1.sqlite"))
      var options = MigrationOptions()
      options.settings.acceptsUnprovenNames = true
      options.outputURL = URL(filePath: "\(project.folder)/o.sqlite")
      try project.project.models.plan(for: store, options).migrate(store, options)
    }
  }

  @Test func `an acceptance of another name lets no guess pass`() throws {
    try with { project in
      try project.accept("code: WS501, place: Book.s5")
      #expect(try project.plan("v1").refusals == ["WS501"])
      #expect(try project.plan("v1.sqlite").refusals == ["WS501"])
    }
  }

  @Test func `a store that knows its names needs no sample`() throws {
    try with { project in
      try project.draw([("v3", Self.linked + " Tag {}")])
      #expect(try project.plan("v2.sqlite").refusals.isEmpty)
      let report = try project.coverage { $0.stores = ["v2.sqlite"] }
      let own = report.models.flatMap(\.paths).filter { $0.store != nil }
      #expect(own.count == 1 && !own[0].findings.has(.unprovenName))
    }
  }
}
