import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct StoreEvidenceTests {
  /// A store that answers as it is told.
  private struct Oracle: PreconditionOracle {
    func makesObjects(_ hop: Hop) -> Bool { hop.isMapped }

    func counts() -> StoreCounts? { nil }

    let answering: (Precondition) -> Precondition.Answer

    func answer(to precondition: Precondition) -> Precondition.Answer { answering(precondition) }

    func size(
      from source: ManagedObjectModel,
      to destination: ManagedObjectModel,
      _ mapping: MappingModel,
      isAuthored: Bool,
      after composed: ComposedMapping?
    ) -> HopSize? {
      let size = Int64(mapping.entityMappings.count)
      return HopSize(rows: size, bytes: size * 10, diskNeeded: 0)
    }
  }

  private let refuted = Precondition.Answer.refuted(rows: 3, of: 9, groups: nil, keys: [4, 5, 9])

  private func graph(_ sketches: [String]) throws -> VersionGraph {
    let versions = try sketches.enumerated().map { index, sketch in
      ModelVersion(
        modelName: "M",
        name: "v\(index + 1)",
        model: try ModelSketch.model(sketch)
      )
    }
    return VersionGraph(VersionedModel(name: "M", versions: versions))
  }

  private func plan(
    _ sketches: [String],
    _ options: PlanningOptions = PlanningOptions(),
    _ answering: @escaping (Precondition) -> Precondition.Answer
  ) throws -> MigrationPlan {
    let graph = try graph(sketches)
    let last = try #require(graph.nodes.last)
    return try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: last,
      options: options,
      evidence: StoreEvidence(
        graph: graph,
        source: graph.nodes[0],
        checker: Oracle(answering: answering)
      )
    )
  }

  private func stops(_ plan: MigrationPlan) -> String {
    ([plan.source] + plan.hops.map(\.destination)).map(\.name).joined(separator: " ")
  }

  @Test func `the answer decides risk, severity, words and cost`() throws {
    let step = ["N { a: String? }", "N { a: String?; unique a }"]
    let proven = try plan(step) { _ in .proven(of: 9) }
    let finding = try #require(proven.allFindings.first)
    #expect(finding.risk == .exact && finding.severity == .note)
    #expect(finding.message.hasSuffix("In the store, 0 of 9 rows share what is to be unique."))
    #expect(proven.cost.unknownPreconditions == 0 && proven.cost.refuted == 0)
    let against = try plan(step) { _ in .refuted(rows: 5, of: 9, groups: 2, keys: [1, 2]) }
    let error = try #require(against.allFindings.first)
    #expect(error.risk == .conditional && error.severity == .error && error.isRefused)
    #expect(error.message.hasSuffix("share what is to be unique, in 2 groups; keys 1, 2 and more."))
    #expect(against.cost.unknownPreconditions == 0 && against.cost.refuted == 1)
    let open = try plan(step) { _ in .unknown("nobody looked") }
    #expect(open.allFindings.first?.risk == .conditional)
    #expect(open.allFindings.first?.severity == .warning)
    #expect(open.allFindings.first?.message.hasSuffix("until the run: nobody looked.") == true)
    #expect(open.cost.unknownPreconditions == 1 && open.cost.refuted == 0)
    #expect(open.fingerprint == proven.fingerprint)
  }

  @Test func `what holds nothing is dropped without loss`() throws {
    let step = ["N { a: String?; b: String? }", "N { b: String? }"]
    var strict = PlanningOptions()
    strict.acceptLoss = .none
    let empty = try plan(step, strict) { _ in .proven(of: 9) }
    #expect(empty.allFindings.map(\.risk) == [.exact] && empty.cost.lossyFindings == 0)
    let refuted = refuted
    let full = try plan(step) { _ in refuted }
    #expect(full.allFindings.map(\.severity) == [.warning])
    #expect(full.cost.lossyFindings == 1 && full.cost.refuted == 0)
    #expect(throws: PlanningError.self) { try plan(step, strict) { _ in refuted } }
  }

  @Test func `a path whose conditions hold is taken, and one whose do not is not`() throws {
    let versions = [
      "N { a: String? }", "N { a: String?; unique a }", "N { a: String?; b: String? }",
    ]
    var options = PlanningOptions()
    options.preferredVersions = ["v2"]
    #expect(try stops(plan(versions, options) { _ in .proven(of: 1) }) == "v1 v2 v3")
    let refuted = refuted
    #expect(try stops(plan(versions, options) { _ in refuted }) == "v1 v3")
    #expect(try stops(plan(versions, options) { _ in .unknown("") }) == "v1 v3")
  }

  @Test func `questions of later hops reach the store in its own words`() throws {
    let asked = Asked()
    var options = PlanningOptions()
    options.followsHistory = true
    let made = try plan(
      [
        "Old { a: String?; n: Int32? }",
        "New was Old { b: String? was a; n: Int32 = 5; c: String = x }",
        "New { b: String; n: Int16 = 5; c: String = x; unique c }",
      ],
      options
    ) { precondition in
      asked.note(precondition)
      return .proven(of: 1)
    }
    #expect(stops(made) == "v1 v2 v3")
    #expect(
      asked.texts == [
        "WS310 Old n or default", "WS313 Old a", "WS314 Old constant",
      ]
    )
  }

  @Test func `what cannot be pulled back is said to be unknown, and why`() throws {
    var options = PlanningOptions()
    options.followsHistory = true
    let made = try plan(
      [
        "A { bs ->> B.a } B { a -> A.bs } C : B { }",
        "A { bs ->> B.a max 9 } B { a -> A.bs }",
        "A { bs -> B.a } B { a -> A.bs }",
      ],
      options
    ) { _ in .proven(of: 1) }
    let finding = try #require(made.allFindings.last { $0.code == .becomesToOne })
    #expect(finding.evidence?.verdict == .unknown)
    #expect(finding.message.contains("some of the objects to which A.bs leads do not arrive"))
  }

  /// Without hops by hand, and with one that may drop an entity, so that later hops find no rows of it.
  @Test(arguments: [false, true])
  func `the search that asks as it goes finds what asking everything finds`(isAuthored: Bool) throws
  {
    var plans = 0
    let seeds = Trials.some(of: 150 as UInt64)
    for seed in seeds {
      var random = SeededGenerator(seed: seed &* 31)
      var changing = RandomModel(&random)
      var models: [ManagedObjectModel] = []
      for _ in 0..<5 {
        if let model = changing.model?.demanding(&random, isStrict: true) { models.append(model) }
        changing.evolve(&random)
      }
      let versions = models.enumerated().map {
        ModelVersion(modelName: "R", name: "v\($0)", model: $1)
      }
      let graph = VersionGraph(
        VersionedModel(name: "R", versions: versions),
        authored: isAuthored ? Self.handwritten(versions, &random) : []
      )
      guard let first = graph.nodes.first, let last = graph.nodes.last, graph.nodes.count > 2,
        graph.consecutiveEdges.allSatisfy({ !$0.isRefused })
      else { continue }
      let salt = Int.random(in: 0...999, using: &random)
      let oracle = Oracle { $0.answerByChance(salt) }
      var options = PlanningOptions()
      options.acceptLoss = .any
      let planner = MigrationPlanner(graph: graph)
      func evidence() -> StoreEvidence {
        StoreEvidence(graph: graph, source: first, checker: oracle)
      }
      let found = try planner.plan(from: first, to: last, options: options, evidence: evidence())
      plans += 1
      let between = graph.nodes.dropFirst().dropLast()
      var least: PlanCost?
      for mask in 0..<(1 << between.count) {
        let stops = between.enumerated().filter { mask & (1 << $0.offset) != 0 }.map(\.element)
        let path = [first] + stops + [last]
        let plan = try? planner.plan(
          along: path.map(\.name),
          from: first,
          to: last,
          options: options,
          evidence: evidence()
        )
        if let plan, plan.cost.unknown == 0, plan.cost.notEquivalent == 0 {
          least = least.map { min($0, plan.cost) } ?? plan.cost
        }
      }
      #expect(found.cost == least, "seed \(seed)")
    }
    #expect(plans > seeds.count / 5)
  }

  /// A hop over some versions that does what inference would, but for one entity that it may drop.
  private static func handwritten(
    _ versions: [ModelVersion],
    _ random: inout SeededGenerator
  ) -> [AuthoredEdge] {
    guard versions.count > 2 else { return [] }
    let start = Int.random(in: 0..<(versions.count - 2), using: &random)
    let end = Int.random(in: (start + 1)..<(versions.count - 1), using: &random)
    let (old, new) = (versions[start].model, versions[end].model)
    guard var mapping = MappingInference.infer(from: old, to: new).mapping else { return [] }
    let carried = mapping.entityMappings.indices.filter {
      mapping.entityMappings[$0].destinationEntityName != nil
    }
    if let dropped = carried.randomElement(using: &random), Bool.random(using: &random) {
      mapping.entityMappings.remove(at: dropped)
    }
    return [
      AuthoredEdge(
        source: old.entityVersionHashes,
        destination: new.entityVersionHashes,
        mapping: mapping,
        origins: []
      )
    ]
  }

}

/// The questions that a store was asked.
private final class Asked {
  private var all: Set<String> = []

  var texts: [String] { all.sorted() }

  func note(_ precondition: Precondition) {
    let subjects = precondition.subjects.map { subject in
      "\(subject.entity) \(subject.values.map(text).joined(separator: ", "))"
    }
    all.insert("\(precondition.code.rawValue) \(subjects.joined(separator: "; "))")
  }

  private func text(_ value: ValueOrigin) -> String {
    switch value {
    case .carried(let path): path.joined(separator: ".")
    case .constant: "constant"
    case .filled(let value, _): "\(text(value)) or default"
    case .converted(let value, _, let type): "\(text(value)) as \(type)"
    default: "opaque"
    }
  }
}
