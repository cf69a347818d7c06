import Foundation
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// Stores that show what SwiftData made of Swift types.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct StoreLessonTests {
  private static let source = """
    struct Prefs: Codable {
      var level: Int
      var title: String
      enum CodingKeys: String, CodingKey { case level, title = "name" }
    }
    @Model final class Trip {
      var name: String
      var count: UInt64
      var at: Mystery?
      var prefs: Prefs?
      var tags: Set<Int>
    }
    """

  private static let truth = """
    swiftdata:
      types:
        UInt64: Integer 32
        Mystery: {lat: Double, note: String?}
        Prefs: {level: Integer 64?, name: String?}
        Set<Int>: Binary
    """

  /// Lends the body a project, and the store of another one where waystone.yml states what SwiftData makes of types.
  private static func with(
    _ source: String = source,
    types: String = truth,
    carriesModel: Bool = true,
    _ configuration: String = "",
    _ body: (_ project: SourceProject) throws -> Void
  ) throws {
    try SourceProject.with(["A.swift": source], configuration) { project in
      try SourceProject.with(["A.swift": source], types) { other in
        let store = URL(filePath: project.folder + "/a.store")
        _ = try other.read().models.generateStore(at: store, of: "current", rows: 5, seed: 1)
      }
      if !carriesModel {
        let database = try AppDatabase(project.folder + "/a.store")
        try database.execute("DELETE FROM Z_MODELCACHE")
      }
      try body(project)
    }
  }

  private static func lines(_ project: SourceProject, learning stores: [String] = []) throws
    -> [String]
  {
    try project.read().learning(from: stores).check().learned.map(\.line)
  }

  @Test func `a plan for a store of an undecided type names the line that decides it`() throws {
    func schema(_ name: String, _ number: Int, _ more: String) -> String {
      """
      enum \(name): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
        @Model final class Trip { var name: String; var at: Mystery?\(more) }
        @Model final class Stop { var x: Int }
      }

      """
    }
    let source = schema("V1", 1, "") + schema("V2", 2, "; var note: String?")
    try SourceProject.with(["A.swift": source]) { project in
      let store = URL(filePath: project.folder + "/a.store")
      let types = "swiftdata: {types: {Mystery: {lat: Double, note: String?}}}"
      try SourceProject.with(["A.swift": source], types) { other in
        _ = try other.read().models.generateStore(at: store, of: "V1", rows: 5, seed: 1)
      }
      let request = { (project: Project) in
        try PlanningRequest(
          store: "a.store",
          at: store.path,
          to: "V2",
          in: project.mapped
        )
      }
      let refusal = #expect(throws: WaystoneError.self) { _ = try request(try project.read()) }
      #expect(refusal?.code == .unknownStoreVersion)
      #expect(refusal?.message.hasPrefix("a.store is of V1 if Mystery is ") == true)
      let advice = try #require(refusal?.recovery.split(separator: "`").dropFirst().first)
      try project.write("models: App\n\(advice)\n", to: "waystone.yml")
      let made = try request(try project.read())
      #expect(made.source.name == "V1" && made.destination.name == "V2")
    }
  }

  @Test(arguments: [true, false])
  func `settle it by the model that they carry, or by their hashes`(carriesModel: Bool) throws {
    let source =
      carriesModel ? Self.source : Self.source.replacing("  var at: Mystery?\n", with: "")
    try Self.with(source, carriesModel: carriesModel) { project in
      let plain = try project.read()
      #expect(plain.models.versions[0].model.unknownEntities == ["Trip"])
      let path = project.folder + "/a.store"
      let read = try plain.learning(from: [path])
      let store = try Store(reading: URL(filePath: path))
      #expect(read.models.identify(store).versions.map(\.name) == ["current"])
      #expect(read.models.versions[0].model.unknownEntities == [])
      let report = try read.check()
      #expect(report.learned.allSatisfy { $0.isOfModel == carriesModel && $0.store == path })
      let count = report.learned.first { $0.type == "UInt64" }
      #expect(count?.form == "Integer 32" && count?.assumed == "Integer 64")
      #expect(
        Set(report.learned.map { "\($0.type): \($0.form)" })
          == Set(
            [
              "UInt64: Integer 32", "Prefs: {level: Integer 64?, name: String?}",
              "Set<Int>: Binary",
            ]
              + (carriesModel ? ["Mystery: {lat: Double, note: String?}"] : [])
          )
      )
      // The lines are what waystone.yml takes.
      let lines = report.learned.map { "    \($0.line)\n" }.joined()
      try project.write("models: App\nswiftdata:\n  types:\n" + lines, to: "waystone.yml")
      let stated = try project.read()
      #expect(stated.models.identify(store).versions.map(\.name) == ["current"])
      let notes = try stated.check().findings.filter {
        [.unmeasuredForm, .unresolvedType].contains($0.code)
      }
      #expect(notes == [])
      #expect(try Self.lines(project, learning: [path]) == [])
    }
  }

  @Test func `are read where samples: names them`() throws {
    try Self.with(Self.source, "samples: {current: a.store}") { project in
      let lines = try Self.lines(project)
      #expect(lines.contains("UInt64: Integer 32   # a.store"))
      #expect(try project.failures() == [])
    }
  }

  @Test func `confirm an assumed rule`() throws {
    let source = "@Model final class Trip { var count: UInt64; var shape: [Int] }"
    try Self.with(source, types: "") { project in
      let report = try project.read().learning(from: [project.folder + "/a.store"]).check()
      #expect(report.learned.map(\.form) == ["Integer 64", "Transformable"])
      #expect(report.learned.map(\.assumed) == ["Integer 64", "Transformable"])
      #expect(!report.findings.contains { $0.code == .unmeasuredForm })
    }
  }

  @Test(arguments: [
    ("UInt64", "Integer 32", "", "WS808", "waystone.yml states Integer 16 for UInt64"),
    ("Int16", "Integer 64", "", "WS808", "which Apple documents as Integer 16"),
    ("UInt64", "Integer 32", "var more: Int?", "WS809", "more may differ"),
  ])
  func `that contradict a rule, waystone.yml or the sources are told of`(
    type: String,
    form: String,
    more: String,
    code: String,
    words: String
  ) throws {
    let source = "@Model final class Trip { var count: \(type) }"
    let types = "swiftdata: {types: {\(type): \(form)}}"
    let stated = words.contains("states") ? "swiftdata: {types: {UInt64: Integer 16}}" : ""
    try Self.with(source, types: types, stated) { project in
      try project.write(source.replacing("}", with: "; \(more) }"), to: "App/A.swift")
      let report = try project.read().learning(from: [project.folder + "/a.store"]).check()
      let found = report.findings.filter { $0.code.rawValue == code }
      #expect(found.count == 1, "\(report.findings)")
      #expect(found.first?.message.contains(words) == true, "\(found)")
      #expect(found.first?.place.line != nil)
      #expect(report.learned == [])
    }
  }

  @Test func `that disagree are told of, and neither counts`() throws {
    let source = "@Model final class Trip { var count: UInt64 }"
    try Self.with(source, types: "swiftdata: {types: {UInt64: Integer 32}}") { project in
      try FileManager.default.moveItem(
        atPath: project.folder + "/a.store",
        toPath: project.folder + "/b.store"
      )
      try Self.with(source, types: "swiftdata: {types: {UInt64: Double}}") { other in
        let stores = [project.folder + "/b.store", other.folder + "/a.store"]
        let report = try project.read().learning(from: stores).check()
        let found = report.failures.filter { $0.code == .typeFormDisputed }
        #expect(found.map(\.place.property) == ["count"])
        #expect(found.first?.message.contains("Integer 32") == true)
        #expect(found.first?.message.contains("Double") == true)
        #expect(report.learned == [])
      }
    }
  }

  @Test func `change a lock that was written by assumed rules into a warning`() throws {
    try Self.with { project in
      _ = try project.read().lock(.all)
      try project.write("models: App\nsamples: {current: a.store}", to: "waystone.yml")
      let report = try project.read().check()
      #expect(report.failures == [])
      let found = report.findings.filter { $0.code == .lockedAsAssumed }
      #expect(found.count == 1)
      #expect(found.first?.message.contains("UInt64 is Integer 32, as a.store shows") == true)
      _ = try project.read().lock(accepting: "current", because: "measured")
      #expect(try project.read().check().findings.contains { $0.code == .lockedAsAssumed } == false)
      try project.write(Self.source.replacing("name: String", with: "name: Int"), to: "App/A.swift")
      #expect(try project.failures().contains("WS814"))
    }
  }

  @Test(arguments: [
    "{UInt64: Integer 65}", "{UInt64: Undefined}", "{UInt64: raw}", "{A: {}}", "{A: [Integer 64]}",
    "{A: {b: raw String}}", "[UInt64]", "{A: Composite}",
  ])
  func `types in waystone.yml that are none are refused at their line`(types: String) throws {
    try SourceProject.with(
      ["A.swift": "@Model class A { var a: Int }"],
      "swiftdata:\n  types: \(types)"
    ) {
      project in
      let error = #expect(throws: WaystoneError.self) { try project.read() }
      #expect(error?.code == .badConfiguration)
      #expect(error?.message.contains("waystone.yml:3:") == true, "\(error?.message ?? "")")
    }
  }
}
