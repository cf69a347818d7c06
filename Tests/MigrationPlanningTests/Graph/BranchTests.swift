import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

/// Histories whose versions part and meet.
@Suite struct BranchTests {
  /// A model with versions by name, in their order, and what each follows.
  private func model(
    _ versions: [(name: String, sketch: String, parents: [String])]
  ) throws -> VersionedModel {
    var model = VersionedModel(name: "M", versions: [])
    model.versions = try versions.map {
      ModelVersion(modelName: "M", name: $0.name, model: try ModelSketch.model($0.sketch))
    }
    let parents = Dictionary(uniqueKeysWithValues: versions.map { ($0.name, $0.parents) })
    return try #require(model.ordered(byParents: parents))
  }

  /// Two branches that do different things to different properties.
  private func agreeing() throws -> VersionGraph {
    VersionGraph(
      try model([
        ("v1", "Note { title: String? }", []),
        ("v2a", "Note { title: String?; a: Int16? }", ["v1"]),
        ("v2b", "Note { heading: String? was title }", ["v1"]),
        ("v3", "Note { heading: String? was title; a: Int16? }", ["v2a", "v2b"]),
        ("v4", "Note { heading: String? was title; a: Int16?; z: Date? }", ["v3"]),
      ])
    )
  }

  /// One branch renames the title, the other drops it.
  private func disagreeing() throws -> VersionGraph {
    VersionGraph(
      try model([
        ("v1", "Note { title: String?; b: Int16? }", []),
        ("v2a", "Note { heading: String? was title; b: Int16? }", ["v1"]),
        ("v2b", "Note { b: Int32? }", ["v1"]),
        ("v3", "Note { heading: String? was title; b: Int32? }", ["v2a", "v2b"]),
        ("v4", "Note { heading: String? was title; b: Int32?; z: Date? }", ["v3"]),
      ])
    )
  }

  /// The versions along a plan, or the code of the error.
  private func plan(
    _ source: String,
    _ destination: String,
    in graph: VersionGraph,
    _ configure: (inout PlanningOptions) -> Void = { _ in }
  ) throws -> String {
    var options = PlanningOptions()
    configure(&options)
    let first = try #require(graph.node(named: source))
    let last = try #require(graph.node(named: destination))
    do throws(PlanningError) {
      let plan = try MigrationPlanner(graph: graph).plan(from: first, to: last, options: options)
      return ([plan.source] + plan.hops.map(\.destination)).map(\.name).joined(separator: " ")
    } catch {
      return String("\(error.code)".prefix { $0 != "(" })
    }
  }

