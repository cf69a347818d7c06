import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite struct `What the app itself would do` {
  private func codes(_ outcome: AppOutcome) -> [String] { outcome.findings.map(\.code.rawValue) }

  private func places(_ outcome: AppOutcome) -> [String] {
    outcome.findings.map {
      [$0.place.entity, $0.place.property].compactMap { $0 }.joined(separator: ".")
    }
  }

  @Test func `inference that succeeds from the second sample's first version loses the title`()
    throws
  {
    let archive = try ArchiveLoader.load("\(SampleArchive.root)/Letters.xcdatamodeld")
    let model = try #require(archive.models.first)
    let graph = VersionGraph(model)
    let current = try #require(graph.currentNode)
    func outcome(_ runtime: AppRuntime, _ source: Int) -> AppOutcome {
      AppMigration(graph: graph, bundled: [], runtime: runtime)
        .outcome(from: graph.nodes[source], to: current)
    }
    let inferred = MappingInference.infer(from: graph.nodes[0].model, to: current.model)
    #expect(inferred.kind == .inferred)
    #expect(inferred.mapping != nil)
    #expect(outcome(.direct, 0).kind == .loses)
    #expect(places(outcome(.direct, 0)).contains("Letter.title"))
    #expect(places(outcome(.direct, 0)).contains("Letter.heading"))
    #expect(outcome(.progressive, 0).nodes == [0, 1, 2, 3])
    // An identifier is cleared at each of the last two steps.
    #expect(outcome(.progressive, 0).kind == .unknown)
    #expect(Set(places(outcome(.progressive, 0))) == ["Letter.heading", "Letter.title"])
    #expect(outcome(.progressive, 0).findings.first?.severity == .error)
    #expect(outcome(.direct, 1).kind == .unknown)
    #expect(Set(places(outcome(.direct, 2))) == ["Letter.title"])
  }

  @Test func `a name that is used again takes the values of the old one`() throws {
    let outcome = try App.letters().outcome()
    #expect(outcome.kind == .loses)
    #expect(outcome.nodes == [0, 2])
    #expect(
      outcome.summary == "Infers a mapping straight to v3, and silently loses or changes "
        + "Letter.heading, Letter.title."
    )
    #expect(codes(outcome) == ["WS722", "WS722"])
    #expect(
      outcome.findings.last?.message
        == "Letter.title gets title in the app; version by version, Letter.heading gets that."
    )
    #expect(outcome.findings.first?.place.version == "v1")
    #expect(outcome.findings.first?.severity == .error)
  }

  @Test(arguments: [
    ("label: String? was name", "label: String?", AppOutcome.Kind.loses, ["WS722", "WS723"]),
    // What the app keeps is no harm, and what its policy would do is still unknown.
    ("other: String?", "other: String?; name: String?", .unknown, ["WS723"]),
  ])
  func `a known difference hides no policy that the app skips`(
    between: String,
    last: String,
    kind: AppOutcome.Kind,
    codes: [String]
  ) throws {
    var app = try App(
      "Letter { title: String? } Tag { name: String? }",
      "Letter { title: String?; pages: Int16? } Tag { \(between) }",
      "Letter { title: String? } Tag { \(last) }"
    )
    app.add(2, 3)
    app.mappings[0].mapping.entityMappings[0].entityMigrationPolicyClassName = "Policy"
    app.add(2, 3, entity: "Tag", values: ["name": .constant(nil)])
    app.mappings[0].mapping.entityMappings += app.mappings.removeLast().mapping.entityMappings
    let outcome = try app.outcome()
    #expect(outcome.kind == kind, "\(outcome.summary)")
    #expect(self.codes(outcome) == codes, "\(outcome.findings.map(\.message))")
  }

  @Test func `whether Core Data keeps what lost its renaming identifier is not known`() throws {
    let outcome = try App.letters().outcome(.progressive)
    #expect(outcome.kind == .unknown)
    #expect(outcome.nodes == [0, 1, 2])
    #expect(codes(outcome) == ["WS723", "WS206"])
    #expect(Set(places(outcome)) == ["Letter.heading"])
    #expect(try App.letters().outcome(from: 2).kind == .unknown)
    #expect(try App.letters().outcome(to: 2).kind == .arrives)
  }

  @Test func `names that can be read in several ways are not taken for a failure`() throws {
    let app = try App(
      "Letter { heading: String? was title }",
      "Letter { heading: String?; title: String? }"
    )
    let outcome = try app.outcome()
    #expect(outcome.kind == .unknown)
    #expect(codes(outcome) == ["WS723", "WS202"])
  }

  @Test func `a version that is current already is opened as it is`() throws {
    let outcome = try App.letters().outcome(from: 3)
    #expect(
      outcome
        == AppOutcome(
          kind: .arrives,
          nodes: [2],
          summary: "Opens the store as it is.",
          findings: []
        )
    )
  }

  @Test func `a store of a later version has no model in the app`() throws {
    let outcome = try App.letters().outcome(from: 3, to: 1)
    #expect(outcome.kind == .fails)
    #expect(codes(outcome) == ["WS721"])
  }

  @Test func `a mapping model with both hashes is taken before any inference`() throws {
    var app = try App.letters()
    app.add(1, 3, values: ["heading": .source("title"), "title": .constant(nil)])
    let outcome = try app.outcome()
    #expect(outcome.kind == .arrives)
    #expect(outcome.summary == "Takes Step.xcmappingmodel straight to v3.")
    app.mappings[0].destination.hashes["Letter"] = app.mappings[0].source.hashes["Letter"]
    app.mappings[0].mapping.entityMappings[0].destinationEntityVersionHash = nil
    #expect(try app.outcome().kind == .loses)
  }

  @Test func `a mapping model that disagrees with the walk is told of`() throws {
    var app = try App.letters()
    app.add(1, 3, values: ["heading": .constant(nil), "title": .constant(nil)])
    let outcome = try app.outcome()
    #expect(outcome.kind == .arrives)
    #expect(codes(outcome) == ["WS415"])
  }

  @Test func `a hop file is nothing that the app knows`() throws {
    var app = try App(
      "Letter { title: String? }",
      "Letter { title: String?; pages: Int32? }"
    )
    app.add(1, 2, .hopFile, values: ["title": .source("title"), "pages": .constant(.integer(3))])
    let outcome = try app.outcome()
    #expect(outcome.kind == .loses)
    #expect(places(outcome) == ["Letter.pages"])
    #expect(outcome.findings[0].remedy.contains("Core Data does not read Step.hop"))
    app.mappings[0].form = .mappingModel
    #expect(try app.outcome().kind == .arrives)
  }

  @Test func `several mapping models for one step leave open which one runs`() throws {
    var app = try App("Letter { title: String? }", "Letter { title: String?; pages: Int32? }")
    app.add(1, 2, values: ["pages": .constant(nil)], named: "A")
    app.add(1, 2, values: ["pages": .constant(.integer(1))], named: "B")
    let outcome = try app.outcome()
    #expect(outcome.kind == .unknown)
    #expect(codes(outcome) == ["WS723"])
    #expect(outcome.findings[0].message.contains("A.xcmappingmodel, B.xcmappingmodel"))
  }

  @Test func `what can be inferred only beyond Core Data's rules is unknown in the app`() throws {
    let app = try App(
      "Letter { topics ->> Topic.letters } Topic { letters ->> Letter.topics }",
      "Letter { topics -> Topic.letters } Topic { letters ->> Letter.topics }"
    )
    let inferred = MappingInference.infer(
      from: app.model.versions[0].model,
      to: app.model.versions[1].model
    )
    #expect(inferred.kind == .extended)
    let outcome = try app.outcome()
    #expect(outcome.kind == .unknown)
    #expect(codes(outcome) == ["WS723", "WS317"])
  }

  /// A text that becomes a number stands between v2 and v3.
  private func blocked() throws -> App {
    try App(
      "Letter { title: String? }",
      "Letter { title: String?; year: String? }",
      "Letter { title: String?; year: Int32? }",
      "Letter { title: String?; year: Int32?; pages: Int32? }"
    )
  }

  @Test func `version by version the app stops at the first step that fails`() throws {
    var app = try blocked()
    let outcome = try app.outcome(.progressive)
    #expect(outcome.kind == .fails)
    #expect(outcome.nodes == [0, 1])
    #expect(outcome.summary.hasPrefix("Gets as far as v2; there it finds no mapping model"))
    #expect(codes(outcome) == ["WS721", "WS311"])
    app.add(2, 3, .compiled, values: ["year": .constant(nil)])
    #expect(try app.outcome(.progressive).kind == .arrives)
    #expect(try app.outcome(.progressive).nodes == [0, 1, 2, 3])
    #expect(try app.outcome(.direct, from: 2).kind == .fails)
  }

  @Test func `inference over a step without a mapping is not known to mean the same`() throws {
    let outcome = try blocked().outcome()
    #expect(outcome.kind == .unknown)
    #expect(codes(outcome) == ["WS723"])
    #expect(
      outcome.findings[0].message.contains("skips the step from v2 to v3, which has no mapping")
    )
  }

  @Test func `what depends on the data arrives with a finding`() throws {
    let app = try App("Letter { pages: Int64? }", "Letter { pages: Int16? }")
    let outcome = try app.outcome()
    #expect(outcome.kind == .arrives)
    #expect(codes(outcome) == ["WS310"])
  }

  @Test(arguments: [
    ("A { n: String?; k: Int64? }", "A { k: Int64? }", "A { n: String?; k: Int16? }", "keeps"),
    (
      "A { k: Int64? }", "A { n: Int16? = 1; k: Int64? }", "A { n: Int16?; k: Int16? }",
      "otherDefaults"
    ),
  ])
  func `what the rows decide is told beside what else the app does`(
    first: String,
    second: String,
    third: String,
    kind: String
  ) throws {
    let outcome = try App(first, second, third).outcome()
    #expect(outcome.kind.rawValue == kind)
    #expect(codes(outcome).contains("WS310"), "\(outcome.findings)")
  }

  @Test func `a loss on the way that a later step drops anyhow is none`() throws {
    var app = try App(
      "Letter { title: String? }",
      "Letter { title: String?; pages: Int32? }",
      "Letter { title: String?; note: String? }"
    )
    app.add(1, 2, .hopFile, values: ["pages": .constant(.integer(3))])
    #expect(try app.outcome(.progressive).kind == .arrives)
    #expect(try app.outcome(.progressive, to: 2).kind == .loses)
  }
}

