import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Links to objects that a step drops, which go with these: each is told, and none is called carried.
@Suite struct DroppedTargetTests {
  /// A store before and after a plan whose source links lead to objects of `B`, and the outcome.
  struct Trial {
    let plan: MigrationPlan
    let planned: [HopForecast]
    let outcome: MigrationOutcome?
    let error: MigrationError?

    init(
      _ sketches: [String],
      _ statements: [String],
      accepting: Bool = false
    ) throws {
      let versions = try sketches.enumerated().map { index, sketch in
        ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
      }
      let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
      (plan, planned, outcome, error) = try TemporaryFolder.with { folder in
        let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
        let evidence = try StoreEvidence(
          ofStoreMadeAt: before,
          graph,
          rows: 30,
          seed: 3,
          statements
        )
        let plan = try MigrationPlanner(graph: graph).plan(
          from: graph.nodes[0],
          to: graph.nodes[graph.nodes.count - 1],
          options: .walking,
          evidence: evidence
        )
        let planned = try #require(evidence.accounts(of: plan))
        var options = MigrationOptions()
        options.output = after
        options.settings.acceptsChangedValues = accepting
        options.settings.certificate = folder + "/certificate.json"
        do {
          let outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
          return (plan, planned, outcome, nil)
        } catch let error as MigrationError { return (plan, planned, nil, error) }
      }
    }
  }

