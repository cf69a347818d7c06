import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// `coverage` over the histories of public apps.
@Suite(.enabled(if: Corpus.isPresent)) struct CoverageCorpusTests {
  /// A model of a public app, its nodes of versions, and how their paths end: one that lacks code or names
  /// is none.
  struct App: Sendable, CustomTestStringConvertible {
    let model: String
    let versions: Int
    let paths: Int
    let reachable: Int
    var testDescription: String { model }
  }

  private static let apps = [
    App(
      model: "woocommerce+woocommerce-ios/Storage/Storage/Model/WooCommerce",
      versions: 117,
      paths: 116,
      reachable: 0
    ),
    App(
      model: "wireapp+wire-ios-data-model/Resources/zmessaging",
      versions: 90,
      paths: 89,
      reachable: 4
    ),
    App(
      model: "danielebogo+WordPress-iOS/WordPress/Classes/WordPress",
      versions: 69,
      paths: 68,
      reachable: 67
    ),
    App(
      model: "ptsochantaris+trailer/Shared/Trailer",
      versions: 44,
      paths: 43,
      reachable: 43
    ),
    App(
      model: "planetary-social+nos/Nos/Models/CoreData/Nos",
      versions: 16,
      paths: 15,
      reachable: 0
    ),
    App(
      model: "altstoreio+AltStore/AltStoreCore/Model/AltStore",
      versions: 17,
      paths: 16,
      reachable: 4
    ),
  ]

  @Test(.enabled(if: Trials.areAll), arguments: apps)
  func `the page of a long history is small, and tells once what its versions share`(app: App)
    throws
  {
    let models = Corpus.path(app.model) + ".xcdatamodeld"
    let page = CommandRun("coverage", "--models", models, "--format", "html").output
    #expect(page.utf8.count <= 400_000)
    let last = try #require(app.model.split(separator: "/").last)
    let folder = models.dropLast(".xcdatamodeld".count + last.count + 1)
    #expect(page.components(separatedBy: folder).count <= 3, "\(folder)")
  }

  @Test(arguments: Trials.areAll ? apps : Array(apps.suffix(2)))
  func `the text is short, and has no syntax of expressions in it`(app: App) throws {
    let run = CommandRun("coverage", "--models", Corpus.path(app.model) + ".xcdatamodeld")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count < 100, "\(run.output)")
    #expect(lines.allSatisfy { $0.count <= 130 })
    for syntax in ["$source", "FUNCTION(", "waystone.fill"] {
      #expect(!run.output.contains(syntax), "\(run.output)")
    }
  }

  // The greatest histories take a debug build a minute and more.
  @Test(arguments: Trials.areAll ? apps : Array(apps.suffix(1)))
  func `every version of a public app is told of`(app: App) throws {
    let run = CommandRun(
      "coverage",
      "--models",
      Corpus.path(app.model) + ".xcdatamodeld",
      "--all-edges",
      "--format",
      "json"
    )
    // Without a lock, what the steps before the current version lost is in users' stores.
    let isOfHistory = app.model.hasSuffix("CoreData/Nos")
    #expect(run.status == (isOfHistory ? .success : .answerIsNo), "\(run.errors)")
    let summary = try run.json()["summary"] as? [String: Any] ?? [:]
    let edges = summary["edges"] as? [String: Int] ?? [:]
    #expect(summary["versions"] as? Int == app.versions)
    #expect(summary["paths"] as? Int == app.paths)
    let ends = ["arrive", "otherDefaults", "keep", "lose", "fail", "unknown"]
      .compactMap { summary[$0] as? Int }
    #expect(ends.reduce(0, +) == app.paths)
    #expect(ends.first ?? 0 > 0)
    #expect(summary["reachable"] as? Int == app.reachable)
    let parts = ["equivalent", "notEquivalent", "unknown", "refused"].map { edges[$0] ?? 0 }
    #expect(edges["all"] == parts.reduce(0, +))
    print(
      "\(app.model): \(app.versions) versions, \(edges["all"] ?? 0) edges: "
        + "\(parts[0]) equivalent, \(parts[1]) notEquivalent, \(parts[2]) unknown, \(parts[3]) refused"
    )
  }

  @Test func `stores of apps are covered beside the versions`() throws {
    let app = Corpus.path("alemar11+CoreDataPlus/Tests/Resources/SampleModel")
    let run = CommandRun("coverage", "Fixtures", "--models", ".", "--format", "json", in: app)
    let paths = try run.json()["paths"] as? [[String: Any]] ?? []
    let stores = paths.filter { $0["store"] is String }
    #expect(stores.count >= 2)
    #expect(stores.contains { $0["hops"] is Int })
    #expect(stores.allSatisfy { ($0["app"] as? [String: Any])?["outcome"] is String })
  }
}
