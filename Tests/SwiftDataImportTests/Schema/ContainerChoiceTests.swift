import ObjectModel
import SwiftDataImport
import Testing

/// The models of an app's store without a versioned schema: those that its container is given.
@Suite struct `Containers of SwiftData models` {
  private static let models = """
    @Model class A { var x: Int }
    @Model class B { var y: Int }
    @Model class C { var z: Int }
    enum Lists { static let all: [any PersistentModel.Type] = [A.self, B.self] }

    """

  /// Calls, and the entities that follow from them.
  static let decided: [(String, [String])] = [
    ("let c = ModelContainer(for: A.self)", ["A"]),
    ("let c = ModelContainer(for: A.self, B.self, configurations: X())", ["A", "B"]),
    ("let c = ModelContainer.init(for: A.self)", ["A"]),
    ("let c: ModelContainer = try! .init(for: A.self, B.self)", ["A", "B"]),
    ("let c = ModelContainer(for: A.self); let d = Timer.init(for: 3)", ["A"]),
    (
      """
      struct P { init(inMemory: Bool = true) { _ = ModelContainer(for: A.self, B.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: inMemory)) } }
      """, ["A", "B"]
    ),
    (
      "struct V: View { var body: some View { Text(\"\").modelContainer(for: [A.self, C.self]) } }",
      ["A", "C"]
    ),
    ("let c = ModelContainer(for: Schema([A.self, B.self]))", ["A", "B"]),
    ("let c = ModelContainer(for: Schema(A.self, B.self))", ["A", "B"]),
    ("let c = ModelContainer(for: Lists.all)", ["A", "B"]),
    ("let c = ModelContainer(for: Schema(Lists.all + [C.self]))", ["A", "B", "C"]),
    (
      "var c: ModelContainer = { let s = Schema([A.self]); return try! ModelContainer(for: s) }()",
      ["A"]
    ),
    (
      """
      struct S { let types: [any PersistentModel.Type] = [A.self]
        func make() { let all = types + [C.self]; _ = ModelContainer(for: Schema(all)) } }
      """,
      ["A", "C"]
    ),
    // The same twice, in another order, is one answer.
    (
      "let c = ModelContainer(for: A.self, B.self); let d = ModelContainer(for: B.self, A.self)",
      ["A", "B"]
    ),
    // What no user's store is made by does not count.
    (
      "let c = ModelContainer(for: A.self); let d = ModelContainer(for: A.self, B.self, "
        + "configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
      ["A"]
    ),
    (
      """
      let c = ModelContainer(for: A.self)
      struct P { init(_ types: [any PersistentModel.Type], inMemory: Bool = true) {
        let schema = Schema(types)
        let config = ModelConfiguration(isStoredInMemoryOnly: inMemory)
        _ = ModelContainer(for: schema, configurations: [config]) } }
      """,
      ["A"]
    ),
    (
      """
      let c = ModelContainer(for: A.self)
      #Preview { Text("").modelContainer(for: [A.self, B.self]) }
      #Preview { Text("").modelContainer(for: [C.self], inMemory: true) }
      struct Q: PreviewProvider { static let c = ModelContainer(for: B.self) }
      """,
      ["A"]
    ),
    (
      "let c = ModelContainer(for: A.self)\n#if DEBUG\nlet d = ModelContainer(for: B.self)\n#endif",
      ["A"]
    ),
    // A schema that a container is given by a name of another file is the only one there is.
    ("func f(s: Schema) { _ = ModelContainer(for: s) }\nlet s = Schema([B.self])", ["B"]),
    ("let s = Schema([B.self])", ["B"]),
    ("let g = DocumentGroup(editing: B.self, contentType: .x) { V() }", ["B"]),
    (
      "func f() {\n#if os(iOS)\n  let t = [A.self]\n#else\n  let t = [B.self]\n#endif\n"
        + "  _ = ModelContainer(for: Schema(t)) }",
      ["A"]
    ),
    ("let c = 1", ["A", "B", "C"]),
  ]

