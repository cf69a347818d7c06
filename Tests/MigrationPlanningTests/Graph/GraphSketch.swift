import MigrationPlanning
import ObjectModel

/// A graph drawn in a few lines, without any model to speak of.
///
///     v1 -> v2 -x v3 -! v4
///     v1 => v3
///     v2 => v4 !?
///
/// The first line is the chain of consecutive versions: `->` an edge, `-x` none, and any marks. The
/// others are longer edges, all others being refused. Each `!` is a lossy finding, `?` a
/// conditional one and `#` an undeclared loss; `~` makes a longer edge not equivalent and `%` unknown, as
/// those are that pass over a step without an edge.
struct GraphSketch: ExpressibleByStringLiteral {
  struct Edge {
    var marks: String
    var isRefused: Bool { marks.contains("x") }
    var isNotEquivalent: Bool { marks.contains("~") }
    var isUnknown: Bool { marks.contains("%") }
  }

  private(set) var names: [String] = []
  private(set) var edges: [[Int]: Edge] = [:]
  /// The positions that each version follows, where versions branch.
  private(set) var parents: [[Int]]?

  init(names: [String], edges: [[Int]: Edge], parents: [[Int]]? = nil) {
    self.names = names
    self.edges = edges
    self.parents = parents
  }

  init(stringLiteral text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    for (index, word) in (lines.first ?? []).enumerated() {
      if index.isMultiple(of: 2) {
        names.append(word)
      } else {
        edges[[names.count - 1, names.count]] = Edge(marks: String(word.dropFirst()))
      }
    }
    for line in lines.dropFirst() where line.count > 2 {
      guard let source = names.firstIndex(of: line[0]), let end = names.firstIndex(of: line[2])
      else { continue }
      edges[[source, end]] = Edge(marks: line.dropFirst(3).joined())
    }
  }

  /// The graph, whose nodes differ by one entity's name each.
  func graph() throws -> VersionGraph {
    let nodes = try names.enumerated().map { index, name in
      let model = try ManagedObjectModel(entities: [EntityDescription(name: "E\(index)")])
      let version = ModelVersion(modelName: "Sketch", name: name, model: model)
      return VersionGroup(index: index, versions: [version], positions: [index], last: version)
    }
    let order = parents.map { VersionOrder(parents: $0) }
    return VersionGraph(
      modelName: "Sketch",
      nodes: nodes,
      order: order,
      edges: SketchedEdges(edges: edges, parents: parents).source
    )
  }

  /// The names along the plan, or the code of the error.
  func plan(_ options: PlanningOptions = PlanningOptions()) throws -> String {
    let graph = try graph()
    return try plan(0, names.count - 1, in: graph, options)
  }

  /// The names along the plan between two positions, or the code of the error.
  func plan(
    _ source: Int,
    _ destination: Int,
    in graph: VersionGraph,
    _ options: PlanningOptions
  ) throws -> String {
    do {
      let plan = try MigrationPlanner(graph: graph)
        .plan(from: graph.nodes[source], to: graph.nodes[destination], options: options)
      return ([plan.source] + plan.hops.map(\.destination)).map(\.name).joined(separator: " ")
    } catch {
      switch error.code {
      case .unreachable(let furthest): return "unreachable past \(furthest)"
      case .notAllowed: return "not allowed"
      case .downgrade: return "downgrade"
      case .differentBranches: return "different branches"
      default: throw error
      }
    }
  }

  static let refusal = Finding(.typeConverted, .error, message: "No.", remedy: "None.")

  /// The edges of a sketch.
  private struct SketchedEdges: Sendable {
    let edges: [[Int]: Edge]
    let parents: [[Int]]?

    var source: EdgeSource { EdgeSource(edge: edge, verdict: verdict) }

    private func isStep(_ first: Int, _ last: Int) -> Bool {
      parents.map { $0[last].contains(first) } ?? (last == first + 1)
    }

    /// The first step without an edge, where no walk leads past all such.
    private func gap(_ first: Int, _ last: Int) -> (Int, Int)? {
      var reached: Set<Int> = [first]
      var gap: (Int, Int)?
      for node in first...last {
        for parent in reached.sorted() where parent < node && isStep(parent, node) {
          if edges[[parent, node]]?.isRefused ?? true {
            gap = gap ?? (parent, node)
          } else {
            reached.insert(node)
          }
        }
      }
      return reached.contains(last) ? nil : gap ?? (first, last)
    }

    func edge(from source: VersionGroup, to destination: VersionGroup) -> VersionGraph.Edge {
      let edge = edges[[source.index, destination.index]] ?? Edge(marks: "x")
      return VersionGraph.Edge(
        source: source.index,
        destination: destination.index,
        kind: .inferred,
        mapping: edge.isRefused ? nil : MappingModel(entityMappings: []),
        findings: edge.marks.compactMap(GraphSketch.finding),
        refusals: edge.isRefused ? [GraphSketch.refusal] : []
      )
    }

    func verdict(from source: VersionGroup, to destination: VersionGroup) -> EdgeVerdict? {
      let (first, last) = (source.index, destination.index)
      guard !isStep(first, last), let edge = edges[[first, last]] else { return nil }
      if let gap = gap(first, last) {
        return .unknown(.missingStep(from: gap.0, to: gap.1))
      }
      let difference = MappingDifference(kind: .lost, entityName: "E", propertyName: "p")
      if edge.isUnknown { return .unknown(.opaque(difference)) }
      return edge.isNotEquivalent ? .notEquivalent([difference]) : .equivalent
    }
  }

  private static func finding(_ mark: Character) -> Finding? {
    let risk: Risk? =
      switch mark {
      case "!": .lossy
      case "?": .conditional
      case "#": .undeclared
      default: nil
      }
    return risk.map { Finding(.attributeDropped, .note, risk: $0, message: "", remedy: "") }
  }
}
