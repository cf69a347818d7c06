import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// One step for each class of change that a person must be told of.
@Suite struct ChangeClassTests {
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    /// The part around the change, equal in both versions.
    var frame = ""
    let old: String
    let new: String
    /// The code and place: `WS302 Note.year`.
    let finding: String
    var severity = Finding.Severity.warning
    /// Nil where the step is refused, or nothing is said of rows.
    let risk: Risk?
    var testDescription: String { name }
  }

  private static let tags = "Tag { note -> Note.tags }"

  static let changes = [
    Change(
      name: "entity dropped",
      frame: "Other { a: String }",
      old: "Note { title: String }",
      new: "",
      finding: "WS301 Note",
      risk: .lossy
    ),
    Change(
      name: "attribute dropped",
      old: "Note { title: String; year: Int16 }",
      new: "Note { title: String }",
      finding: "WS302 Note.year",
      risk: .lossy
    ),
    Change(
      name: "relationship dropped",
      frame: "Person { }",
      old: "Note { owner -> Person }",
      new: "Note { }",
      finding: "WS303 Note.owner",
      risk: .lossy
    ),
    Change(
      name: "type narrowed",
      old: "Note { year: Int32 }",
      new: "Note { year: Int16 }",
      finding: "WS310 Note.year",
      risk: .conditional
    ),
    Change(
      name: "type converted",
      old: "Note { year: String? }",
      new: "Note { year: Int16? }",
      finding: "WS311 Note.year",
      severity: .error,
      risk: nil
    ),
    Change(
      name: "optional to required",
      old: "Note { year: Int16? = 1 }",
      new: "Note { year: Int16 = 1 }",
      finding: "WS312 Note.year",
      severity: .note,
      risk: .additive
    ),
    Change(
      name: "required without default",
      old: "Note { year: Int16? }",
      new: "Note { year: Int16 }",
      finding: "WS313 Note.year",
      severity: .warning,
      risk: .conditional
    ),
    Change(
      name: "uniqueness added",
      old: "Note { title: String }",
      new: "Note { title: String; unique title }",
      finding: "WS314 Note.title",
      risk: .conditional
    ),
    Change(
      name: "counts tightened at the top",
      frame: tags,
      old: "Note { tags ->> Tag.note max 9 }",
      new: "Note { tags ->> Tag.note max 5 }",
      finding: "WS315 Note.tags",
      risk: .conditional
    ),
    Change(
      name: "counts tightened at the bottom",
      frame: tags,
      old: "Note { tags ->> Tag.note required min 1 }",
      new: "Note { tags ->> Tag.note required min 2 }",
      finding: "WS315 Note.tags",
      risk: .conditional
    ),
    Change(
      name: "to-many to to-one",
      frame: tags,
      old: "Note { tags ->> Tag.note }",
      new: "Note { tags -> Tag.note }",
      finding: "WS317 Note.tags",
      risk: .conditional
    ),
    Change(
      name: "ordered to unordered",
      frame: tags,
      old: "Note { tags ->> Tag.note ordered }",
      new: "Note { tags ->> Tag.note }",
      finding: "WS319 Note.tags",
      risk: .lossy
    ),
    Change(
      name: "cascade introduced",
      frame: tags,
      old: "Note { tags ->> Tag.note }",
      new: "Note { tags ->> Tag.note cascade }",
      finding: "WS330 Note.tags",
      risk: .exact
    ),
    Change(
      name: "deny introduced",
      frame: tags,
      old: "Note { tags ->> Tag.note cascade }",
      new: "Note { tags ->> Tag.note deny }",
      finding: "WS330 Note.tags",
      risk: .exact
    ),
    Change(
      name: "cascade withdrawn",
      frame: tags,
      old: "Note { tags ->> Tag.note cascade }",
      new: "Note { tags ->> Tag.note noAction }",
      finding: "WS330 Note.tags",
      severity: .note,
      risk: .exact
    ),
    Change(
      name: "entity moved in the hierarchy",
      frame: "Item { }",
      old: "Note { title: String }",
      new: "Note : Item { title: String }",
      finding: "WS320 Note",
      severity: .note,
      risk: .exact
    ),
    Change(
      name: "hierarchies merged",
      old: "Note { } Image { }",
      new: "Item { } Note : Item { } Image : Item { }",
      finding: "WS321 Item",
      severity: .error,
      risk: nil
    ),
    Change(
      name: "external storage toggled",
      old: "Note { data: Binary? }",
      new: "Note { data: Binary? external }",
      finding: "WS323 Note.data",
      severity: .note,
      risk: .conditional
    ),
    Change(
      name: "transformer changed unseen",
      old: "Note { body: Transformable? by Old }",
      new: "Note { body: Transformable? by NSSecureUnarchiveFromData }",
      finding: "WS331 Note.body",
      risk: .conditional
    ),
    Change(
      name: "transformer changed beside another change",
      old: "Note { body: Transformable? by Old }",
      new: "Note { body: Transformable? by New; year: Int16? }",
      finding: "WS331 Note.body",
      risk: .conditional
    ),
    Change(
      name: "transformer made secure",
      old: "Note { body: Transformable? }",
      new: "Note { body: Transformable? by NSSecureUnarchiveFromData }",
      finding: "WS331 Note.body",
      severity: .note,
      risk: .conditional
    ),
    Change(
      name: "transformer named that was meant anyhow",
      old: "Note { body: Transformable? }",
      new: "Note { body: Transformable? by NSKeyedUnarchiveFromData }",
      finding: "WS331 Note.body",
      severity: .note,
      risk: .exact
    ),
    Change(
      name: "default changed",
      old: "Note { year: Int16 = 1 }",
      new: "Note { year: Int16 = 2 }",
      finding: "WS332 Note.year",
      severity: .note,
      risk: .exact
    ),
    Change(
      name: "composite made required beside an attribute that comes",
      frame: "composite Point { x: Double? }",
      old: "Note { place: Composite? of Point }",
      new: "Note { place: Composite of Point; title: String? }",
      finding: "WS312 Note.place",
      severity: .warning,
      risk: .conditional
    ),
    Change(
      name: "only an index changed",
      old: "Note { year: Int16 }",
      new: "Note { year: Int16 indexed }",
      finding: "WS333 Note",
      severity: .note,
      risk: nil
    ),
    Change(
      name: "configuration moved",
      frame: "Other in Local,Cloud { a: String }",
      old: "Note in Local { title: String }",
      new: "Note in Cloud { title: String }",
      finding: "WS334 Note",
      severity: .note,
      risk: .exact
    ),
    Change(
      name: "configuration left with another name",
      frame: "Other in Local,Cloud { a: String }",
      old: "Note in Local,Cloud { title: String }",
      new: "Letter in Cloud was Note { title: String }",
      finding: "WS334 Letter",
      severity: .note,
      risk: .exact
    ),
    Change(
      name: "property suspected to be renamed",
      old: "Note { pinned: Boolean? }",
      new: "Note { isPinned: Boolean? }",
      finding: "WS209 Note.pinned",
      risk: .lossy
    ),
    Change(
      name: "entity suspected to be renamed",
      frame: "Other { a: String }",
      old: "Note { title: String; year: Int16; body: String }",
      new: "Notes { title: String; year: Int16; body: String }",
      finding: "WS209 Note",
      risk: .lossy
    ),
  ]

  private static func findings(_ old: String, _ new: String, _ frame: String) throws -> [Finding] {
    let result = MappingInference.infer(
      from: try ModelSketch.model("\(frame) \(old)"),
      to: try ModelSketch.model("\(frame) \(new)")
    )
    return result.findings + result.refusals
  }

  private static func text(_ finding: Finding) -> String {
    let place = [finding.place.entity, finding.place.property].compactMap { $0 }
    return "\(finding.code.rawValue) \(place.joined(separator: "."))"
  }

  @Test(arguments: changes) func `a change is told of with what it may cost`(
    change: Change
  ) throws {
    let findings = try Self.findings(change.old, change.new, change.frame)
    let told = findings.filter { Self.text($0) == change.finding }
    #expect(told.count == 1, "\(findings.map(Self.text))")
    let finding = try #require(told.first)
    #expect(finding.severity == change.severity)
    #expect(finding.risk == change.risk)
    #expect(!finding.message.isEmpty && !finding.remedy.isEmpty)
  }

  @Test(arguments: changes) func `a step without the change does not tell of it`(
    change: Change
  ) throws {
    let code = change.finding.prefix(5)
    for side in [change.old, change.new] {
      let findings = try Self.findings(side, side, change.frame)
      #expect(!findings.contains { $0.code.rawValue == code }, "\(side)")
    }
  }

  @Test(arguments: changes) func `a survey counts what a step tells`(change: Change) throws {
    let versions = try [change.old, change.new].enumerated().map { index, sketch in
      ModelVersion(
        modelName: "Model",
        name: "v\(index + 1)",
        model: try ModelSketch.model("\(change.frame) \(sketch)")
      )
    }
    let graph = VersionGraph(VersionedModel(name: "Model", versions: versions))
    guard let edge = graph.consecutiveEdges.first, !edge.isRefused else { return }
    let entry = try #require(graph.survey().entry(from: 0, to: 1))
    #expect(entry.risks == RiskCounts(of: edge.findings))
  }

  @Test func `an index beside another change is no matter of its own`() throws {
    let findings = try Self.findings(
      "Note { year: Int16 }",
      "Note { year: Int16 indexed; title: String? }",
      ""
    )
    #expect(!findings.contains { $0.code == .indexesChanged })
  }

  @Test func `an attribute that becomes required is filled with the new default`() throws {
    let findings = try Self.findings(
      "Note { year: Int16? = 1 }",
      "Note { year: Int16 = 2 }",
      ""
    )
    let told = findings.filter { $0.code == .defaultChanged }.map(\.message)
    #expect(told.count == 1 && told[0].contains("those without one get the new default"), "\(told)")
  }

  @Test(
    arguments: [
      ("A { b -> B.a } B { a -> A.b }", "A { b -> B.a required } B { a -> A.b }", "WS315"),
      ("A { } B { }", "A { b -> B.a required } B { a -> A.b }", "WS306"),
      ("A { x: Date? }", "A { x: Date? derived now() }", "WS328"),
      ("A { x: Date? derived now() }", "A { x: Date? }", "WS328"),
      ("abstract A { } B : A { }", "A { } B : A { }", "WS335"),
    ]
  )
  func `a step that no document mentions is not said to be Core Data's own`(
    source: String,
    destination: String,
    code: String
  ) throws {
    let step = try Step(source, destination)
    #expect(step.refusals.isEmpty)
    #expect(step.result.kind == .extended)
    #expect(step.result.findings.contains { $0.code.rawValue == code })
  }

  @Test func `what versions that hash alike differ in is told where nothing is to be done`() throws
  {
    let versions = try [
      "Note { tags ->> Tag.note; year: Int16 = 1; body: Transformable? by Old } \(Self.tags)",
      "Note { tags ->> Tag.note cascade; year: Int16 = 2; body: Transformable? by New } \(Self.tags)",
    ].enumerated().map { index, sketch in
      ModelVersion(
        modelName: "Model",
        name: "v\(index + 1)",
        model: try ModelSketch.model(sketch)
      )
    }
    let graph = VersionGraph(VersionedModel(name: "Model", versions: versions))
    let node = try #require(graph.nodes.first)
    let plan = try MigrationPlanner(graph: graph).plan(from: node, to: node)
    #expect(plan.hops.isEmpty)
    #expect(
      Set(plan.findings.map(\.code.rawValue)) == ["WS201", "WS330", "WS331", "WS332"]
    )
  }
}
