import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Hostile Swift sources` {
  private static func text(_ beginning: String, _ part: String, _ end: String = "") -> String {
    let count = (40 << 10) / part.utf8.count
    return "@Model class A { var x: Int }\n" + beginning
      + String(repeating: part, count: count) + end
  }

  /// Nesting that a parser follows by a call for each level, or by a search that begins anew.
  static let nested: [(String, String)] = [
    ("let x = ", "("), ("let x = ", "["), ("func f() ", "{"), ("class A ", "{ class A "),
    ("let x: ", "A<"), ("let x: A", " -> A"), ("let x: ", "any "), ("let x = ", "try "),
    ("func f() { switch x { case ", "let "), ("let x: ", "repeat "), ("", "@A "), ("", "#if A\n"),
    ("var x: A { ", "get "), ("", "#"), ("let x = a", " as a"), ("let x = \"", "\\("),
    ("let x: ", "A<\n"), ("let x: A", "\n-> A"), ("let x = ", "[any "), ("let x = ", "<(@a "),
    ("let x = ", "([inout "), ("let x = ", "[@a<"), ("let x = ", "try \\("),
  ]

  @Test(arguments: nested.map { "\($0)\u{1}\($1)" })
  func `that nest too deep are left out with a finding`(pattern: String) throws {
    let parts = pattern.split(separator: "\u{1}", omittingEmptySubsequences: false).map(String.init)
    let schema = try #require(try SchemaText.schema(Self.text(parts[0], parts[1])))
    expectUnread(schema)
    #expect((schema.findings.first?.place.line ?? 0) > 1)
  }

  @Test(arguments: [
    ("let x = a", ".a", ""), ("let x = 1", " + 1", ""), ("let x: A", "?", " = 1"),
    ("func f() { if a {} ", "else if a {} ", "}"), ("let x = ", "!", "a"), ("let x = a", "()", ""),
    ("let x = ", "a ? b : ", "c"), ("let x: A", ".A", ""), ("", "/*", ""), ("", "\"\"\"\n", ""),
    ("enum E { ", "case a\n", "}"), ("", "`", ""), ("", "\0", ""), ("", "#a ", ""),
    ("let x = \\A", ".a", ""),
  ])
  func `that only are long are read`(beginning: String, part: String, end: String) throws {
    let schema = try SchemaText.schema(Self.text(beginning, part, end))
    #expect(SchemaText.lines(schema, "A") == ["x: integer64"])
  }

  @Test func `larger than any file of models are left out`() throws {
    let long = "@Model class A { var x: Int }\n" + String(repeating: "// long\n", count: 70_000)
    expectUnread(try #require(try SchemaText.schema(long)))
  }

  @Test func `with conflicts that a merge has left are left out`() throws {
    let source = """
      @Model class A {
      <<<<<<< HEAD
        var x: Int
      =======
        var x: String
      >>>>>>> other
      }
      """
    let schema = try #require(try SchemaText.schema(source))
    expectUnread(schema)
    #expect(schema.findings.first?.place.line == 2)
    // Two of the three marks are no conflict.
    let marks = source.replacing("<<<<<<< HEAD", with: "/*").replacing(">>>>>>> other", with: "*/")
    #expect(SchemaText.lines(try SchemaText.schema(marks), "A") == [])
  }

  /// A text that was left out may have declared any model, so that no version is known, also not as none.
  private func expectUnread(_ schema: SourceSchema) {
    let isKnown = schema.isKnown
    #expect(!isKnown && schema.knownHashes.isEmpty)
    #expect(schema.findings.map(\.code) == [.unreadableSource])
  }

  @Test(arguments: [
    ("struct B {} // a schema, a Schema, an AppSchema(1)", true),
    ("let s = Schema([B.self])", false),
    ("func make() -> ModelContainer { c }\nstruct B {}", false),
  ])
  func `that hide nothing of SwiftData leave models known`(hidden: String, isKnown: Bool) throws {
    let source = "@Model class A { var x: Int }\n#if UNKNOWN(x)\n\(hidden)\n#endif"
    #expect(try SchemaText.schema(source)?.isKnown == isKnown)
  }

  @Test func `with many labels that are modifiers elsewhere are read`() throws {
    let labels = String(repeating: "f(package: 1)\n", count: 200)
    let source = "@Model class A { var x: Int }\n\(labels)"
    #expect(try SchemaText.schema(source)?.isKnown == true)
  }

  @Test func `that hide what may be a model leave all models unknown`() throws {
    let source = "@Model class A { var x: Int }\n#if UNKNOWN(x)\n@Model class B {}\n#endif"
    let isKnown = try SchemaText.schema(source)?.isKnown
    #expect(isKnown == false)
    // Where the project names the container's models, what else there is does not count.
    let named = try SchemaText.schema(source, options: SwiftDataOptions(models: ["A"]))
    #expect(named?.isKnown == true)
  }

  private static let unread = String(repeating: "// long\n", count: 70_000)

  /// A name's declaration in a text that is not read is not another text's declaration of it.
  @Test(arguments: [
    "extension A { enum Status: Int, Codable { case off } }\n" + unread,
    "extension A { enum /* the /* state */ of a */ `Status`: Int { case off } }\n" + unread,
    "extension A {\n#if hasFeature(X)\n  typealias Status = Int\n#endif\n}",
    "#if hasFeature(X)\nextension A { struct Status {} }\n#endif",
    "extension Status { init(from decoder: any Decoder) {} }\n" + unread,
    "extension Other . Status: RawRepresentable {}\n" + unread,
  ])
  func `that are not read leave the types unknown that they may declare`(hidden: String) throws {
    let schema = try #require(try Self.schema(Self.model, hidden))
    #expect(schema.unknownEntities == ["A"])
    #expect(SchemaText.findings(schema).map(\.code) == [.unresolvedType])
    #expect(SchemaText.findings(schema).allSatisfy { $0.place.file == "A.swift" })
  }

  private static let model = """
    @Model class A { var status: Status }
    enum Status: String, Codable { case on }
    """

  @Test func `that are not read and declare nothing by a model's names change nothing`() throws {
    let schema = try #require(
      try Self.schema(Self.model, "extension String { struct Image {} }\n" + Self.unread)
    )
    let isKnown = schema.isKnown
    #expect(isKnown)
  }

  @Test(arguments: ["enum V3: VersionedSchema {}", "enum Plan: SchemaMigrationPlan {}"])
  func `that are not read and may declare a version fail`(version: String) throws {
    let versions = """
      enum V1: VersionedSchema {
        static var versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [A.self] }
        @Model class A { var x: Int }
      }
      """
    let texts = [versions, "\(version)\n\(Self.unread)"].enumerated().map {
      SourceText(name: "\($0).swift", bytes: Array($1.utf8))
    }
    let archive = try SourceArchive.read(texts)
    #expect(archive.findings.map(\.severity) == [.error])
  }

  private static func schema(_ texts: String...) throws -> SourceSchema? {
    let sources = zip(["A.swift", "B.swift"], texts).map {
      SourceText(name: $0, bytes: Array($1.utf8))
    }
    return try SourceArchive.read(sources).current
  }

  @Test func `more than any app has are refused`() throws {
    let texts = [SourceText](repeating: SourceText(name: "A", bytes: []), count: 20_001)
    let error = #expect(throws: SwiftDataImportError.self) { _ = try SourceArchive.read(texts) }
    #expect(error?.code == .tooMuch)
  }

  @Test(arguments: [
    (0..<5).map { level in
      "let a\(level): [X] = [\(Array(repeating: "a\(level + 1)", count: 40).joined(separator: ", "))]"
    } + ["let a5 = [A.self]", "let c = ModelContainer(for: Schema(a0))"],
    (0..<5).map { level in
      let next = Array(repeating: "L\(level + 1).a", count: 40).joined(separator: " + ")
      return "enum L\(level) { static let a = \(next) }"
    } + ["enum L5 { static let a = [A.self] }", "let c = ModelContainer(for: Schema(L0.a))"],
  ])
  func `whose lists name lists many times leave their container undecided`(
    lines: [String]
  ) throws {
    let source = "@Model class A { var x: Int }\n" + lines.joined(separator: "\n")
    let schema = try #require(try SchemaText.schema(source))
    let isKnown = schema.isKnown
    #expect(!isKnown)
    #expect(schema.findings.allSatisfy { $0.message.utf8.count < 1_000 })
  }

  @Test func `that a merge left with conflicts fail whatever they declare`() throws {
    let source = "enum K: String {\n<<<<<<< a\ncase x\n=======\ncase y\n>>>>>>> b\n}"
    let texts = [("A", "@Model class A { var x: Int }"), ("B", source)].map {
      SourceText(name: "\($0.0).swift", bytes: Array($0.1.utf8))
    }
    let archive = try SourceArchive.read(texts)
    #expect(archive.findings.map(\.code) == [.unreadableSource])
    #expect(archive.findings.map(\.severity) == [.error])
  }

  @Test func `that are no UTF-8 are read as far as they are`() throws {
    var bytes = Array("@Model class A { var x: Int /* ".utf8)
    bytes += [0xff, 0xfe, 0xc0]
    bytes += Array(" */ }".utf8)
    let schema = try SourceArchive.read([SourceText(name: "A.swift", bytes: bytes)]).current
    #expect(SchemaText.lines(schema, "A") == ["x: integer64"])
  }

  @Test(arguments: [
    "@Model class A { var x: }", "@Model class A { var x: Int", "@Model class A { var : Int }",
    "@Model class A { @Attribute(.unique var x: Int }",
    "@Model class A { var x: Int var y: Int }",
    "@Model class A { var x = }", "@Model class A { #Unique<A>([\\.x] }",
  ])
  func `with syntax errors in a model leave it unknown`(source: String) throws {
    let archive = try SchemaText.archive(source)
    let isKnown = archive.current?.isKnown ?? false
    let isTold = archive.findings.contains { $0.code == .unreadableSource }
    #expect(!isKnown || isTold)
  }

  @Test func `with a syntax error in a function are read all the same`() throws {
    let schema = try SchemaText.schema("@Model class A { var x: Int\n func f() { let = } }")
    #expect(SchemaText.lines(schema, "A") == ["x: integer64"])
    #expect(schema?.isKnown == true)
  }

  @Test func `with types in a circle end`() throws {
    let archive = try SchemaText.archive(
      """
      typealias A = B
      typealias B = A
      extension A { @Model class M { var x: A.B.A; var y: M2 } }
      class C: C {}
      @Model class M2: M2 { var x: [M2]; var s: S }
      struct S: Codable { var s: S; var t: S; var u: [S] }
      enum V: VersionedSchema { static var models: [any PersistentModel.Type] { V.models + [M2.self] } }
      """
    )
    #expect(archive.current?.isKnown == false)
  }
}
