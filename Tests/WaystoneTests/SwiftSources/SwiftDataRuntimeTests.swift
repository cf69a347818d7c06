import Foundation
import MigrationPlanning
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// The outcome of older stores in an app with SwiftData.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SwiftDataRuntimeTests {
  private static func source(_ versions: [String], stages: [String], schemas: [Int]? = nil)
    -> String
  {
    let declared = versions.enumerated().map { index, properties in
      """
      enum V\(index + 1): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(index + 1), 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { \(properties) }
      }
      """
    }
    let names = (schemas ?? Array(1...versions.count)).map { "V\($0).self" }
    return declared.joined(separator: "\n") + """

      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(names.joined(separator: ", "))] }
        static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
      }
      """
  }

  private static func light(_ from: Int) -> String {
    ".lightweight(fromVersion: V\(from).self, toVersion: V\(from + 1).self)"
  }

  private static func custom(_ from: Int) -> String {
    ".custom(fromVersion: V\(from).self, toVersion: V\(from + 1).self, willMigrate: nil) { _ in }"
  }

  private static func outcomes(
    _ source: String,
    _ runtime: String
  ) throws -> [AppOutcome.Kind] {
    var kinds: [AppOutcome.Kind] = []
    try SourceProject.with(["A.swift": source], "runtime: \(runtime)") { project in
      kinds = try project.read().coverage().models.flatMap(\.paths).map(\.app.kind)
    }
    return kinds
  }

  private static let grows = ["var a: Int", "var a: Int; var b: Int?", "var a: Int; var c: Int?"]

  @Test func `without a plan it goes straight`() throws {
    let source = Self.source(Self.grows, stages: [Self.light(1), Self.light(2)])
    #expect(try Self.outcomes(source, "swiftdata") == [.arrives, .arrives])
  }

  @Test func `by a plan it arrives through its stages`() throws {
    let source = Self.source(Self.grows, stages: [Self.light(1), Self.light(2)])
    #expect(try Self.outcomes(source, "swiftdata-plan") == [.arrives, .arrives])
  }

  @Test(arguments: [
    ("var made: Date = Date.now", false), ("var made: UUID = UUID()", true),
    ("var tags: [String] = []", true), ("var tags: [String] = [\"a\"]", false),
    ("var id: UUID = UUID(); var tags: [String] = [\"a\"]", false),
    ("var size: Decimal = Self.size", false),
  ])
  func `a default that the app computes keeps no store from arriving`(
    property: String,
    isKnown: Bool
  ) throws {
    let source = Self.source(["var a: Int", "var a: Int; \(property)"], stages: [Self.light(1)])
    for runtime in ["swiftdata", "swiftdata-plan"] {
      try SourceProject.with(["A.swift": source], "runtime: \(runtime)") { project in
        let paths = try project.read().coverage().models.flatMap(\.paths)
        #expect(paths.map(\.app.kind) == [.arrives])
        #expect(paths.allSatisfy { ($0.nodes != nil) == isKnown })
        let failures = try project.failures()
        #expect(failures == [])
      }
    }
  }

  @Test(arguments: [
    ("[String] = [\"a\"]", "[String] = [\"a\"]", AppOutcome.Kind.arrives),
    ("[String] = [\"a\"]", "[String] = Trip.tags", .unknown),
    ("[String] = []", "[String] = Trip.tags", .unknown), ("Int = 3", "Int = Trip.count", .unknown),
    ("Date = .now", "Date = .now", .arrives),
    ("Date = .now", "Date = .distantPast", .unknown),
    ("Bool = Trip.flag", "Bool = Trip.flag", .unknown),
  ])
  func
    `a default that the app computes leaves straight steps unknown unless versions spell it alike`(
      first: String,
      next: String,
      kind: AppOutcome.Kind
    ) throws
  {
    let source = Self.source(
      ["var a: Int", "var a: Int; var b: \(first)", "var a: Int; var b: \(next); var c: Int?"],
      stages: [Self.light(1), Self.light(2)]
    )
    #expect(try Self.outcomes(source, "swiftdata") == [kind, .arrives])
    #expect(try Self.outcomes(source, "swiftdata-plan") == [kind, .arrives])
  }

  @Test(arguments: [("lightweight", [[0, 2], [1, 2]]), ("custom", [[], [1, 2]])])
  func `no store of a listed schema is taken through one that the plan does not list`(
    kind: String,
    expected: [[Int]]
  ) throws {
    let code = kind == "custom" ? ", willMigrate: nil) { _ in }" : ")"
    let source = Self.source(
      [
        "var a: Int; var kept: String?", "var a: Int", "var a: Int; var kept: String?; var c: Int?",
      ],
      stages: [".\(kind)(fromVersion: V1.self, toVersion: V3.self\(code)"],
      schemas: [1, 3]
    )
    try SourceProject.with(["A.swift": source], "runtime: swiftdata-plan") { project in
      let paths = try project.read().coverage().models.flatMap(\.paths)
      #expect(paths.map { $0.isReachable ? $0.nodes ?? [] : [] } == expected)
    }
  }

  @Test(arguments: [
    ("step()", "static func step() -> MigrationStage { STAGE }", true),
    ("Self.step()", "static func step() -> MigrationStage { return STAGE }", true),
    (".step", "} extension MigrationStage { static var step: MigrationStage { STAGE }", true),
    (
      ".step()", "} extension MigrationStage { static func step() -> MigrationStage { STAGE }", true
    ),
    ("step()", "static func step() -> MigrationStage { prepare(); return STAGE }", false),
    ("step(2)", "static func step(_ n: Int) -> MigrationStage { STAGE }", false),
  ])
  func `a stage that cannot be read may run code, and one that can is what it says`(
    element: String,
    declaration: String,
    isRead: Bool
  ) throws {
    func hasPath(_ stage: String) throws -> Bool? {
      // The declaration stands at the end of the plan, or closes it and begins an extension.
      let source = Self.source(["var a: Int; var b: Int?", "var a: Int"], stages: [element])
        .dropLast()
      let text = source + declaration.replacing("STAGE", with: stage) + " }"
      var found: Bool?
      try SourceProject.with(["A.swift": String(text)], "runtime: swiftdata-plan") { project in
        let paths = try project.read().coverage().models.flatMap(\.paths)
        found = paths.first?.isReachable
      }
      return found
    }
    #expect(try hasPath(Self.light(1)) == isRead)
    #expect(try hasPath(Self.custom(1)) == false)
  }

  @Test func `what becomes of a schema with two classes for one entity is unknown`() throws {
    let source = """
      @Model final class Trip { var name: String; var stops: [Stop] = [] }
      @Model final class Stop { var name: String; var trip: Trip? }
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, V1.Stop.self] }
        @Model final class Stop { var trip: Trip? }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [\(Self.light(1))] }
      }
      """
    #expect(try Self.outcomes(source, "swiftdata-plan") == [.unknown])
  }

  @Test func `a store of a schema that the plan lacks fails`() throws {
    let source = Self.source(Self.grows, stages: [Self.light(2)], schemas: [2, 3])
    #expect(try Self.outcomes(source, "swiftdata-plan") == [.fails, .arrives])
    #expect(try Self.outcomes(source, "swiftdata") == [.arrives, .arrives])
  }

  @Test func `without a plan that is understood the outcome is unknown`() throws {
    let source = Self.source(Self.grows, stages: ["make()"])
    #expect(try Self.outcomes(source, "swiftdata-plan") == [.unknown, .unknown])
  }

  @Test func `lightweight stages in a row that mean another thing at once are unknown`() throws {
    // The name is used again for something else: one after the other drops the value, at once keeps it.
    let reused = [
      "var a: Int; var b: Int?", "var a: Int", "var a: Int; var b: Int?; var c: Int?",
    ]
    let source = Self.source(reused, stages: [Self.light(1), Self.light(2)])
    let kinds = try Self.outcomes(source, "swiftdata-plan")
    #expect(kinds.first == .unknown || kinds.first == .keeps)
    #expect(kinds.last == .arrives)
  }

  @Test func `a custom stage is code that no plan of Waystone runs`() throws {
    let source = Self.source(Self.grows, stages: [Self.light(1), Self.custom(2)])
    try SourceProject.with(["A.swift": source], "runtime: swiftdata-plan") { project in
      let read = try project.read().withMappings([])
      #expect(read.authored.count == 1)
      let report = try read.coverage()
      let paths = report.models.flatMap(\.paths)
      #expect(paths.map(\.isReachable) == [false, false])
      let notes = try read.check().allFindings.filter { $0.code == .stageRunsCode }
      #expect(notes.count == 1)
    }
  }

  @Test func `the sources show the runtime where waystone yml does not state it`() throws {
    let source = Self.source(Self.grows, stages: [Self.light(2)], schemas: [2, 3])
    let app = "let c = try ModelContainer(for: V3.Trip.self"
    let cases: [(String, AppRuntime, [AppOutcome.Kind])] = [
      ("", .swiftDataPlan, [.fails, .arrives]),
      (app + ", migrationPlan: Plan.self)", .swiftDataPlan, [.fails, .arrives]),
      (app + ")", .swiftData, [.arrives, .arrives]),
    ]
    for (call, runtime, kinds) in cases {
      try SourceProject.with(["A.swift": source, "App.swift": call]) { project in
        let report = try project.read().coverage()
        #expect(report.runtime == runtime)
        #expect(report.models.flatMap(\.paths).map(\.app.kind) == kinds)
      }
    }
  }

  @Test func `two schemas of a plan that hash alike end the app, whatever the store is`() throws {
    let equal = ["var a: Int", "var a: Int; var b: Int?", "var a: Int; var b: Int?"]
    let source = Self.source(equal, stages: [Self.light(1), Self.light(2)])
    #expect(try Self.outcomes(source, "swiftdata-plan") == [.fails, .fails])
    #expect(try Self.outcomes(source, "swiftdata") == [.arrives, .arrives])
  }
}
