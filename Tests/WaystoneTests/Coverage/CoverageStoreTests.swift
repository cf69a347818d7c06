import Foundation
import MigrationTestSupport
import StoreGeneration
import Testing
import Waystone

/// Stores whose rows decide what the app and Waystone make of them.
@Suite struct CoverageStoreTests {
  /// From v1 to v2 `pages` becomes smaller and `isbn` unique.
  private static let versions = [
    "Book { isbn: String?; pages: Int32? }", "Book { isbn: String?; pages: Int16?; unique isbn }",
  ]

  /// The path of a store of v1 with 20 good rows, changed by some SQL.
  private func path(
    _ sql: String,
    _ versions: [String] = Self.versions,
    _ runtime: AppRuntime? = nil
  ) throws -> CoverageReport.Path {
    var found: CoverageReport.Path?
    try SketchedProject.with(versions) { project in
      let good = "UPDATE ZBOOK SET ZISBN = 'i' || Z_PK, ZPAGES = Z_PK; "
      let store = try project.store("v1", rows: 20, good + sql)
      let report = try project.coverage(runtime) { $0.stores = [store] }
      found = report.models.flatMap(\.paths).first { $0.store == store }
    }
    return try #require(found)
  }

  @Test(arguments: [
    ("", "arrives", []),
    ("UPDATE ZBOOK SET ZISBN = 'a' WHERE Z_PK < 3", "fails", ["WS721"]),
    ("UPDATE ZBOOK SET ZPAGES = 70000 WHERE Z_PK < 3", "loses", ["WS722"]),
    (
      "UPDATE ZBOOK SET ZPAGES = 70000, ZISBN = 'a' WHERE Z_PK < 3", "fails", ["WS721", "WS722"]
    ),
  ])
  func `rows decide whether the app stops or loses`(
    sql: String,
    outcome: String,
    expected: [String]
  ) throws {
    let path = try path(sql)
    #expect(path.app.kind.rawValue == outcome)
    let codes = path.app.findings.map(\.code.rawValue).filter { $0.hasPrefix("WS72") }
    #expect(codes.sorted() == expected)
    #expect(path.gaps(from: .error).isEmpty == expected.isEmpty)
  }

  /// A store that `migrate` refuses arrives nowhere, on any path of its version.
  @Test(arguments: [
    ("DROP TABLE ZBOOK", "WS729", "unknown"),
    ("ALTER TABLE ZBOOK DROP COLUMN ZPAGES", "WS729", "unknown"),
    ("ALTER TABLE ZBOOK ADD COLUMN ZX; UPDATE ZBOOK SET ZX = 'a'", "WS525", "arrives"),
    ("UPDATE ZBOOK SET Z_ENT = 7 WHERE Z_PK = 2", "WS524", "unknown"),
    ("DELETE FROM Z_PRIMARYKEY", "WS524", "unknown"),
  ])
  func `a store that a run refuses has a gap`(sql: String, code: String, outcome: String) throws {
    let path = try path(sql)
    #expect(path.findings.map(\.code.rawValue).contains(code))
    #expect(!path.isReachable && !path.gaps(from: .error).isEmpty)
    #expect(path.app.kind.rawValue == outcome)
  }

  @Test func `a store whose rows a run refuses has no path`() throws {
    let path = try path(
      "UPDATE ZBOOK SET ZPAGES = 100000 + Z_PK",
      ["Book { isbn: String?; pages: Int32? }", "Book { isbn: String?; pages: Int16? }"]
    )
    #expect(!path.isReachable && path.refusals.map(\.code) == [.typeNarrowed])
  }

  /// Waystone goes straight from v1 to v3, and the app step by step: the answer of the rows for v1 to v2
  /// counts.
  @Test(arguments: [("", "arrives"), ("UPDATE ZBOOK SET ZPAGES = 70000 WHERE Z_PK < 3", "loses")])
  func `rows decide at the app's own steps, whatever Waystone's are`(
    sql: String,
    outcome: String
  ) throws {
    let versions = ["pages: Int32?", "pages: Int16?", "pages: Int16?; note: String?"]
      .map { "Book { isbn: String?; \($0) }" }
    let path = try path(sql, versions, .progressive)
    #expect(path.app.nodes == [0, 1, 2] && path.nodes == [0, 2])
    #expect(path.app.kind.rawValue == outcome)
  }