@Suite struct `What an app with stages would do` {
  private func stages(_ text: String) -> [MigrationStage] {
    text.split(separator: "|").map { part in
      let words = part.split(separator: " ")
      guard let ends = words.first?.split(separator: ">"), ends.count == 2 else {
        return .lightweight(versionChecksums: words.map(String.init))
      }
      return .custom(
        current: String(ends[0]),
        next: String(ends[1]),
        willMigrate: [.handler("copy")]
      )
    }
  }

  /// The year goes with v2 and is another one in v4.
  private func app() throws -> App {
    try App(
      "Letter { title: String?; year: Int32? }",
      "Letter { title: String? }",
      "Letter { title: String?; note: String? }",
      "Letter { title: String?; note: String?; year: Int32? }"
    )
  }

  @Test(arguments: [
    ("v1 | v2>v3 | v4", 1, AppOutcome.Kind.arrives, [0, 1, 2, 3]),
    ("v1 | v2>v3 | v4", 2, .arrives, [1, 2, 3]),
    ("v1 | v2>v3 | v4", 3, .arrives, [2, 3]),
    ("v1>v2 | v2>v3 | v4", 1, .arrives, [0, 1, 2, 3]),
    // Lightweight stages in a row are one inference.
    ("v1 | v2 | v3 | v4", 1, .keeps, [0, 3]),
    ("v1 v2 v3 v4", 1, .keeps, [0, 3]),
    ("v1 v2 v3 v4", 2, .arrives, [1, 3]),
    ("v1 v3 | v4", 2, .fails, [1]),
    ("v2>v3 | v4", 1, .fails, [0]),
    ("v1 v2", 1, .fails, [0]),
  ])
  func `a store goes from where it is through all later stages`(
    text: String,
    source: Int,
    kind: AppOutcome.Kind,
    nodes: [Int]
  ) throws {
    let outcome = try app().outcome(.staged, from: source, stages: stages(text))
    #expect(outcome.kind == kind, "\(outcome.summary)")
    #expect(outcome.nodes == nodes)
  }

  @Test func `an app without stages goes straight`() throws {
    #expect(try app().outcome(.staged).kind == .keeps)
  }

  @Test func `the code of stages is nothing that a direct migration runs`() throws {
    let outcome = try app().outcome(.direct, from: 2, to: 3, stages: stages("v1 | v2>v3 | v4"))
    #expect(outcome.kind == .unknown)
    #expect(outcome.findings[0].remedy.contains("set `runtime: staged` in waystone.yml"))
  }
}
