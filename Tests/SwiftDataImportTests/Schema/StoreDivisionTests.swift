import ObjectModel
import SwiftDataImport
import Testing

/// The models of a container whose configurations have schemas of their own.
@Suite struct `Models of a divided container` {
  private static let classes = """
    @Model class A { var x: Int }
    @Model class B { var y: Int }
    @Model class C { var z: Int }

    """

  private static func archive(_ calls: String, _ use: ConfigurationUse = .used) throws
    -> SourceArchive
  {
    try SchemaText.archive(classes + calls, options: SwiftDataOptions(configurationUse: use))
  }

  /// The models of a source, each with the entities of its last version.
  private static func models(_ archive: SourceArchive) -> [String] {
    archive.models.map { model in
      let entities = model.current?.model?.entities.map(\.name).joined(separator: ",") ?? "?"
      return "\(model.name ?? "-"): \(entities)"
    }
  }

  private static let divided = """
    func make(schema: Schema) throws -> ModelContainer {
      let url = URL.applicationSupportDirectory.appending(path: "default.store")
      let first = Schema([A.self])
      let a = ModelConfiguration("default", schema: first, url: url, cloudKitDatabase: .none)
      let b = ModelConfiguration("Words", schema: Schema([B.self, C.self]))
      return try ModelContainer(for: schema, configurations: a, b)
    }
    let schema = Schema([A.self, B.self, C.self])
    """

  static let shown: [(String, [String])] = [
    (divided, ["default: A", "Words: B,C"]),
    (
      """
      let c = try ModelContainer(for: A.self, B.self, C.self, configurations: [
        ModelConfiguration("One", schema: Schema([A.self])),
        ModelConfiguration(for: B.self, C.self),
      ])
      """,
      ["-: B,C", "One: A"]
    ),
    // A store in memory is of no user.
    (
      """
      let c = try ModelContainer(for: A.self, B.self, C.self, configurations:
        ModelConfiguration("One", schema: Schema([A.self, C.self])),
        ModelConfiguration("Two", schema: Schema([B.self]), isStoredInMemoryOnly: true))
      """,
      ["One: A,C"]
    ),
  ]

  @Test(arguments: shown)
  func `are several where a store has the entities of its configuration alone`(
    calls: String,
    models: [String]
  ) throws {
    let archive = try Self.archive(calls)
    #expect(Self.models(archive) == models)
    #expect(archive.findings == [])
  }

  @Test func `are one with a note where nothing shows what a store has`() throws {
    let archive = try Self.archive(Self.divided, .unknown)
    #expect(Self.models(archive).map { $0.hasSuffix(": A,B,C") } == [true])
    #expect(archive.findings.map(\.code) == [.undecidedContainer])
    #expect(archive.findings.map(\.severity) == [.note])
    #expect(archive.findings[0].remedy.contains("configurations: used"))
  }

  @Test func `are one without a note where each store has all entities`() throws {
    let archive = try Self.archive(Self.divided, .none)
    #expect(Self.models(archive).map { $0.hasSuffix(": A,B,C") } == [true])
    #expect(archive.findings == [])
  }

  /// Containers whose stores cannot be told apart by the sources.
  static let unshown = [
    // A class in two configurations.
    """
    let c = try ModelContainer(for: A.self, B.self, C.self, configurations:
      ModelConfiguration("One", schema: Schema([A.self, C.self])),
      ModelConfiguration("Two", schema: Schema([B.self, C.self])))
    """,
    // A configuration without a schema has all models.
    """
    let c = try ModelContainer(for: A.self, B.self, C.self, configurations:
      ModelConfiguration("One", schema: Schema([A.self])), ModelConfiguration("Two"))
    """,
    // A class in no configuration.
    """
    let c = try ModelContainer(for: A.self, B.self, C.self, configurations:
      ModelConfiguration("One", schema: Schema([A.self])),
      ModelConfiguration("Two", schema: Schema([B.self])))
    """,
    // Configurations that are made elsewhere.
    "let c = try ModelContainer(for: A.self, B.self, C.self, configurations: one, two())",
  ]

  @Test(arguments: unshown)
  func `are one where the sources do not show which store has them`(calls: String) throws {
    let archive = try Self.archive(calls)
    #expect(Self.models(archive).map { $0.hasSuffix(": A,B,C") } == [true])
    #expect(archive.findings.map(\.severity) == [.note])
    #expect(archive.findings[0].message.contains("does not follow from the sources"))
  }

  @Test func `have versioned schemas of their own`() throws {
    let schemas = """
      enum NotesV1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [A.self] }
      }
      enum WordsV1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [B.self, C.self] }
      }
      let c = try ModelContainer(for: A.self, B.self, C.self, configurations:
        ModelConfiguration("Notes", schema: Schema(versionedSchema: NotesV1.self)),
        ModelConfiguration("Words", schema: Schema(versionedSchema: WordsV1.self)))
      """
    let archive = try Self.archive(schemas)
    #expect(Self.models(archive) == ["Notes: A", "Words: B,C"])
    #expect(archive.models.map { $0.current?.name } == ["NotesV1", "WordsV1"])
    #expect(archive.findings == [])
  }
}
