import ObjectModel
import SwiftDataImport
import Testing

/// The models that containers are given where versioned schemas list others.
@Suite struct `Containers of versioned schemas` {
  private static let versions = """
    enum V1: VersionedSchema {
      static var versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [A.self] }
      @Model class A { var x: Int }
    }
    enum V2: VersionedSchema {
      static var versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [A.self, B.self] }
      @Model class A { var x: Int; var y: Int? }
      @Model class B { var z: Int }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }
    typealias A = V2.A

    """

  @Test(arguments: [
    "let c = ModelContainer(for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self)",
    "let c = ModelContainer(for: A.self, V2.B.self, migrationPlan: Plan.self)",
    // What cannot be followed may be given the latest; an app may open older stores beside its own.
    "let c = ModelContainer(for: V1.A.self); let d = ModelContainer(for: more())",
    "let c = ModelContainer(for: V1.A.self); let d = ModelContainer(for: A.self, V2.B.self)",
    "#Preview { Text(\"\").modelContainer(for: V1.A.self) }",
    "",
  ])
  func `may be given the latest one`(call: String) throws {
    let archive = try SchemaText.archive(Self.versions + call)
    #expect(archive.findings == [])
    #expect(archive.schemas.map(\.name) == ["V1", "V2"])
  }

  @Test(arguments: [
    ("let c = ModelContainer(for: Schema(versionedSchema: V1.self))", "the models of V1"),
    ("let c = ModelContainer(for: V1.A.self)", "the models of V1"),
    ("let c = ModelContainer(for: A.self)", "models that no schema has as a whole"),
  ])
  func `that are given another fail`(call: String, words: String) throws {
    let archive = try SchemaText.archive(Self.versions + call)
    #expect(archive.findings.map(\.code) == [.containerDiffersFromHistory])
    #expect(archive.findings.allSatisfy { $0.severity == .error && $0.message.contains(words) })
  }

  @Test func `that list models no schema has are the current version`() throws {
    let extra = "@Model class C { var x: Int }\n"
    let call = "let c = ModelContainer(for: A.self, V2.B.self, C.self, migrationPlan: Plan.self)"
    let archive = try SchemaText.archive(Self.versions + extra + call)
    let model = archive.models[0]
    #expect(model.schemas.map(\.name) == ["V1", "V2", nil])
    #expect(model.past.map(\.name) == ["V1"])
    #expect(model.current?.entities.keys.sorted() == ["A", "B", "C"])
    let finding = try #require(archive.findings.first)
    #expect(archive.findings.count == 1 && finding.code == .containerDiffersFromHistory)
    #expect(finding.message.contains("V2 lacks C") && finding.severity == .error)
  }

  @Test(arguments: [
    // Copies of the latest schema's classes make the same stores.
    ("var x: Int; var y: Int?", [String](), 2),
    ("var x: Int", ["WS819"], 2),
    ("var x: Int; var other: Int?", ["WS819"], 3),
    // What is not known may be the latest schema's.
    ("var x: Int; var y: Mystery?", ["WS819"], 2),
  ])
  func `that list copies are of the schema with their hashes`(
    properties: String,
    codes: [String],
    count: Int
  ) throws {
    let copies =
      "@Model class A { \(properties) }\n"
      + (count == 2 && properties == "var x: Int" ? "" : "@Model class B { var z: Int }\n")
    let classes = copies.contains("class B") ? "A.self, B.self" : "A.self"
    let archive = try SchemaText.archive(
      Self.versions.replacing("typealias A = V2.A", with: "") + copies
        + "let c = ModelContainer(for: \(classes))"
    )
    #expect(archive.findings.map(\.code.rawValue) == codes)
    #expect(archive.models[0].schemas.count == count)
  }

  @Test(arguments: [
    ("let c = ModelContainer(for: A.self, V2.B.self)", false),
    ("let c = ModelContainer(for: A.self, V2.B.self, migrationPlan: nil)", false),
    ("let c = ModelContainer(for: A.self, V2.B.self, migrationPlan: Plan.self)", true),
    ("", true),
  ])
  func `tell whether the plan is used`(call: String, isUsed: Bool) throws {
    let plan = try #require(try SchemaText.archive(Self.versions + call).models[0].plan)
    #expect((plan.unusedBy == nil) == isUsed)
  }
}
