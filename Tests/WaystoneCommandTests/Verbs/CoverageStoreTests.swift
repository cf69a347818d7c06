import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing
import WaystoneCommand

/// Stores whose rows decide what the app and Waystone make of them.
@Suite struct CoverageStoreTests {
  private static func book(_ pages: String, _ more: String = "") -> String {
    """
    <entity name="Book">
    <attribute name="isbn" optional="YES" attributeType="String"/>
    <attribute name="pages" optional="YES" attributeType="\(pages)"/>
    \(more)
    </entity>
    """
  }

  /// From v1 to v2 `pages` becomes smaller and `isbn` unique.
  private static let versions: [(name: String, entities: String)] = [
    ("v1", book("Integer 32")),
    (
      "v2",
      book(
        "Integer 16",
        """
        <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/>\
        </uniquenessConstraint></uniquenessConstraints>
        """
      )
    ),
  ]

  /// The path of a store of v1 with 20 good rows, changed by some SQL.
  private func path(
    _ sql: String,
    _ versions: [(name: String, entities: String)] = Self.versions,
    _ more: [String] = []
  ) throws -> [String: Any] {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let archive = try ArchiveLoader.load("\(folder)/ModelArchive")
      let model = try #require(archive.versions.first).model
      let path = "\(folder)/Old.sqlite"
      try StoreGenerator(model: model, rows: 20, seed: 3).write(to: path)
      let connection = try AppDatabase(path)
      try connection.execute("UPDATE ZBOOK SET ZISBN = 'i' || Z_PK, ZPAGES = Z_PK; \(sql)")
      try connection.checkpointTruncating()
      let run = CommandRun(["coverage", "Old.sqlite", "--format", "json"] + more, in: folder)
      let paths = try run.json()["paths"] as? [[String: Any]] ?? []
      return try #require(paths.first { $0["store"] is String })
    }
  }

  private func codes(_ value: Any?) -> [String] {
    (value as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
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
    let app = path["app"] as? [String: Any]
    #expect(app?["outcome"] as? String == outcome)
    let codes = codes(app?["findings"]).filter { $0.hasPrefix("WS72") }
    #expect(codes.sorted() == expected)
    #expect(path["gap"] as? Bool == !expected.isEmpty)
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
    #expect(codes(path["findings"]).contains(code), "\(path)")
    #expect(path["gap"] as? Bool == true)
    let app = path["app"] as? [String: Any]
    #expect(app?["outcome"] as? String == outcome)
  }

  /// Waystone goes straight from v1 to v3, and the app step by step: what the rows say of v1 to v2 counts.
  @Test(arguments: [("", "arrives"), ("UPDATE ZBOOK SET ZPAGES = 70000 WHERE Z_PK < 3", "loses")])
  func `rows decide at the app's own steps, whatever Waystone's are`(
    sql: String,
    outcome: String
  ) throws {
    let note = #"<attribute name="note" optional="YES" attributeType="String"/>"#
    let versions = [
      ("v1", Self.book("Integer 32")), ("v2", Self.book("Integer 16")),
      ("v3", Self.book("Integer 16", note)),
    ].map { (name: $0.0, entities: $0.1) }
    let path = try path(sql, versions, ["--runtime", "progressive"])
    let app = try #require(path["app"] as? [String: Any])
    #expect(app["via"] as? [String] == ["v1", "v2", "v3"])
    #expect(path["hops"] as? Int == 1, "\(path)")
    #expect(app["outcome"] as? String == outcome, "\(app)")
  }

  /// A folder with the models and one store of the first version.
  private func withStore(_ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let model = try #require(ArchiveLoader.load("\(folder)/ModelArchive").versions.first).model
      try FileManager.default.createDirectory(
        atPath: "\(folder)/Stores",
        withIntermediateDirectories: true
      )
      try StoreGenerator(model: model, rows: 5, seed: 3).write(to: "\(folder)/Stores/a.sqlite")
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      try body(folder)
    }
  }

  private func stores(_ run: CommandRun) throws -> [String] {
    (try run.json()["paths"] as? [[String: Any]] ?? []).compactMap { $0["store"] as? String }
  }

  @Test(arguments: ["loop", "old.sqlite", "\u{fffd}"])
  func `what cannot be looked at below a folder is told beside the stores`(_ name: String) throws {
    try withStore { folder in
      let good = CommandRun("coverage", "Stores", "--format", "json", in: folder)
      #expect(try stores(good) == ["Stores/a.sqlite"])
      #expect(good.status == .success, "\(good.output)")
      switch name {
      case "loop": #expect(symlink("loop", "\(folder)/Stores/loop") == 0)
      case "old.sqlite": #expect(symlink("nowhere", "\(folder)/Stores/old.sqlite") == 0)
      default:
        let bytes = Array("\(folder)/Stores/".utf8) + [0xff, 0]
        #expect(
          bytes.withUnsafeBytes { mkdir($0.bindMemory(to: CChar.self).baseAddress!, 0o700) } == 0
        )
      }
      let run = CommandRun("coverage", "Stores", "--format", "json", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(try stores(run) == ["Stores/a.sqlite"])
      let findings = try run.json()["findings"] as? [[String: Any]] ?? []
      #expect(findings.map { $0["code"] as? String } == ["WS729"])
      #expect(findings.first?["file"] as? String == "Stores/\(name)", "\(findings)")
    }
  }

  @Test func `linked folders are entered once, and what runs keep is no store`() throws {
    try withStore { folder in
      let run = CommandRun(
        ["migrate", "Stores/a.sqlite", "--to", "v1", "-o", "Other.sqlite"],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/Elsewhere",
        withIntermediateDirectories: true
      )
      try FileManager.default.moveItem(
        atPath: "\(folder)/Other.sqlite",
        toPath: "\(folder)/Elsewhere/b"
      )
      #expect(symlink("../Elsewhere", "\(folder)/Stores/linked") == 0)
      #expect(symlink("..", "\(folder)/Stores/linked/back") == 0)
      let before = CommandRun("coverage", "Stores", "--format", "json", in: folder)
      #expect(
        try stores(before).filter { $0.hasSuffix("sqlite") || $0.hasSuffix("/b") }
          == ["Stores/a.sqlite", "Stores/linked/b"]
      )
      #expect(CommandRun("migrate", "Stores/a.sqlite", in: folder).status == .success)
      #expect(TemporaryFolder.names(in: "\(folder)/Stores").contains("a.sqlite.waystone"))
      let after = CommandRun("coverage", "Stores", "--format", "json", in: folder)
      #expect(try stores(after) == stores(before))
    }
  }

  @Test func `a store of two models is brought to the current version of each`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive", model: "Books")
      try SketchedModel.write(
        [
          ("t1", #"<entity name="Tag"/>"#),
          ("t2", #"<entity name="Label"/><entity name="Tag"/>"#),
        ],
        into: "\(folder)/ModelArchive",
        model: "Tags"
      )
      let archive = try ArchiveLoader.load("\(folder)/ModelArchive")
      let merged = try ManagedObjectModel.merging(archive.models.map { $0.versions[0].model })
      try StoreGenerator(model: merged, rows: 20, seed: 3).write(to: "\(folder)/Old.sqlite")
      let run = CommandRun("coverage", "Old.sqlite", "--run", "--format", "json", in: folder)
      let json = try run.json()
      let models = (json["models"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
      #expect(models == ["Books", "Tags", "Old.sqlite"], "\(run.output)")
      let paths = json["paths"] as? [[String: Any]] ?? []
      #expect(paths.count == 3)
      let trial = paths.last?["trial"] as? [String: Any]
      #expect(paths.last?["hops"] as? Int ?? 0 > 0)
      #expect(trial?["rows"] as? Int == 20, "\(run.output)")
    }
  }

  @Test func `a store of a version that nobody archived is not known`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let other = try ModelSketch.model("Book { isbn: String?; pages: Int32?; note: String? }")
      try StoreGenerator(model: other, rows: 5, seed: 1).write(to: "\(folder)/Old.sqlite")
      let run = CommandRun("coverage", "Old.sqlite", "--format", "json", in: folder)
      let paths = try run.json()["paths"] as? [[String: Any]] ?? []
      let app = paths.last?["app"] as? [String: Any]
      #expect(app?["outcome"] as? String == "unknown", "\(run.output)")
      #expect(codes(app?["findings"]) == ["WS723"])
    }
  }

  @Test func `the ledger of a batch among the stores is no store`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/a",
        withIntermediateDirectories: false
      )
      let made = CommandRun("generate", "v1", "--rows", "3", "-o", "a/s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let before = CommandRun("coverage", "a", in: folder)
      let batch = try ProcessRun(["batch", "a", "--output", "a/out"], in: folder)
      try #require(batch.status == 0, "\(batch.errors)")
      let after = CommandRun("coverage", "a", in: folder)
      #expect(!after.output.contains("WS729"), "\(after.output)")
      #expect(after.status == before.status, "\(after.output)")
    }
  }
}
