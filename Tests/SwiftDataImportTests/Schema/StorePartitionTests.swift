import ObjectModel
import SwiftDataImport
import Testing

/// The models of an app that has several stores, as their plans, schemas and containers show them.
@Suite struct `Models of several stores` {
  /// A versioned schema with classes of its own.
  private static func schema(_ name: String, _ number: Int, _ classes: String...) -> String {
    let list = classes.map { "\($0).self" }.joined(separator: ", ")
    let bodies = classes.map { "@Model class \($0) { var x\(number): Int }" }.joined(
      separator: "\n"
    )
    return """
      enum \(name): VersionedSchema {
        static var versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [\(list)] }
        \(bodies)
      }

      """
  }

  private static func plan(_ name: String, _ schemas: String...) -> String {
    let list = schemas.map { "\($0).self" }.joined(separator: ", ")
    return """
      enum \(name): SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(list)] }
        static var stages: [MigrationStage] { [] }
      }

      """
  }

  private static let users =
    schema("UserV1", 1, "User") + schema("UserV2", 2, "User", "Tag")
    + plan("UserPlan", "UserV1", "UserV2")
  private static let caches =
    schema("CacheV1", 1, "Page") + schema("CacheV2", 2, "Page") + plan("CachePlan", "CacheV1")
  private static let classes = """
    @Model class A { var x: Int }
    @Model class B { var y: Int }
    @Model class C { var z: Int }

    """

  /// The models of a source, one a line: name, versions with their entities, plan.
  private static func lines(_ archive: SourceArchive) -> [String] {
    archive.models.map { model in
      let versions = model.schemas.map { schema in
        let entities = schema.model?.entities.map(\.name).joined(separator: ",") ?? "?"
        return "\(schema.name ?? "current")(\(entities))"
      }
      return
        "\(model.name ?? "-"): \((versions + [model.plan?.name].compactMap(\.self)).joined(separator: " "))"
    }
  }

  static let sources: [(String, [String])] = [
    (
      users + caches,
      [
        "User: UserV1(User) UserV2(Tag,User) UserPlan",
        "Cache: CacheV1(Page) CacheV2(Page) CachePlan",
      ]
    ),
    // Names of stores count before those of plans; a store with SwiftData's own name comes first.
    (
      users + caches + """
        let c = ModelContainer(for: UserV2.User.self, UserV2.Tag.self, migrationPlan: UserPlan.self,
          configurations: ModelConfiguration("Accounts"))
        let d = ModelContainer(for: CacheV1.Page.self, migrationPlan: CachePlan.self)
        """,
      [
        "-: CacheV1(Page) CacheV2(Page) CachePlan",
        "Accounts: UserV1(User) UserV2(Tag,User) UserPlan",
      ]
    ),
    // A plan, and a container that is given classes alone.
    (
      users + classes + """
        let c = ModelContainer(for: UserV2.User.self, UserV2.Tag.self, migrationPlan: UserPlan.self)
        let url = URL.cachesDirectory.appending(path: "Pages/pages.store")
        let d = ModelContainer(for: A.self, configurations: ModelConfiguration(url: url))
        """,
      ["-: UserV1(User) UserV2(Tag,User) UserPlan", "pages: current(A)"]
    ),
    (
      classes + """
        let c = ModelContainer(for: A.self)
        let d = ModelContainer(for: Schema([B.self, C.self]), configurations: [ModelConfiguration("Cache")])
        """,
      ["-: current(A)", "Cache: current(B,C)"]
    ),
    // One class in both, in stores of different files.
    (
      classes + """
        let c = ModelContainer(for: A.self, C.self, configurations: ModelConfiguration("Main"))
        let d = ModelContainer(for: B.self, C.self, configurations: ModelConfiguration("Cache"))
        """,
      ["Main: current(A,C)", "Cache: current(B,C)"]
    ),
    // A schema that no plan lists is of the model in whose namespace it is, or whose entities it shares.
    (
      users + caches + schema("CacheV3", 3, "Page", "Link")
        + "extension CachePlan { " + schema("Next", 4, "Sheet") + "}",
      [
        "User: UserV1(User) UserV2(Tag,User) UserPlan",
        "Cache: CacheV1(Page) CacheV2(Page) CacheV3(Link,Page) CachePlan.Next(Sheet) CachePlan",
      ]
    ),
  ]