  @Test func `of different models are named by the one that has all`() throws {
    let calls =
      "let c = ModelContainer(for: B.self)\nlet d = ModelContainer(for: A.self, B.self)"
    let schema = try #require(try SchemaText.schema(Self.models + calls))
    let doubt = try #require(schema.findings.first { $0.code == .undecidedContainer })
    #expect(doubt.remedy.contains("is that of Models.swift:6"))
    #expect(doubt.remedy.contains("`swiftdata: {models: [A, B]}`"))
  }

  @Test(arguments: decided)
  func `hold what the calls name`(calls: String, entities: [String]) throws {
    let schema = try #require(try SchemaText.schema(Self.models + calls))
    let isKnown = schema.isKnown
    #expect(isKnown, "\(schema.findings.map(\.message))")
    #expect(schema.model?.entities.map(\.name) == entities)
  }

  @Test(arguments: [
    ("let c = ModelContainer(for: A.self, Other.self)", "names Other"),
    ("let c = ModelContainer(for: Schema(Lists.all + more()))", "computes its models"),
    ("let c = ModelContainer(for: Schema(isPro ? [A.self] : [A.self, B.self]))", "computes"),
    ("let c = ModelContainer(for: Lists.missing)", "which is not found"),
    (
      "func f(_ types: [any PersistentModel.Type]) { _ = ModelContainer(for: Schema(types)) }",
      "types"
    ),
    (
      "struct S { var types: [any PersistentModel.Type] = [A.self]; func f() { _ = ModelContainer(for: Schema(types)) } }",
      "types"
    ),
    // A name that a body gives another meaning is not the constant around it.
    ("let t = [A.self]\nlet f = { t in _ = ModelContainer(for: Schema(t)) }", "of t, which"),
    ("let t = [A.self]\nlet f = { (t: [X]) in _ = ModelContainer(for: Schema(t)) }", "of t, which"),
    (
      "let t = [A.self]\nfunc f() { guard let t = more() else { return }\n"
        + "_ = ModelContainer(for: Schema(t)) }",
      "of t, which"
    ),
    (
      "let t = [A.self]\nfunc f() { if let t = x { _ = ModelContainer(for: Schema(t)) } }",
      "of t, which"
    ),
    (
      "let t = [A.self]\nfunc f() { for t in x { _ = ModelContainer(for: Schema(t)) } }",
      "of t, which"
    ),
    (
      "let t = [A.self]\nfunc f() { switch x { case .a(let t): _ = ModelContainer(for: Schema(t)) } }",
      "of t, which"
    ),
    (
      "let t = [A.self]\nfunc f() {\n#if UNKNOWN(x)\n  let t = [B.self]\n#endif\n"
        + "  _ = ModelContainer(for: Schema(t)) }",
      "of t, which"
    ),
    (
      "let c = ModelContainer(for: A.self); let d = ModelContainer(for: A.self, B.self)",
      "different models"
    ),
    (
      "let c = ModelContainer(for: A.self)\n#if UNKNOWN(x)\nlet d = ModelContainer(for: A.self, B.self)\n#endif",
      "different models"
    ),
    (
      "func f(_ types: [any PersistentModel.Type]) { _ = ModelContainer(for: Schema(types)) }\n"
        + "let d = ModelContainer(for: B.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))",
      "types"
    ),
  ])
  func `are undecided where the calls leave it open`(calls: String, words: String) throws {
    let schema = try #require(try SchemaText.schema(Self.models + calls))
    let isKnown = schema.isKnown
    #expect(!isKnown)
    let told = schema.findings.filter { $0.code == .undecidedContainer }
    #expect(told.count == 1 && told[0].message.contains(words), "\(schema.findings.map(\.message))")
  }

  @Test func `hold no entity that two classes declare`() throws {
    let texts = ["App", "Widget"].map { folder in
      SourceText(
        name: "\(folder)/A.swift",
        bytes: Array("@Model class A { var x: \(folder == "App" ? "Int" : "String") }".utf8)
      )
    }
    for texts in [texts, texts.reversed()] {
      let schema = try #require(try SourceArchive.read(texts).current)
      #expect(schema.unknownEntities == ["A"])
      let message = schema.findings.first { $0.code == .unresolvedForm }?.message
      #expect(
        message?.contains("App/A.swift:1") == true && message?.contains("Widget/A.swift:1") == true
      )
    }
  }
}
