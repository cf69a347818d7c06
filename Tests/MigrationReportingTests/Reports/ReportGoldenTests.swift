import MigrationPlanning
import MigrationReporting
import MigrationTestSupport
import ObjectModel
import Testing

/// Each report as text and as JSON, against files that a person has read.
@Suite struct ReportGoldenTests {
  private static let dropped = Finding(
    .attributeDropped,
    .warning,
    risk: .lossy,
    at: Finding.Place(version: "v3", entity: "Book", property: "isbn"),
    message: "The attribute is gone in v3, and with it 4 values of which nothing else in the "
      + "model keeps a copy.",
    remedy: "Accept the loss with --accept-loss declared, or author a mapping that keeps them."
  )
  private static let renamed = Finding(
    .propertyRenamed,
    .note,
    risk: .exact,
    at: Finding.Place(entity: "Book", property: "heading"),
    message: "title is called heading from now on.",
    remedy: "Nothing needs to be done."
  )
  private static let refusal = Finding(
    .typeConverted,
    .error,
    at: Finding.Place(version: "v4", entity: "Book", property: "year"),
    message: "A string cannot be inferred to become an integer.",
    remedy: "Author a mapping from v3 to v4."
  )

  private func check(_ report: some Report, _ name: String) throws {
    let texts = [
      (report.text(), "\(name).txt"), (report.text(isVerbose: true), "\(name)-verbose.txt"),
      (try report.json.prettyPrinted + "\n", "\(name).json"),
    ]
    for (text, file) in texts {
      let mismatch = Golden.mismatch(text, file)
      #expect(mismatch == nil)
    }
  }

  @Test func `a plan says why each hop and what it costs`() throws {
    try check(
      PlanReport(
        store: "Library.sqlite",
        from: "v1",
        to: "v3",
        hops: [
          PlanReport.Step(
            from: "v1",
            to: "v2",
            kind: "inferred",
            reason: "v2 is the next version, and the step can be inferred.",
            findings: [Self.renamed]
          ),
          PlanReport.Step(
            from: "v2",
            to: "v3",
            kind: "extended",
            reason: "v3 is the next version.",
            findings: [Self.dropped]
          ),
        ],
        findings: [Self.renamed],
        refusals: [("--accept-unproven-names", "Z_1TAGS or Z_2TAGS: the model does not say.")],
        fingerprint: String(repeating: "5a", count: 32)
      ),
      "plan"
    )
  }

  @Test func `no path is told as a proof`() throws {
    try check(
      PlanReport(
        from: "v1",
        to: "v4",
        hops: [
          PlanReport.Step(
            from: "v1",
            to: "v3",
            kind: "inferred",
            reason: "The only way on.",
            findings: []
          )
        ],
        blocked: [
          PlanReport.Step(
            from: "v3",
            to: "v4",
            kind: nil,
            reason: "",
            findings: [Self.refusal]
          )
        ],
        furthest: "v3"
      ),
      "plan-blocked"
    )
  }

  @Test func `nothing to do is said in one line`() throws {
    try check(PlanReport(from: "v2", to: "v2", hops: []), "plan-empty")
  }

  @Test func `a graph shows its steps and refusals`() throws {
    let report = GraphReport(
      nodes: [
        GraphReport.Node(names: ["v1"], isCurrent: false),
        GraphReport.Node(names: ["v3", "v2 \"draft\""], isCurrent: false),
        GraphReport.Node(names: ["v4"], isCurrent: true),
      ],
      edges: [
        GraphReport.Edge(from: "v1", to: "v3", .init(from: 0, to: 1, .inferred, worst: .lossy)),
        GraphReport.Edge(from: "v1", to: "v4", .init(from: 0, to: 2, .extended)),
        GraphReport.Edge(from: "v3", to: "v4", .init(from: 1, to: 2, nil, refusal: Self.refusal)),
      ],
      findings: [Self.refusal]
    )
    try check(report, "graph")
    let mermaid = Golden.mismatch(report.mermaid, "graph.mmd")
    #expect(mermaid == nil)
    let dot = Golden.mismatch(report.dot, "graph.dot")
    #expect(dot == nil)
  }

  @Test func `an inspected store shows what it is`() throws {
    try check(
      InspectionReport(
        path: "Library.sqlite",
        bytes: (1_234_567, 32_768),
        match: .exact,
        versions: ["v1"],
        facts: [("UUID", "3F2504E0-4F89-11D3-9A0C-0305E82C3301"), ("framework", "1419")],
        entities: [
          InspectionReport.Entity(name: "Author", hash: "00ff", number: 1, rows: 12),
          InspectionReport.Entity(name: "Book", hash: "11ee", number: 2, rows: 1_500),
        ]
      ),
      "inspect"
    )
  }

  @Test func `an unknown store shows what is near`() throws {
    try check(
      InspectionReport(
        path: "Library.sqlite",
        bytes: (4096, 0),
        match: .nearest,
        versions: [],
        nearest: [
          InspectionReport.Nearby(
            version: "v2",
            differences: (1...14).map { "Entity E\($0) is not in the store." }
          )
        ]
      ),
      "inspect-nearest"
    )
  }

  @Test func `versions show what hashes alike`() throws {
    try check(VersionsReport(archive: try Self.archive()), "versions")
  }

  @Test func `a failure says what to do next`() throws {
    let failure = FailureReport(
      status: 65,
      kind: "damagedInput",
      code: "notADatabase",
      message: "Library.sqlite is not a database\u{1b}.",
      recovery: "Check the path."
    )
    #expect(
      failure.text(isColored: false)
        == "error: Library.sqlite is not a database\\u{1b}.\nnext: Check the path.\n"
    )
    let mismatch = Golden.mismatch(failure.json.prettyPrinted + "\n", "failure.json")
    #expect(mismatch == nil)
  }

  private static func archive() throws -> ModelArchive {
    var title = AttributeDescription(name: "title", attributeType: .string)
    title.isOptional = true
    var book = EntityDescription(name: "Book")
    book.attributes = [title]
    let first = try ManagedObjectModel(entities: [book])
    title.versionHashModifier = "naïve"
    book.attributes = [title]
    let third = try ManagedObjectModel(entities: [book])
    let versions = [
      ModelVersion(modelName: "Library", name: "v1", model: first, path: "L.xcdatamodeld/v1"),
      ModelVersion(modelName: "Library", name: "v2", model: first, path: "L.xcdatamodeld/v2"),
      ModelVersion(
        modelName: "Library",
        name: "v3",
        model: third,
        isCurrent: true,
        path: "L.xcdatamodeld/v3"
      ),
    ]
    let finding = Finding(
      .unknownAttribute,
      .warning,
      at: Finding.Place(file: "L.xcdatamodeld/v3/contents", line: 7, version: "v3", entity: "Book"),
      message: "The attribute colour is not known.",
      remedy: "Look whether Xcode knows it."
    )
    return ModelArchive(
      models: [VersionedModel(name: "Library", versions: versions, path: "L.xcdatamodeld")],
      findings: [finding]
    )
  }
}
