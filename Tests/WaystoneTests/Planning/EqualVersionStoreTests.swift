import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

/// Stores of versions that hash alike and have other columns.
@Suite struct EqualVersionStoreTests {
  private static func note(_ attributes: String) -> String {
    #"<entity name="Note" syncable="YES">"#
      + #"<attribute name="size" optional="YES" attributeType="Integer 32"/>\#(attributes)</entity>"#
  }

  private static func derived(_ name: String, _ type: String = "Integer 32") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" derived="YES" "#
      + #"derivationExpression="size"/>"#
  }

  private static let added = #"<attribute name="more" optional="YES" attributeType="String"/>"#

  @Test(
    arguments: [
      (derived("total"), derived("toTal")), (derived("total"), derived("total", "Integer 64")),
    ]
  )
  func `a store is of each version whose columns it has`(
    _ example: (old: String, new: String)
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", Self.note(example.old)), ("v2", Self.note(example.new))],
        into: "\(folder)/Models"
      )
      let models = try ModelArchive(contentsOf: URL(filePath: "\(folder)/Models"))
      let url = URL(filePath: "\(folder)/s.sqlite")
      try models.generateStore(at: url, of: "v1", rows: 9)
      for version in ["v1", "v2"] {
        let plan = try models.plan(for: Store(reading: url), to: VersionName(version))
        #expect(plan.isSafe && plan.hops.isEmpty, "\(plan.blockers)")
      }
      #expect(try Project(at: URL(filePath: "\(folder)/Models")).coverage().isComplete)
    }
  }

  /// The names of both derived attributes of two versions that hash alike, and the columns of the third.
  @Test(
    arguments: [
      (derived("old"), derived("new"), "INTEGER"),
      (derived("new"), derived("new", "Double"), "FLOAT"),
    ]
  )
  func `a store goes on from the columns that it has`(
    _ example: (old: String, new: String, type: String)
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.note(example.old)), ("v2", Self.note(example.new)),
          ("v3", Self.note(example.new + Self.added)),
        ],
        into: "\(folder)/Models"
      )
      let models = try ModelArchive(contentsOf: URL(filePath: "\(folder)/Models"))
      for (version, other) in [("v1", "v2"), ("v2", "v1")] {
        let url = URL(filePath: "\(folder)/\(version).sqlite")
        try models.generateStore(at: url, of: VersionName(version), rows: 9)
        let store = try Store(reading: url)
        let stays = try models.plan(for: store, to: VersionName(version))
        #expect(stays.isSafe && stays.hops.isEmpty, "\(stays.blockers)")
        let refused = try models.plan(for: store, to: VersionName(other))
        #expect(!refused.isSafe)
        #expect(refused.blockers.findings.map(\.code) == [.derivedColumnDiffers])
        #expect(throws: WaystoneError.self) { try refused.migrate(store) }
        let plan = try models.plan(for: store, to: "v3")
        #expect(plan.isSafe && plan.plan.source.name == version, "\(plan.blockers)")
        let again = try JSONDecoder().decode(
          StorePlan.self,
          from: JSONEncoder().encode(plan)
        )
        #expect(again == plan)
        try plan.migrate(store)
        let columns = try AppDatabase(url.path)
          .rows("SELECT name, type FROM pragma_table_info('ZNOTE') WHERE name IN ('ZOLD', 'ZNEW')")
        #expect(columns.map { $0.compactMap(\.text) } == [["ZNEW", example.type]])
      }
    }
  }

  @Test(arguments: [("v2", "v1"), ("v1", "v2")])
  func `coverage counts a version of other columns as one that cannot migrate`(
    _ example: (wanted: String, other: String)
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v0", Self.note("")), ("v1", Self.note(Self.derived("old"))),
          ("v2", Self.note(Self.derived("new"))),
        ],
        into: "\(folder)/Models"
      )
      let models = try ModelArchive(contentsOf: URL(filePath: "\(folder)/Models"))
      try models.generateStore(
        at: URL(filePath: "\(folder)/s.sqlite"),
        of: VersionName(example.other),
        rows: 9
      )
      let project = try Project(at: URL(filePath: "\(folder)/Models"))
      var options = CoverageOptions()
      options.storeURLs = [URL(filePath: "\(folder)/s.sqlite")]
      options.version = VersionName(example.wanted)
      let report = try project.coverage(options)
      // The given store is of the version whose columns are not wanted: one answer for both.
      #expect(report.models.count == 1)
      let paths = report.models[0].paths
      #expect(paths.map(\.versions) == [["v0"], [example.other], []])
      #expect(paths.map(\.isReachable) == [true, false, false])
      #expect(paths.map(\.app.kind) == [.arrives, .unknown, .unknown])
      let missing = paths.map { $0.missing.map(\.code) }
      #expect(missing == [[], [.derivedColumnDiffers], [.derivedColumnDiffers]])
      #expect(paths[0].findings.allSatisfy { $0.code != .derivedColumnDiffers })
    }
  }

  @Test func `a store of the version wanted that is refused for its rows has no other columns`()
    throws
  {
    try TemporaryFolder.with { folder in
      try SketchedModel.write([("v1", Self.note(""))], into: "\(folder)/Models")
      let models = try ModelArchive(contentsOf: URL(filePath: "\(folder)/Models"))
      let url = URL(filePath: "\(folder)/s.sqlite")
      try models.generateStore(at: url, of: "v1", rows: 3)
      try AppDatabase.run(url.path, "UPDATE ZNOTE SET Z_ENT = 99 WHERE Z_PK = 2")
      var options = CoverageOptions()
      options.storeURLs = [url]
      let report = try Project(at: URL(filePath: "\(folder)/Models")).coverage(options)
      let path = try #require(report.models.flatMap(\.paths).first { $0.store != nil })
      #expect(path.nodes?.count == 1 && path.refusals.map(\.code) == [.entityNumbersWrong])
      #expect(!path.findings.has(.derivedColumnDiffers))
    }
  }
}
