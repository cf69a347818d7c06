import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Synchronization
import Testing

/// Hop files that make one object of several, or lead several to one.
@Suite struct MergedObjectTests {
  private struct Hop {
    let versions: [ModelVersion]
    let graph: VersionGraph

    init(_ sketches: [String], _ hop: String) throws {
      versions = try sketches.enumerated().map { index, sketch in
        ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
      }
      let model = VersionedModel(name: "M", versions: versions)
      let mapping = try MappingImporter.importMapping(
        hop: "from: v1\nto: v2\n" + hop,
        file: "v1-to-v2.hop.yml",
        models: [model]
      )
      let edge = AuthoredEdge(
        source: versions[0].model.entityVersionHashes,
        destination: versions[1].model.entityVersionHashes,
        mapping: mapping.mapping,
        origins: []
      )
      graph = VersionGraph(model, authored: [edge])
    }

    /// Runs it on a generated store that statements change.
    func run(
      _ statements: [String],
      accepting: Bool = false,
      onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) throws -> (findings: [Finding], error: MigrationError?) {
      try TemporaryFolder.with { folder in
        let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
        try StoreGenerator(model: versions[0].model, rows: 40, seed: 5).write(to: before)
        do {
          let connection = try AppDatabase(before)
          for statement in statements { try connection.execute(statement) }
        }
        let evidence = StoreEvidence(
          graph: graph,
          source: graph.nodes[0],
          checker: try StoreQuestions(reading: before, model: versions[0].model)
        )
        let plan = try MigrationPlanner(graph: graph)
          .plan(
            from: graph.nodes[0],
            to: graph.nodes[1],
            options: PlanningOptions(),
            evidence: evidence
          )
        var options = MigrationOptions()
        options.output = after
        options.settings.acceptsChangedValues = accepting
        options.settings.certificate = folder + "/certificate.json"
        options.onEvent = onEvent
        do {
          _ = try StoreMigrator(plan: plan, options: options).migrate(before)
          return (plan.allFindings, nil)
        } catch let error as MigrationError { return (plan.allFindings, error) }
      }
    }
  }

  private static let tag = "Tag { name: String?; color: String? }"
  private static let deduplicated =
    "entities:\n  - source: Tag\n    destination: Tag\n"
    + "    deduplicate: [name]"

  @Test func `objects that differ and become one are counted by the plan`() throws {
    let hop = try Hop([Self.tag, Self.tag + " New { n: String? }"], Self.deduplicated)
    let names = "UPDATE ZTAG SET ZNAME = CASE WHEN Z_PK <= 7 THEN 'a' ELSE Z_PK END"
    let (differing, error) = try hop.run([names, "UPDATE ZTAG SET ZCOLOR = Z_PK"])
    let finding = try #require(differing.first { $0.code == .objectsMerged })
    #expect(error == nil && finding.risk == .lossy, "\(finding)")
    #expect(finding.evidence?.verdict == .refuted && finding.evidence?.rows == 7, "\(finding)")
    // Those that agree in all that is carried lose nothing, the absent name among them.
    let alike = "UPDATE ZTAG SET ZNAME = CASE WHEN Z_PK > 9 THEN 'a' END, ZCOLOR = 'red'"
    let (agreeing, _) = try hop.run([alike])
    let proven = try #require(agreeing.first { $0.code == .objectsMerged })
    #expect(proven.risk == .exact && proven.evidence?.verdict == .proven, "\(proven)")
    let absent = try hop.run(["UPDATE ZTAG SET ZNAME = NULL, ZCOLOR = Z_PK"]).findings
    #expect(absent.first { $0.code == .objectsMerged }?.evidence?.rows == 40)
  }

  private static let pair = "Note { tag -> Tag.note } Tag { name: String?; note -> Note.tag }"
  private static let looked = """
    entities:
      - source: Note
        destination: Note
        relationships:
          tag: {lookup: {entity: Tag, where: name, equals: $source.word}}
    """

  /// Sketches and hop files by which several notes get one tag, which has one note.
  private static let sharing: [(sketches: [String], hop: String, statements: [String])] = [
    ([pair, pair + " New { n: String? }"], deduplicated, ["UPDATE ZTAG SET ZNAME = 'a'"]),
    (
      ["Note { word: String? } Tag { name: String? }", pair], looked,
      ["UPDATE ZTAG SET ZNAME = Z_PK", "UPDATE ZNOTE SET ZWORD = CASE WHEN Z_PK < 5 THEN 3 END"]
    ),
  ]

  @Test(arguments: sharing)
  func `what several objects want and one may have stops the run`(
    sketches: [String],
    hop: String,
    statements: [String]
  ) throws {
    let hop = try Hop(sketches, hop)
    let (findings, error) = try hop.run(statements)
    #expect(error?.code == .failed && error?.message.hasPrefix("WS317: in ") == true, "\(error)")
    #expect(
      findings.contains { $0.code == .becomesToOne && $0.risk == .conditional },
      "the plan does not say that it may"
    )
    let notes = Mutex<[String]>([])
    let accepted = try hop.run(statements, accepting: true) { event in
      if case .noted(let text) = event { notes.withLock { $0.append(text) } }
    }
    #expect(accepted.error == nil)
    #expect(notes.withLock { $0 }.contains { $0.hasPrefix("WS317: in ") && $0.contains("no room") })
  }

  @Test func `each that finds one of its own gets it`() throws {
    let hop = try Hop(Self.sharing[1].sketches, Self.looked)
    let own = ["UPDATE ZTAG SET ZNAME = Z_PK", "UPDATE ZNOTE SET ZWORD = Z_PK"]
    #expect(try hop.run(own).error == nil)
  }
}
