import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Properties of SwiftData models` {
  /// Types that the properties use.
  private static let types = """
    enum Mood: String, Codable { case good, bad }
    enum Level: Int, Codable, CaseIterable { case low = 1, high }
    enum Plain: Codable { case one, two }
    struct Address: Codable { var street: String; var number: Int?; let id = UUID(); static var x = 1
      var full: String { street } }
    struct Tags: Codable { var moods: [Mood]?; var at: Date }
    typealias Title = String
    typealias Names = [Title]
    extension Address { enum Kind: String, Codable { case home } }
    """

  private static func schema(_ property: String) throws -> SourceSchema? {
    try SchemaText.schema("import SwiftData\n\(types)\n@Model final class Item {\n\(property)\n}")
  }

  @Test(arguments: [
    ("var a: Int", "a: integer64"),
    ("var a: Int?", "a: integer64?"),
    ("var a: Optional<Int>", "a: integer64?"),
    ("var a: Swift.Double = 1", "a: double = real(1.0)"),
    ("var a = 1.5", "a: double = real(1.5)"),
    ("var a = 60 * 60", "a: integer64 = integer(3600)"),
    ("var a: Int = 2 + 3 * -4 - 1", "a: integer64 = integer(-11)"),
    ("var a: Double = 1.5 * 2 - 3", "a: double = real(0.0)"),
    ("var a: Int = Int.max", "a: integer64 = integer(9223372036854775807)"),
    ("var a: Double = .zero", "a: double = real(0.0)"),
    ("var a: String = \"a\" + \"b\"", "a: string = string(\"ab\")"),
    ("var a = -3", "a: integer64 = integer(-3)"),
    ("var a = \"x\"", "a: string = string(\"x\")"),
    ("var a = false", "a: boolean = boolean(false)"),
    ("var a = UUID()", "a: uuid = uuid"),
    ("var a: Date = .now", "a: date"),
    ("var a = Date.now", "a: date"),
    ("var a: Foundation.Date?", "a: date?"),
    ("var a = Data()", "a: binary = binary([])"),
    ("var a: Data = .init()", "a: binary = binary([])"),
    ("var a: Data = Data(count: 2)", "a: binary"),
    ("var a: Date = Date.distantPast", "a: date = date(-63114076800.0)"),
    ("var a: Date = .distantFuture", "a: date = date(63113904000.0)"),
    ("var a: Date = Date(timeIntervalSince1970: 0)", "a: date = date(-978307200.0)"),
    ("var a: Date = Date(timeIntervalSinceReferenceDate: 1.5)", "a: date = date(1.5)"),
    ("var a: Date = Date(timeIntervalSinceNow: 1)", "a: date"),
    ("var a: String = Mood.bad.rawValue", "a: string = string(\"bad\")"),
    ("var a: Int = Level.high.rawValue", "a: integer64 = integer(2)"),
    ("var a: Int = Level.none.rawValue", "a: integer64"),
    (
      "var a: Int = Odd.two.rawValue; "
        + "enum Odd: RawRepresentable { case one, two; var rawValue: Int { 7 } }", "a: integer64"
    ),
    ("var a: Float", "a: float"),
    ("var a: [String]", "a: transformable by NSSecureUnarchiveFromData"),
    ("var a: Names?", "a: transformable? by NSSecureUnarchiveFromData"),
    ("var a = [String]()", "a: transformable by NSSecureUnarchiveFromData = []"),
    ("var a: [String] = []", "a: transformable by NSSecureUnarchiveFromData = []"),
    ("var a: [String] = .init()", "a: transformable by NSSecureUnarchiveFromData = []"),
    ("var a: [String] = [\"x\"]", "a: transformable by NSSecureUnarchiveFromData"),
    ("var a: Title", "a: string"),
    ("var a: Mood", "a: composite(a: string?)"),
    ("var a: Level?", "a: composite(a: integer64?)?"),
    ("var a = Mood.good", "a: composite(a: string?)"),
    ("var a: Plain?", "a: composite(one: string? two: string?)?"),
    ("var a: Address", "a: composite(street: string? number: integer64? id: uuid?)"),
    ("var a: Address.Kind", "a: composite(a: string?)"),
    ("var a = Tags(at: .now)", "a: composite(moods: binary? at: date?)"),
    (
      "var a: Color.Resolved",
      "a: composite(linearRed: float linearGreen: float linearBlue: float opacity: float)"
    ),
    ("var a: Int { didSet { print(a) } }", "a: integer64"),
    ("@Attribute(.unique) var a: String", "a: string|unique a"),
    ("@Attribute(originalName: \"b\") var a: String", "a: string was b"),
    ("@Attribute(.unique, originalName: \"b\") var a: Int", "a: integer64 was b|unique a"),
    ("@Attribute var a: Int", "a: integer64"),
    ("@available(iOS 18, *) var a: Int", "a: integer64"),
    ("private var a: Int", "a: integer64"),
    ("var a, b: Int", "a: integer64|b: integer64"),
    ("var a = 1, b: String", "a: integer64 = integer(1)|b: string"),
    ("var a: Int; #Unique<Item>([\\.a])", "a: integer64|unique a"),
    ("var a: Int; var b: Int; #Unique<Item>([\\.a, \\.b])", "a: integer64|b: integer64|unique a,b"),
    ("var a: Int; #Index<Item>([\\.a])", "a: integer64|index a"),
    ("var a: Int; #Index<Item>(.binary([\\Item.a]))", "a: integer64|index a"),
    ("@Transient var b = 1; var a: Int", "a: integer64"),
    ("var b: Int { 1 }; static var c = 1; var a: Int", "a: integer64"),
    ("#if DEBUG\nvar b: Int\n#else\nvar a: Int\n#endif", "a: integer64"),
    ("#if os(iOS) && !FOO\nvar a: Int\n#endif", "a: integer64"),
    ("var `default`: Int", "default: integer64"),
  ])
  func `become attributes whose form stores show`(property: String, line: String) throws {
    let schema = try Self.schema(property)
    #expect(SchemaText.lines(schema, "Item") == line.split(separator: "|").map(String.init))
    #expect(schema?.isKnown == true)
    #expect(schema?.rules == [])
  }

  @Test(arguments: [
    ("var a: Int16", "a: integer16"),
    ("var a: Int32?", "a: integer32?"),
    ("var a: Int64 = 2", "a: integer64 = integer(2)"),
    ("var a: Decimal", "a: decimal"), ("var a: Decimal = 3", "a: decimal = decimal(\"3\")"),
    ("var a: Decimal = 0.1", "a: decimal"),
    ("var a: URL?", "a: uri?"),
    ("@Attribute(.externalStorage) var a: Data?", "a: binary? external"),
    ("@Attribute(.ephemeral) var a: Int = 0", "a: integer64 transient = integer(0)"),
    ("@Attribute(.preserveValueOnDeletion) var a: Int", "a: integer64 preserved"),
    ("@Attribute(hashModifier: \"2\") var a: Int", "a: integer64 modifier 2"),
    (
      "@Attribute(.transformable(by: ColorTransformer.self)) var a: UIColor",
      "a: transformable by ColorTransformer"
    ),
    ("@Attribute(.transformable(by: \"T\")) var a: Mystery?", "a: transformable? by T"),
    ("let a = UUID()", "a: uuid = uuid"),
  ])
  func `say where a hash rests on documents alone`(property: String, line: String) throws {
    let schema = try Self.schema(property)
    #expect(SchemaText.lines(schema, "Item") == [line])
    #expect(schema?.isKnown == true)
    #expect(schema?.rules.map(\.rule.proof) == [.documented])
    let notes = ShapeFindings.findings(of: [schema].compactMap(\.self))
    #expect(notes.map(\.code) == [.unmeasuredForm])
    #expect(notes.first?.place.property == "a")
  }

  @Test(
    arguments: [
      ("var a: TimeInterval", "a: double", nil), ("var a: CLLocationDegrees?", "a: double?", nil),
      ("var a: [TimeInterval]", "a: transformable by NSSecureUnarchiveFromData", .reported),
      ("var a: [Int]?", "a: transformable? by NSSecureUnarchiveFromData", .reported),
      ("var a: [Data]", "a: transformable by NSSecureUnarchiveFromData", .reported),
      ("var a: [Address]", "a: transformable by NSSecureUnarchiveFromData", .assumed),
      ("var a: [Address] = []", "a: transformable by NSSecureUnarchiveFromData", .assumed),
      (
        "var a: [String: Int] = [:]", "a: transformable by NSSecureUnarchiveFromData = [:]",
        .assumed
      ),
      ("var a: Set<String> = []", "a: transformable by NSSecureUnarchiveFromData", .assumed),
      ("var a: [[Int]]", "a: transformable by NSSecureUnarchiveFromData", .assumed),
      ("var a: Set<String>", "a: transformable by NSSecureUnarchiveFromData", .assumed),
      ("var a: [String: Mood]", "a: transformable by NSSecureUnarchiveFromData", .assumed),
      ("var a: UInt8", "a: integer16", .assumed), ("var a: UInt64?", "a: integer64?", .assumed),
      ("var a: CGFloat = 1", "a: double = real(1.0)", .assumed),
      ("var a: Character", "a: string", .assumed),
      (
        "var a: Deep; struct Deep: Codable { var x: Address }",
        "a: composite(x: composite(street: string? number: integer64? id: uuid?)?)", .assumed
      ),
      (
        "var a: Pay; enum Pay: Codable { case one(Int), two }",
        "a: composite(one: string? two: string?)", .assumed
      ),
      (
        "var a: Byte; enum Byte: UInt8, Codable { case one }", "a: composite(a: integer16?)",
        .assumed
      ),
      (
        "var a: Wide; struct Wide: Codable { var x: Level }", "a: composite(x: integer64?)",
        .assumed
      ),
      (
        "var a: Raw; enum Raw: Codable, RawRepresentable { case one; var rawValue: Int { 1 } }",
        "a: composite(a: integer64?)", .assumed
      ),
      (
        "var a: Set1; struct Set1: OptionSet, Codable { let rawValue: Int }",
        "a: composite(a: integer64?)", .assumed
      ),
      (
        "var a: Map; struct Map: Codable { var x: [String: Int] }", "a: composite(x: binary?)",
        .assumed
      ),
    ] as [(String, String, ShapeProof?)]
  )
  func `follow by a rule whose proof is stated`(
    property: String,
    line: String,
    proof: ShapeProof?
  ) throws {
    let schema = try Self.schema(property)
    #expect(SchemaText.lines(schema, "Item") == [line])
    #expect(schema?.isKnown == true)
    #expect(schema?.rules.map(\.rule.proof).max() == proof)
  }

  @Test func `of one type have one note, however many there are`() throws {
    let schema = try #require(
      try Self.schema("var a: [Int]; var b: [Int]; var c: Mystery; var d: Mystery?")
    )
    let findings = ShapeFindings.findings(of: [schema, schema])
    #expect(findings.map(\.code) == [.unresolvedType, .unmeasuredForm])
    #expect(
      findings.first?.message.hasPrefix("Item.c, Item.d are of type Mystery") == true,
      "\(findings)"
    )
    #expect(findings.last?.message.hasSuffix("Version hashes rest on it: Item.a, Item.b.") == true)
  }

  @Test func `whose types are unknown have hashes that differ where the types do`() throws {
    let types = ["Mystery", "Mystery?", "Other", "[Mystery]", "Int"]
    let hashes = try types.map { type in
      try Self.schema("var a: \(type)")?.model?.entityVersionHashes["Item"]
    }
    #expect(Set(hashes).count == types.count)
    #expect(try Self.schema("var a: Mystery")?.model?.entityVersionHashes["Item"] == hashes[0])
  }

  @Test(arguments: [
    ("var a: Mystery", FindingCode.unresolvedType, "Mystery"),
    ("var a: (Int, Int)", .unresolvedType, "(Int, Int)"),
    ("var a: any Equatable", .unresolvedType, "any Equatable"),
    ("var a: Int??", .unresolvedType, "Int??"),
    ("var a = make()", .unresolvedForm, "initial value"),
    ("@Clamped var a: Int", .unresolvedForm, "@Clamped"),
    ("@Attribute(.codable) var a: Address", .unresolvedForm, "codable"),
    ("@Attribute(.unique, mystery: 1) var a: Int", .unresolvedForm, "mystery"),
    ("@Relationship var a: Int", .unresolvedForm, "@Relationship"),
    ("#if hasFeature(X)\nvar a: Int\n#endif", .unresolvedForm, "#if"),
    ("var (a, b) = (1, 2)", .unresolvedForm, "pattern"),
    ("var a: Int; #Mystery<Item>([\\.a])", .unresolvedForm, "#Mystery"),
    ("var a: Int; #Unique<Item>([\\.a.b])", .unresolvedForm, "#Unique"),
    ("var a: Wrong; struct Wrong { var x: Int }", .unresolvedType, "not Codable"),
    ("var a: Own; struct Own: Codable { init(from d: any Decoder) {} }", .unresolvedType, "itself"),
    ("var a: Loop; typealias Loop = Loop2; typealias Loop2 = Loop", .unresolvedType, "Loop"),
    ("var a: Gen<Int>; struct Gen<T>: Codable { var t: T }", .unresolvedType, "generic"),
    ("var a: Plainer; class Plainer {}", .unresolvedType, "without @Model"),
    (
      "var a: Keyed; struct Keyed: Codable { var x: Int; enum CodingKeys: CodingKey { case y } }",
      .unresolvedType, "coding keys"
    ),
    ("var a: [Mystery]", .unresolvedType, "Mystery"),
    ("var a: Set<Item>", .unresolvedType, "holds models"),
    ("var a: Made; @Foo struct Made: Codable { var x: Int }", .unresolvedType, "@Foo"),
    ("var a = URL(string: \"b\")", .unresolvedForm, "initial value"),
    ("var a = Int(\"3\")", .unresolvedForm, "initial value"),
    ("var a = Level(rawValue: 1)", .unresolvedForm, "initial value"),
    ("var a = 1 as Double", .unresolvedForm, "initial value"),
    ("var a = [\"b\"] as Set<String>", .unresolvedForm, "initial value"),
    ("var a: Late; struct Late: Codable { var x: Int; lazy var y = 1 }", .unresolvedType, "lazy"),
  ])
  func `leave the hash unknown and say why`(
    property: String,
    code: FindingCode,
    words: String
  ) throws {
    let schema = try Self.schema(property)
    #expect(schema?.unknownEntities == ["Item"])
    #expect(schema?.knownHashes == [:])
    let told = (schema?.findings ?? []) + ShapeFindings.findings(of: [schema].compactMap(\.self))
    let findings = told.filter { $0.code == code }
    #expect(findings.count == 1)
    #expect(schema?.isWhole == true)
    #expect(findings.first?.message.contains(words) == true, "\(findings)")
    #expect(findings.first?.place.file == "Models.swift")
    #expect((findings.first?.place.line ?? 0) >= 12)
  }

  @Test(arguments: [
    "protocol Rated {}; extension Rated { typealias Rank = Int }; @Model class Item: Rated",
    "protocol Base { }; extension Base { typealias Rank = Int }; protocol Rated: Base {}; "
      + "extension Item: Rated {}; @Model class Item",
    "class Outer { typealias Rank = Int; @Model class Item",
    "enum New { @Model class Thing {} }; typealias Latest = New; typealias Outer = Latest.Thing; "
      + "extension Outer { typealias Rank = Int; @Model class Item",
  ])
  func `take a name that the class has from around or above before one of the file`(
    beginning: String
  ) throws {
    let text = "import SwiftData\ntypealias Rank = String\n\(beginning) { var a: Rank }"
    let end = beginning.contains("Outer") ? "\n}" : ""
    #expect(SchemaText.lines(try SchemaText.schema(text + end), "Item") == ["a: integer64"])
  }

  @Test(arguments: [
    ("@Model @MainActor @objc(Item) @available(iOS 17, *)", true),
    ("@globalActor actor Disk { static let shared = Disk() }; @Model @Disk", true),
    ("@Model @Mirrored", false),
    ("@Mirrored @Model", false),
    ("@Model final class Other: Codable {}; @Model", true),
  ])
  func `are known where nothing before their class may add others`(
    beginning: String,
    isKnown: Bool
  ) throws {
    let schema = try SchemaText.schema("import SwiftData\n\(beginning) class Item { var a: Int }")
    #expect(schema?.isKnown == isKnown)
    #expect(schema?.findings.contains { $0.message.contains("@Mirrored") } == !isKnown)
  }

  @Test(arguments: [
    ("protocol Shown: Codable, Hashable {}", true),
    ("protocol Stored: Codable {}\nprotocol Shown: Stored {}", true),
    ("protocol Shown {}\nextension Shown: Hashable {}", false),
    (
      "protocol Shown: Codable {}\nextension Shown { init(from decoder: any Decoder) throws {} }",
      false
    ),
  ])
  func `are known where a protocol of the sources makes their type Codable`(
    protocols: String,
    isKnown: Bool
  ) throws {
    let schema = try SchemaText.schema(
      "import SwiftData\n\(protocols)\nenum Kind: String, Shown { case a }\n"
        + "@Model class Item { var kind: Kind }"
    )
    #expect(schema?.model?.unknownEntities.isEmpty == isKnown)
  }

  @Test(arguments: [
    ("SharedBase", true), ("Shared.Base, Codable", true), ("Codable", false),
    ("Identifiable, Mine", false), ("Equatable, Theirs", false),
  ])
  func `rest on a name behind the colon that the sources lack being a protocol`(
    inherited: String,
    isAssumed: Bool
  ) throws {
    let text = "import SwiftData\nprotocol Mine {}\n@Model class Item: \(inherited) { var a: Int }"
    let schema = try SchemaText.schema(text)
    #expect(schema?.isKnown == true)
    #expect(schema?.rules.map(\.rule.proof) == (isAssumed ? [.assumed] : []))
  }
}