  private func stores(_ report: CoverageReport) -> [String] {
    report.models.flatMap(\.paths).compactMap(\.store)
  }

  @Test(arguments: ["loop", "old.sqlite", "\u{fffd}"])
  func `what cannot be looked at below a folder is a finding beside the stores`(_ name: String)
    throws
  {
    try SketchedProject.with(Self.versions, locked: 2) { project in
      let folder = "\(project.folder)/Stores"
      try project.write("", to: "Stores/empty")
      try project.store("v1", "UPDATE ZBOOK SET ZISBN = Z_PK, ZPAGES = 1", as: "Stores/a.sqlite")
      let good = try project.coverage { $0.stores = ["Stores"] }
      #expect(stores(good) == ["Stores/a.sqlite"] && good.isComplete)
      switch name {
      case "loop": #expect(symlink("loop", "\(folder)/loop") == 0)
      case "old.sqlite": #expect(symlink("nowhere", "\(folder)/old.sqlite") == 0)
      default:
        let made = (Array("\(folder)/".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0])
          .withUnsafeBufferPointer { $0.baseAddress.map { mkdir($0, 0o700) } }
        #expect(made == 0)
      }
      let report = try project.coverage { $0.stores = ["Stores"] }
      #expect(stores(report) == ["Stores/a.sqlite"])
      #expect(report.gaps.map(\.code) == [.storeNotCovered])
      #expect(report.gaps.first?.place.file == "Stores/\(name)")
    }
  }

  @Test func `linked folders are entered once, and what runs keep is no store`() throws {
    try SketchedProject.with(Self.versions) { project in
      try project.write("", to: "Stores/empty")
      try project.store("v1", "UPDATE ZBOOK SET ZISBN = Z_PK, ZPAGES = 1", as: "Stores/a.sqlite")
      try project.write("models: Library.xcdatamodeld\n", to: "waystone.yml")
      try project.write("", to: "Elsewhere/empty")
      try project.store("v1", as: "Elsewhere/b")
      #expect(symlink("../Elsewhere", "\(project.folder)/Stores/linked") == 0)
      #expect(symlink("..", "\(project.folder)/Stores/linked/back") == 0)
      let before = stores(try project.coverage { $0.stores = ["Stores"] })
      #expect(before == ["Stores/a.sqlite", "Stores/linked/b"])
      try project.migrate("Stores/a.sqlite")
      let kept = TemporaryFolder.names(in: "\(project.folder)/Stores")
      #expect(kept.contains("a.sqlite.waystone"))
      #expect(stores(try project.coverage { $0.stores = ["Stores"] }) == before)
    }
  }

  @Test func `a store of two models is brought to the current version of each`() throws {
    try SketchedProject.with(Self.versions) { project in
      try project.draw([("t1", "Tag {}"), ("t2", "Label {} Tag {}")], of: "Tags")
      let models = try project.project.models.models
      let merged = try ManagedObjectModel.merging(models.map { $0.versions[0].model })
      try StoreGenerator(model: merged, rows: 20, seed: 3).write(to: "\(project.folder)/s.sqlite")
      let report = try project.coverage { options in
        options.stores = ["s.sqlite"]
        options.trials = CoverageOptions.Trials()
      }
      #expect(report.models.map(\.name) == ["Library", "Tags", "s.sqlite"])
      let path = try #require(report.models.last?.paths.first)
      #expect(path.nodes?.count ?? 0 > 1 && path.trial?.rows == 20)
    }
  }

  @Test func `a store of a version that no archive has is not known`() throws {
    try SketchedProject.with(Self.versions) { project in
      let other = try ModelSketch.model("Book { isbn: String?; pages: Int32?; note: String? }")
      try StoreGenerator(model: other, rows: 5, seed: 1).write(to: "\(project.folder)/s.sqlite")
      let report = try project.coverage { $0.stores = ["s.sqlite"] }
      let app = try #require(report.models.last?.paths.last?.app)
      #expect(app.kind == .unknown && app.findings.map(\.code) == [.appOutcomeUnknown])
    }
  }
}