  private static let first =
    "abstract P { x: String? } A : P {} B : P { n: Int64? } C { t: String?; one -> P }"
  private static let second = "abstract P { x: String? } A : P {} C { t: String?; one -> P }"
  /// All links of `C.one` lead to objects of `B`.
  private static let leading = [
    "UPDATE ZC SET ZONE = (SELECT MIN(Z_PK) FROM ZP WHERE Z_ENT = "
      + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'B')), "
      + "Z2_ONE = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'B')"
  ]

  @Test func `links to dropped objects are lines of their own, named and counted`() throws {
    let trial = try Trial([Self.first, Self.second], Self.leading)
    let finding = try #require(trial.plan.allFindings.first { $0.code == .linksDropped })
    #expect(finding.place.subject == "C.one" && finding.severity == .warning, "\(finding)")
    let links = try #require(finding.evidence?.rows)
    #expect(links > 0)
    let line = try #require(trial.planned[0].departures.first { $0.property == "one" })
    #expect(line.fate == .dropped && line.targets == ["B"] && line.bounds.least == links, "\(line)")
    let total = try #require(trial.outcome?.certificate?.total)
    let gone = total.departures.filter { $0.property == "one" }
    #expect(gone.map(\.fate) == [.dropped] && gone.map(\.targets) == [["B"]], "\(gone)")
    #expect(gone.map(\.count) == [links])
    #expect(try trial.outcome?.accounts.first?.misses(#require(trial.planned.first)) == [])
  }

  @Test func `of links to objects that stay and others that go each has its line`() throws {
    // With an inverse, half of the links of C.ps lead to objects of B.
    let trial = try Trial(
      [
        "abstract P { c -> C.ps } A : P {} B : P { n: Int64? } C { ps ->> P.c }",
        "abstract P { c -> C.ps } A : P {} C { ps ->> P.c }",
      ],
      ["UPDATE ZP SET ZC = (SELECT MIN(Z_PK) FROM ZC)"]
    )
    let total = try #require(trial.outcome?.certificate?.total)
    let lines = total.departures.filter { $0.entity == "C" && $0.property == "ps" }
    #expect(lines.map(\.fate) == [.carried, .dropped], "\(lines)")
    let arrived = total.arrivals.first { $0.entity == "C" && $0.property == "ps" }
    #expect(arrived?.count == lines.first?.count)
    #expect(lines.last?.targets == ["B"] && lines.last?.count ?? 0 > 0)
  }

  @Test func `a required relationship that would be empty is refused unless that is accepted`()
    throws
  {
    let sketches = [Self.first, Self.second].map {
      $0.replacing("one -> P", with: "one -> P required")
    }
    let refused = try Trial(sketches, Self.leading)
    let error = try #require(refused.error)
    #expect(error.code == .failed && error.message.hasPrefix("WS337: in C.one"), "\(error)")
    let finding = try #require(refused.plan.allFindings.first { $0.code == .linksDropped })
    #expect(finding.isRefused, "\(finding)")
    #expect(try Trial(sketches, Self.leading, accepting: true).error == nil)
  }

  @Test func `in a later hop the links are told too`() throws {
    let trial = try Trial(
      [
        Self.first.replacing("t: String?", with: "t: String?; u: String?"),
        Self.first, Self.second,
      ],
      Self.leading
    )
    #expect(trial.plan.hops.count == 2)
    let line = try #require(trial.planned[1].departures.first { $0.property == "one" })
    #expect(line.fate == .dropped && line.targets == ["B"] && line.bounds.least > 0, "\(line)")
    let hops = try #require(trial.outcome?.accounts)
    #expect(hops.last?.departures.first { $0.property == "one" }?.count == line.bounds.least)
  }

  @Test func `a mapping that gives links another name names them by it`() throws {
    let rest = "\n  - source: P\n  - source: A\n  - drop: B\n"
    let hop = try HopRun(
      [Self.first, Self.second.replacing("one -> P", with: "two -> P")],
      "entities:\n  - source: C\n    relationships:\n      two: {from: one}" + rest
    )
    let (findings, error) = try hop.run(Self.leading)
    #expect(error == nil)
    let finding = try #require(findings.first { $0.code == .linksDropped })
    #expect(finding.place.subject == "C.two" && finding.evidence?.rows ?? 0 > 0, "\(finding)")
  }

  @Test func `a property of another entity does not lend its fate to one of the same name`() throws
  {
    let trial = try Trial(
      [
        "N { t: String?; tags ->> T.owner } T { t: String?; owner -> N.tags } F { owner: String? }",
        "N { t: String? } T { t: String? } F { owner: String? }",
      ],
      []
    )
    let lines = trial.planned[0].departures.filter { ["tags", "owner"].contains($0.property) }
    #expect(
      lines.map { "\($0.entity) \($0.fate)" }.sorted() == ["F carried", "N dropped", "T dropped"],
      "\(lines)"
    )
    #expect(trial.outcome?.certificate?.total.departures.count { $0.fate == .dropped } == 2)
  }

  @Test func `a finding about another entity names no loss`() throws {
    let trial = try Trial(["A { x: String? } B { x: String? }", "A { y: String? } B {}"], [])
    let hop = try #require(trial.plan.hops.first)
    func unnamed(_ findings: [Finding]) -> [String] {
      var counts = StoreCounts()
      for name in ["A", "B"] {
        counts.entities[name] = StoreCounts.Entity(objects: 2)
        counts.entities[name]?.values["x"] = 2
      }
      let account = HopReconciliation(
        of: hop.composedMapping,
        from: "v1",
        to: "v2",
        before: counts,
        after: counts,
        hasCode: false,
        losses: DeclaredLosses(hop.composedMapping, findings)
      )
      return account.unnamed.map(\.entity)
    }
    #expect(unnamed(hop.findings) == [])
    let ofA = hop.findings.filter { $0.place.entity != "B" }
    #expect(unnamed(ofA) == ["B"])
    // Neither does one of a property that nobody has.
    let dropped = try #require(hop.findings.first { $0.place.entity == "B" })
    let other = Finding(
      dropped.code,
      dropped.severity,
      risk: dropped.risk,
      at: Finding.Place(version: "v2", entity: "B", property: "z"),
      message: "z",
      remedy: ""
    )
    #expect(unnamed(ofA + [other]) == ["B"])
  }

  @Test func `a link that no finding names fails the account`() throws {
    let trial = try Trial([Self.first, Self.second], Self.leading)
    let hop = try #require(trial.plan.hops.first)
    let (before, after) = (try counts(links: 4), try counts(links: 0))
    func account(_ findings: [Finding]) -> HopReconciliation {
      HopReconciliation(
        of: hop.composedMapping,
        from: "v1",
        to: "v2",
        before: before,
        after: after,
        hasCode: false,
        losses: DeclaredLosses(hop.composedMapping, findings)
      )
    }
    #expect(account(hop.findings).isBalanced)
    let unnamed = account(hop.findings.filter { $0.code != .linksDropped }).unnamed
    #expect(unnamed.map(\.property) == ["one"], "\(unnamed)")
  }

  /// A store of objects of C, each with a link to an object of B.
  private func counts(links: Int64) throws -> StoreCounts {
    var counts = StoreCounts()
    var owner = StoreCounts.Entity(objects: 4)
    if links > 0 { owner.links["one"] = ["B": links] }
    counts.entities["C"] = owner
    return counts
  }
}