  @Test func `branches that agree are passed over by what does the same`() throws {
    let graph = try agreeing()
    #expect(graph.checkInvariants() == nil)
    #expect(graph.findings.isEmpty)
    #expect(
      graph.consecutiveEdges.map { [$0.source, $0.destination] } == [
        [0, 1], [0, 2], [1, 3], [2, 3], [3, 4],
      ]
    )
    let straight = graph.edge(from: graph.nodes[0], to: graph.nodes[4])
    #expect(graph.verdict(on: straight) == .equivalent)
    #expect(!straight.isConsecutive)
    #expect(try plan("v1", "v4", in: graph) == "v1 v4")
    #expect(try plan("v1", "v4", in: graph) { $0.followsHistory = true } == "v1 v2a v3 v4")
    #expect(try plan("v2b", "v4", in: graph) == "v2b v4")
    #expect(
      try plan("v4", "v1", in: graph) {
        $0.allowDowngrade = true
        $0.followsHistory = true
        $0.acceptLoss = .any
      } == "v4 v3 v2b v1"
    )
  }

  @Test func `versions of different branches have no edge and no plan`() throws {
    let graph = try agreeing()
    #expect(try plan("v2a", "v2b", in: graph) == "differentBranches")
    #expect(try plan("v2b", "v2a", in: graph) { $0.allowDowngrade = true } == "differentBranches")
    let edge = graph.edge(from: graph.nodes[1], to: graph.nodes[2])
    #expect(edge.refusals.map(\.code) == [.differentBranches])
    #expect(edge.refusals[0].message.contains("both follow from v1"))
    #expect(edge.refusals[0].remedy.contains("v3"))
    #expect(graph.survey().entry(from: 1, to: 2) == nil)
    #expect(Array(graph.edges).allSatisfy { [$0.source, $0.destination] != [1, 2] })
  }

  @Test func `branches that disagree are named, and passed over only where one is chosen`() throws {
    let graph = try disagreeing()
    let findings = graph.findings.filter { $0.code == .branchesDisagree }
    #expect(findings.map(\.place.version) == ["v3"])
    #expect(findings.first?.place.entity == "Note" && findings.first?.place.property == "heading")
    for end in ["v3", "v4"] {
      #expect(try plan("v1", end, in: graph) == "branchesDisagree")
      #expect(try plan("v1", end, in: graph) { $0.acceptUnknown = true } == "branchesDisagree")
    }
    let straight = graph.edge(from: graph.nodes[0], to: graph.nodes[4])
    guard case .unknown(.branchesDisagree(let conflict))? = graph.verdict(on: straight) else {
      Issue.record("The edge over the meeting has another verdict.")
      return
    }
    #expect([conflict.node, conflict.first, conflict.second] == [3, 1, 2])
    #expect(conflict.difference.propertyName == "heading")

    #expect(try plan("v1", "v4", in: graph) { $0.via = ["v2a"] } == "v1 v2a v4")
    #expect(try plan("v1", "v4", in: graph) { $0.via = ["v2b"] } == "v1 v2b v4")
    // By the walk over v2a alone the step straight means the same.
    #expect(try plan("v1", "v4", in: graph) { $0.avoided = ["v2b"] } == "v1 v4")
    #expect(try plan("v1", "v4", in: graph) { $0.preferredVersions = ["v2a"] } == "v1 v2a v4")
    // By the walk over v2b the step straight brings the title back.
    #expect(try plan("v1", "v4", in: graph) { $0.avoided = ["v2a"] } == "v1 v2b v4")
  }

  @Test func `behind the parting nothing disagrees`() throws {
    let graph = try disagreeing()
    #expect(try plan("v2a", "v4", in: graph) == "v2a v4")
    #expect(try plan("v2b", "v4", in: graph) == "v2b v4")
    #expect(try plan("v3", "v4", in: graph) == "v3 v4")
    let table = try MigrationPlanner(graph: graph, survey: graph.survey()).paths()
    let ends = Set(table.paths.map { [$0.nodes.first ?? -1, $0.nodes.last ?? -1] })
    #expect(!ends.contains([0, 3]) && !ends.contains([0, 4]) && ends.contains([1, 4]))
  }

  @Test func `a missing step on one branch leaves the other`() throws {
    let graph = VersionGraph(
      try model([
        ("v1", "Note { title: String?; year: String? }", []),
        ("v2a", "Note { title: String?; year: String?; a: Int16? }", ["v1"]),
        ("v2b", "Note { title: String?; year: Int16? }", ["v1"]),
        ("v3", "Note { title: String?; year: String?; a: Int16? }", ["v2a", "v2b"]),
      ])
    )
    #expect(graph.findings.map(\.code).filter { $0 == .branchesDisagree }.isEmpty)
    // v3 hashes like v2a, so that it is one node, which two others lead to.
    #expect(graph.nodes.map(\.name) == ["v1", "v2b", "v3"])
    #expect(graph.order.parents == [[], [0], [0, 1]])
    #expect(try plan("v1", "v3", in: graph) == "v1 v3")
    #expect(try plan("v2b", "v3", in: graph) == "unreachable")
  }

  @Test func `a version to which a branch goes back is left only once`() throws {
    let graph = VersionGraph(
      try model([
        ("v1", "Note { a: Int16? }", []), ("v2", "Note { b: Int16? }", ["v1"]),
        ("v3", "Note { c: Int16? }", ["v2"]), ("v4", "Note { b: Int16? }", ["v3"]),
        ("v5", "Note { d: Int16? }", ["v4"]), ("x", "Note { e: Int16? }", ["v1"]),
      ])
    )
    #expect(graph.checkInvariants() == nil)
    #expect(graph.nodes.map(\.label) == ["v1", "v3", "v4 (= v2)", "v5", "x"])
    #expect(graph.order.parents == [[], [0], [1], [2], [0]])
  }

  @Test func `a recovered version begins a branch of its own`() throws {
    let model = try model([
      ("v1", "Note { title: String? }", []), ("v2a", "Note { title: String?; a: Int16? }", ["v1"]),
      ("v2b", "Note { title: String?; b: Int16? }", ["v1"]),
      ("v3", "Note { title: String?; a: Int16?; b: Int16? }", ["v2a", "v2b"]),
    ])
    let store = try ModelSketch.model("Note { title: String?; b: Int16?; mine: Int16? }")
    let graph = try #require(
      VersionGraph(model, recovering: store, towards: model.versions[3])
    )
    #expect(graph.checkInvariants() == nil)
    let source = try #require(graph.recoveredNode)
    let last = try #require(graph.node(named: "v3"))
    let plan = try MigrationPlanner(graph: graph).plan(
      from: source,
      to: last,
      options: {
        var options = PlanningOptions()
        options.acceptLoss = .any
        return options
      }()
    )
    #expect(plan.hops.last?.destination == last)
    #expect(graph.order.parents[source.index].isEmpty)
  }

  @Test func `a version is held against those that it follows`() throws {
    let model = try model([
      ("v1", "Note { a: Int16? = 1 }", []), ("v2a", "Note { a: Int16? = 1; b: Int16? }", ["v1"]),
      ("v2b", "Note { a: Int16? = 2 }", ["v1"]),
      ("v3", "Note { a: Int16? = 2; b: Int16? }", ["v2a", "v2b"]),
    ])
    let findings = ModelLint.findings(in: model).filter { $0.code == .defaultChanged }
    #expect(findings.map(\.place.version) == ["v2b", "v3"])
  }

  @Test func `a circle has no order`() throws {
    let versions = try ["a", "b"].map {
      ModelVersion(modelName: "M", name: $0, model: try ModelSketch.model("Note { }"))
    }
    let model = VersionedModel(name: "M", versions: versions)
    #expect(model.ordered(byParents: ["a": ["b"], "b": ["a"]]) == nil)
    #expect(model.ordered(byParents: ["a": ["b"]])?.versions.map(\.name) == ["b", "a"])
  }
}
