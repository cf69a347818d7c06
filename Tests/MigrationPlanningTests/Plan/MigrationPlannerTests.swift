import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct MigrationPlannerTests {
  private var undecided: PlanningOptions {
    var options = PlanningOptions()
    options.acceptUndecided = true
    return options
  }

  @Test func `consecutive versions are walked although a longer edge is cheaper`() throws {
    let graph: GraphSketch = """
      v1 -! v2 -? v3 -> v4
      v1 => v4
      """
    #expect(try graph.plan() == "v1 v2 v3 v4")
    #expect(try graph.plan(undecided) == "v1 v2 v3 v4")
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
    #expect(try graph.plan(undecided) == "v1 v2 v4")
  }

  @Test func `fewer conditions outweigh fewer hops`() throws {
    let graph: GraphSketch = """
      v1 -> v2 -> v3 -x v4 -> v5
      v2 => v4 ??
      v3 => v5 !!!
      """
    #expect(try graph.plan(undecided) == "v1 v2 v3 v5")
  }

  @Test func `no path says how far one gets and what blocks`() throws {
    let sketch: GraphSketch = "v1 -> v2 -x v3 -> v4"
    #expect(try sketch.plan(undecided) == "unreachable past v2")
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

  @Test func `a loss that is not accepted does not permit a shortcut`() throws {
    var options = undecided
    options.acceptLoss = .none
    let graph: GraphSketch = """
      v1 -> v2 -! v3
      v1 => v3
      """
    #expect(try graph.plan(options) == "not allowed")
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
    dear.undecided = 1
    var cheap = PlanCost()
    cheap.hops = 1000
    cheap.lossyFindings = .max
    #expect(cheap < dear)
    #expect((cheap + cheap).lossyFindings == .max)
    #expect((cheap + dear).hops == 1000)
  }
}
