import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct MigrationPlannerTests {
  private var unknown: PlanningOptions {
    var options = PlanningOptions()
    options.acceptUnknown = true
    return options
  }

  @Test func `a path that the model has no more is named in few words`() throws {
    let sketch: GraphSketch = "v1 -> v2"
    let graph = try sketch.graph()
    let nodes = graph.nodes
    let error = #expect(throws: PlanningError.self) {
      _ = try MigrationPlanner(graph: graph).plan(
        along: Array(repeating: "v1", count: 200_000),
        from: nodes[0],
        to: nodes[1],
        options: PlanningOptions()
      )
    }
    #expect(error?.message.contains("v1, v1 and 199992 more is not one") == true)
    #expect(error.map { "\($0)".utf8.count < 500 } == true)
  }

  @Test func `consecutive versions are walked although a not equivalent edge is cheaper`() throws {
    let graph: GraphSketch = """
      v1 -! v2 -? v3 -> v4
      v1 => v4 ~
      """
    #expect(try graph.plan() == "v1 v2 v3 v4")
    #expect(try graph.plan(unknown) == "v1 v2 v3 v4")
    var options = PlanningOptions()
    options.acceptLoss = .any
    #expect(try graph.plan(options) == "v1 v2 v3 v4")
  }

  @Test func `an equivalent edge is taken where it is cheaper`() throws {
    let graph: GraphSketch = """
      v1 -! v2 -? v3 -> v4
      v1 => v4
      v2 => v4
      """
    #expect(try graph.plan() == "v1 v4")
    let dear: GraphSketch = """
      v1 -> v2 -> v3 -> v4
      v1 => v4 !
      v1 => v3
      v2 => v4
      """
    // Both have two hops; v2 comes before v3.
    #expect(try dear.plan() == "v1 v2 v4")
  }

  @Test func `a not equivalent edge is taken where it alone leads on and is named`() throws {
    let graph: GraphSketch = """
      v1 -> v2 -! v3
      v1 => v3 ~
      """
    var options = PlanningOptions()
    options.acceptLoss = .none
    #expect(try graph.plan(options) == "not allowed")
    options.acceptedShortcuts = [.init(source: "v1", destination: "v2")]
    #expect(try graph.plan(options) == "not allowed")
    options.acceptedShortcuts = [.init(source: "v1", destination: "v3")]
    #expect(try graph.plan(options) == "v1 v3")
    options.acceptLoss = .declared
    #expect(try graph.plan(options) == "v1 v2 v3")
  }

  @Test func `where a loss alone keeps a plan from getting on, the advice is to accept it`() throws
  {
    let sketch: GraphSketch = "v1 -! v2 -x v3"
    let graph = try sketch.graph()
    var options = PlanningOptions()
    options.acceptLoss = .none
    do throws(PlanningError) {
      _ = try MigrationPlanner(graph: graph).plan(
        from: graph.nodes[0],
        to: graph.nodes[2],
        options: options
      )
      Issue.record("There is no path.")
    } catch {
      #expect(error.code == .unreachable(furthest: "v1"))
      #expect(error.recovery.contains("--accept-loss declared"), "\(error.recovery)")
    }
  }

  @Test func `versions and edges can be wanted, avoided and preferred`() throws {
    let graph: GraphSketch = """
      v1 -> v2 -> v3 -> v4
      v1 => v4
      v1 => v3
      v2 => v4 ?
      """
    func plan(_ change: (inout PlanningOptions) -> Void) throws -> String {
      var options = PlanningOptions()
      change(&options)
      return try graph.plan(options)
    }
    #expect(try plan { _ in } == "v1 v4")
    #expect(try plan { $0.via = ["v3"] } == "v1 v3 v4")
    #expect(try plan { $0.via = ["v2", "v3"] } == "v1 v2 v3 v4")
    #expect(try plan { $0.via = ["v2"] } == "v1 v2 v3 v4")
    #expect(try plan { $0.avoided = ["v2"] } == "v1 v4")
    #expect(
      try plan {
        $0.via = ["v2"]
        $0.avoided = ["v3"]
      } == "v1 v2 v4"
    )
    #expect(try plan { $0.preferredVersions = ["v3"] } == "v1 v3 v4")
    #expect(
      try plan { $0.preferredEdges = [.init(source: "v2", destination: "v3")] } == "v1 v2 v3 v4"
    )
    // Preferring is no reason to take on a condition.
    #expect(try plan { $0.preferredEdges = [.init(source: "v2", destination: "v4")] } == "v1 v4")
    #expect(try plan { $0.followsHistory = true } == "v1 v2 v3 v4")
    #expect(throws: PlanningError.self) { try plan { $0.via = ["v9"] } }
    #expect(throws: PlanningError.self) { try plan { $0.avoided = ["v4"] } }
  }

  @Test func `each path that lost says on what`() throws {
    let sketch: GraphSketch = """
      v1 -> v2 -> v3
      v1 => v3 ~
      """
    let graph = try sketch.graph()
    let planner = MigrationPlanner(graph: graph)
    let (plan, others) = try planner.planAndAlternatives(from: graph.nodes[0], to: graph.nodes[2])
    #expect(plan.hops.count == 2)
    #expect(others.map { $0.nodes.map(\.name) } == [["v1", "v3"]])
    #expect(others.first?.part == .notEquivalent)
    #expect(others.first?.findings.map(\.code) == [.inequivalentShortcut])
    #expect(others.first?.reason.contains("E.p") == true)

    let free: GraphSketch = """
      v1 -> v2 -? v3
      v1 => v3
      """
    let other = try free.graph()
    let (_, walk) = try MigrationPlanner(graph: other)
      .planAndAlternatives(from: other.nodes[0], to: other.nodes[2])
    #expect(walk.map(\.part) == [.unknownPreconditions])
    #expect(walk.first?.findings.map(\.risk) == [.conditional])
  }

  @Test(arguments: [
    (
      ["N { a: Int16? }", "N { a: Int16? } M { }", "N { a: Int16?; b: Date? }"], "M", "1 against 0"
    ),
    (["N { a: Int16? }", "N { a: Int16?; t: Date? }", "N { b: Int16? }"], "N.t", "2 against 1"),
  ]) func `a loss of what a path itself adds is told as that`(
    sketches: [String],
    lost: String,
    counts: String
  ) throws {
    let versions = try zip(["v1", "v2", "v3"], sketches).map {
      ModelVersion(modelName: "M", name: $0, model: try ModelSketch.model($1))
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let (plan, others) = try MigrationPlanner(graph: graph)
      .planAndAlternatives(from: graph.nodes[0], to: graph.nodes[2])
    #expect(plan.hops.count == 1)
    let reason = try #require(others.first?.reason)
    #expect(reason.hasPrefix("It drops more, \(counts): \(lost) is dropped"))
    #expect(reason.hasSuffix(". An earlier hop adds it: no store of v1 has any of it."))
  }

  @Test func `a step without edge is passed over only when that is accepted`() throws {
    let graph: GraphSketch = """
      v1 -> v2 -x v3 -> v4
      v1 => v4
      v2 => v4
      v1 => v3
      """
    #expect(try graph.plan() == "not allowed")
    // v1 v3 v4 and v1 v2 v4 pass over two steps each; v1 v4 passes over three.
    #expect(try graph.plan(unknown) == "v1 v2 v4")
  }

  @Test func `fewer conditions outweigh fewer hops`() throws {
    let graph: GraphSketch = """
      v1 -> v2 -> v3 -x v4 -> v5
      v2 => v4 ??
      v3 => v5 !!!
      """
    #expect(try graph.plan(unknown) == "v1 v2 v3 v5")
  }

  @Test func `no path says how far one gets and what blocks`() throws {
    let sketch: GraphSketch = "v1 -> v2 -x v3 -> v4"
    #expect(try sketch.plan(unknown) == "unreachable past v2")
    let graph = try sketch.graph()
    let error = #expect(throws: PlanningError.self) {
      try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: graph.nodes[3])
    }
    #expect(error?.blockedSteps.map(\.destination) == ["v3", "v4"])
    #expect(error?.blockingFindings == [GraphSketch.refusal, GraphSketch.refusal])
    #expect(error?.recovery.contains("from v2 to v3") == true)
  }

  @Test func `loss is accepted as far as the options go`() throws {
    var options = PlanningOptions()
    let declared: GraphSketch = "v1 -! v2"
    let undeclared: GraphSketch = "v1 -# v2"
    #expect(try declared.plan(options) == "v1 v2")
    #expect(try undeclared.plan(options) == "not allowed")
    options.acceptLoss = .none
    #expect(try declared.plan(options) == "not allowed")
    options.acceptLoss = .any
    #expect(try undeclared.plan(options) == "v1 v2")
  }

  @Test func `a loss that is not accepted does not permit an unknown shortcut`() throws {
    var options = unknown
    options.acceptLoss = .none
    let graph: GraphSketch = """
      v1 -> v2 -! v3
      v1 => v3 %
      """
    options.acceptUnknown = false
    #expect(try graph.plan(options) == "not allowed")
    options.acceptUnknown = true
    #expect(try graph.plan(options) == "v1 v3")
  }

  @Test func `the same version needs no hops, and an older one a word`() throws {
    let sketch: GraphSketch = "v1 -> v2"
    let graph = try sketch.graph()
    #expect(try sketch.plan(1, 1, in: graph, PlanningOptions()) == "v2")
    #expect(try sketch.plan(1, 0, in: graph, PlanningOptions()) == "downgrade")
    let foreign = try ("a -> b" as GraphSketch).graph()
    #expect(throws: PlanningError.self) {
      try MigrationPlanner(graph: graph).plan(from: foreign.nodes[0], to: graph.nodes[1])
    }
  }

  @Test func `a downgrade walks back where that is allowed`() throws {
    let graph = VersionGraph(
      VersionedModel(
        name: "M",
        versions: try ["A { x: Int16? }", "A { x: Int32? }", "A { x: Int64? }"].enumerated().map {
          ModelVersion(modelName: "M", name: "v\($0)", model: try ModelSketch.model($1))
        }
      )
    )
    var options = PlanningOptions()
    options.allowDowngrade = true
    let plan = try MigrationPlanner(graph: graph)
      .plan(from: graph.nodes[2], to: graph.nodes[0], options: options)
    #expect(plan.hops.map(\.destination.name) == ["v1", "v0"])
    #expect(plan.cost.unknownPreconditions == 2)
  }

  @Test func `costs compare by their dearest part`() {
    var dear = PlanCost()
    dear.unknown = 1
    var cheap = PlanCost()
    cheap.hops = 1000
    cheap.lossyFindings = .max
    #expect(cheap < dear)
    #expect((cheap + cheap).lossyFindings == .max)
    #expect((cheap + dear).hops == 1000)
  }
}
