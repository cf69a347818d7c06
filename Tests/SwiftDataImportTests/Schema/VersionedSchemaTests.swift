import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Versioned schemas` {
  private static let source = """
    enum SchemaV2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      @Model class Trip { var name: String; var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip?; var at: Date }
    }
    public enum SchemaV1 {}
    extension SchemaV1: VersionedSchema {
      public static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
      public static var models: [any PersistentModel.Type] { return [Trip.self] }
    }
    extension SchemaV1 {
      @Model class Trip { var name: String? }
    }
    enum SchemaV10: VersionedSchema {
      static var versionIdentifier: Schema.Version = Schema.Version(10, 0, 0)
      static var models: [any PersistentModel.Type] = SchemaV2.models + [Current.Note.self]
      typealias Current = SchemaV10
      @Model class Note { var trip: SchemaV2.Trip? }
    }
    typealias Trip = SchemaV2.Trip
    """

  @Test func `are in the order of their identifiers`() throws {
    let archive = try SchemaText.archive(Self.source)
    #expect(archive.schemas.map(\.name) == ["SchemaV1", "SchemaV2", "SchemaV10"])
    #expect(archive.schemas.map(\.identifier) == ["1.0.0", "2.0.0", "10.0.0"])
    let names = archive.schemas.map { $0.model?.entities.map(\.name) ?? [] }
    #expect(names == [["Trip"], ["Stop", "Trip"], ["Note", "Stop", "Trip"]])
    #expect(archive.schemas.map(\.isKnown) == [true, true, true])
    #expect(archive.schemas[0].place.line == 7)
    #expect(SchemaText.lines(archive.schemas[0], "Trip") == ["name: string?"])
    #expect(
      SchemaText.lines(archive.schemas[1], "Stop") == ["at: date", "trip -> Trip.stops one?"]
    )
  }

  @Test(arguments: ["Stop.trip", "SchemaV1.Stop.trip"])
  func `may name themselves before the class of an inverse or an index`(path: String) throws {
    let archive = try SchemaText.archive(
      """
      enum SchemaV1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
        @Model class Trip { @Relationship(inverse: \\\(path)) var stops: [SchemaV1.Stop] = [] }
        @Model class Stop { #Index<Stop>([\\\(path.replacing("trip", with: "at"))]); var trip: Trip?; var at: Date }
      }
      """
    )
    let schema = try #require(archive.schemas.first)
    #expect(schema.isKnown, "\(schema.findings.map(\.message))")
    #expect(
      SchemaText.lines(schema, "Stop") == ["at: date", "trip -> Trip.stops one?", "index at"],
      "\(SchemaText.lines(schema, "Stop"))"
    )
  }

  @Test func `are in the order of their plan`() throws {
    let archive = try SchemaText.archive(
      Self.source + """

        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] {
            [SchemaV1.self, SchemaV10.self, SchemaV2.self]
          }
          static var stages: [MigrationStage] {
            [v1, .custom(fromVersion: SchemaV10.self, toVersion: SchemaV2.self) { _ in } didMigrate: { _ in }]
          }
          static let v1 = MigrationStage.lightweight(
            fromVersion: SchemaV1.self, toVersion: SchemaV10.self)
          static let v2 = MigrationStage.custom(
            fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: nil)
        }
        """
    )
    #expect(archive.schemas.map(\.name) == ["SchemaV1", "SchemaV10", "SchemaV2"])
    let plan = try #require(archive.models[0].plan)
    #expect(plan.schemas == ["SchemaV1", "SchemaV10", "SchemaV2"])
    #expect(plan.stages.map(\.from) == ["SchemaV1", "SchemaV10"])
    #expect(plan.stages.map(\.to) == ["SchemaV10", "SchemaV2"])
    #expect(plan.stages.map(\.runsCode) == [false, true])
    #expect(plan.isIncomplete == false)
  }

  @Test(arguments: [
    ("static var stages: [MigrationStage] { make() }", "does not list its `stages`"),
    ("static var stages: [MigrationStage] { [make()] }", "no stage"),
    (
      "static let stages = [MigrationStage.lightweight(fromVersion: X.self, toVersion: SchemaV2.self)]",
      "no stage"
    ),
  ])
  func `of a plan that is not understood are told`(stages: String, words: String) throws {
    let archive = try SchemaText.archive(
      Self.source + """

        enum Plan: SchemaMigrationPlan {
          static let schemas: [any VersionedSchema.Type] = [SchemaV1.self, SchemaV2.self]
          \(stages)
        }
        """
    )
    #expect(archive.models[0].plan?.isIncomplete == true)
    #expect(archive.models[0].plan?.findings.first?.message.contains(words) == true)
  }

  @Test(arguments: [
    ("static var models: [any PersistentModel.Type] { make() }", "computes"),
    ("static var models: [any PersistentModel.Type] { [Missing.self] }", "Missing"),
    ("static var other = 1", "declares no `models`"),
    ("static var models = V.models", "refer to themselves"),
  ])
  func `whose models are not understood are unknown`(models: String, words: String) throws {
    let archive = try SchemaText.archive(
      "enum V: VersionedSchema { \(models)\n @Model class A { var x: Int } }"
    )
    let schema = try #require(archive.current)
    let isKnown = schema.isKnown
    #expect(!isKnown)
    #expect(schema.findings.first?.message.contains(words) == true, "\(schema.findings)")
  }

  @Test func `know the types outside of them on which they depend`() throws {
    let archive = try SchemaText.archive(
      """
      @Model class Live { var kind: Kind; var place: Place }
      enum Kind: String, Codable { case a }
      struct Place: Codable { var x: Int }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Live.self] }
      }
      """
    )
    let types = try #require(archive.current).types
    #expect(types.keys.map { $0.joined() }.sorted() == ["Live", "Place"])
    #expect(types[["Place"]]?.isModel == false)
  }

  @Test func `with two classes of one entity are unknown`() throws {
    let schema = try SchemaText.schema(
      """
      @Model class Tag { var name: String }
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Trip.self, V1.Tag.self] }
        @Model class Tag { var name: String }
        @Model class Trip { var tags: [Other] }
      }
      typealias Other = Tag
      """
    )
    #expect(schema?.unknownEntities == ["Tag"])
  }
}