  @Test(arguments: [true, false])
  func `are apart where an old schema of one has an entity that is now the other's`(
    hasContainers: Bool
  ) throws {
    let main =
      Self.schema("MainV1", 1, "Memo", "Page") + Self.schema("MainV2", 2, "Memo")
      + Self.plan("MainPlan", "MainV1", "MainV2")
    let calls = """
      let c = ModelContainer(for: MainV2.Memo.self, migrationPlan: MainPlan.self, configurations: own())
      let d = ModelContainer(for: CacheV1.Page.self, migrationPlan: CachePlan.self, configurations: other())
      """
    let archive = try SchemaText.archive(main + Self.caches + (hasContainers ? calls : ""))
    // Without containers nothing shows that there are two stores.
    #expect(archive.models.count == (hasContainers ? 2 : 1))
    guard hasContainers else { return }
    #expect(archive.models.map { $0.plan?.name } == ["MainPlan", "CachePlan"])
    #expect(archive.models[0].schemas.map(\.name) == ["MainV1", "MainV2"])
  }

  @Test(arguments: sources)
  func `are those that share no entity`(source: String, models: [String]) throws {
    let archive = try SchemaText.archive(source)
    #expect(Self.lines(archive) == models)
    #expect(archive.findings.filter { $0.code == .undecidedContainer } == [])
  }

  static let single: [(String, String)] = [
    // Previews and stores in memory are of no user.
    (
      "let c = ModelContainer(for: A.self)\n#Preview { Text(\"\").modelContainer(for: [B.self]) }\n"
        + "let d = ModelContainer(for: C.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
      "current(A)"
    ),
    // A widget opens the app's store with a part of its classes, whatever it calls the file.
    (
      "let c = ModelContainer(for: A.self, B.self)\nlet d = ModelContainer(for: A.self)",
      "current(A,B)"
    ),
    (
      "let c = ModelContainer(for: A.self, B.self)\n"
        + "let d = ModelContainer(for: A.self, configurations: ModelConfiguration(\"Shared\"))",
      "current(A,B)"
    ),
    // The files are not known to differ.
    (
      "let c = ModelContainer(for: A.self, B.self)\nlet d = ModelContainer(for: B.self, C.self)",
      "current(A,B,C)"
    ),
    (
      "let c = ModelContainer(for: A.self, B.self, configurations: ModelConfiguration(name()))\n"
        + "let d = ModelContainer(for: B.self, C.self, configurations: ModelConfiguration(\"Cache\"))",
      "current(A,B,C)"
    ),
    // A container whose classes are not understood may have any.
    ("let c = ModelContainer(for: A.self)\nlet d = ModelContainer(for: more())", "current(A,B,C)"),
  ]

  @Test(arguments: single)
  func `are one where containers may open one store`(calls: String, version: String) throws {
    let archive = try SchemaText.archive(Self.classes + calls)
    #expect(archive.models.count == 1)
    #expect(Self.lines(archive)[0].hasSuffix(": \(version)"))
  }

  @Test func `are one where the project names the classes`() throws {
    let calls = "let c = ModelContainer(for: A.self)\nlet d = ModelContainer(for: B.self)"
    let options = SwiftDataOptions(models: ["B"])
    let archive = try SchemaText.archive(Self.classes + calls, options: options)
    #expect(Self.lines(archive) == ["-: current(B)"])
  }

  @Test func `are told where they open one file`() throws {
    let calls = "let c = ModelContainer(for: A.self)\nlet d = ModelContainer(for: B.self, C.self)"
    let archive = try SchemaText.archive(Self.classes + calls)
    #expect(Self.lines(archive) == ["-: current(A)", "B: current(B,C)"])
    let told = archive.findings.filter { $0.code == .undecidedContainer }
    #expect(told.map(\.severity) == [.warning])
    #expect(told[0].message.contains("both open the store default."))
    #expect(told[0].place.line == 5)
  }

  @Test func `have plans that a container each uses`() throws {
    let archive = try SchemaText.archive(
      Self.users + Self.caches + """
        let c = ModelContainer(for: Schema(versionedSchema: UserV2.self), migrationPlan: UserPlan.self)
        let d = ModelContainer(for: CacheV1.Page.self, configurations: ModelConfiguration("Pages"))
        """
    )
    #expect(archive.models.map(\.name) == [nil, "Pages"])
    #expect(archive.models.map { $0.plan?.unusedBy == nil } == [true, false])
  }
}
