internal import MigrationPlanning
internal import ObjectModel

/// The shipped versions from which no path leads to the newest ones.
struct StrandedVersions {
  let graph: VersionGraph
  /// The qualified names of the versions that were shipped.
  let shipped: Set<String>
  /// How much loss a path may bring.
  let options: PlanningOptions
  let names: VersionNames
  /// What the app itself would do, which reads no hop file.
  let app: AppMigration

  /// The findings, one for each set of versions that the same step keeps from getting on.
  ///
  /// - Parameter newNames: The qualified names of versions that are not locked; each must be reached,
  ///   and so must the current one.
  /// - Complexity: O(*n*) where each step between neighbours is possible, else as the planner's.
  func findings(newNames: Set<String>) -> [Finding] {
    let targets = graph.nodes.filter { node in
      node == graph.currentNode
        || node.versions.contains { newNames.contains($0.qualifiedName) }
    }
    var known: EdgeSurvey?
    return later
      + targets.flatMap { target -> [Finding] in
        let sources = graph.nodes[..<target.index].filter { node in
          // What is on another branch need not reach a version that is not the current one.
          (target == graph.currentNode || graph.order.precedes(node.index, target.index))
            && node.versions.contains { shipped.contains($0.qualifiedName) }
        }
        let lost = strandedInApp(sources, target)
        let doubtful = sources.filter { !walkIsSafe(from: $0.index, to: target.index) }
        guard !doubtful.isEmpty else { return lost }
        let survey = known ?? graph.survey()
        known = survey
        return findings(from: doubtful, to: target, survey) + lost
      }
  }

  /// Versions that only a file of Waystone's leads on from, which the app does not read.
  private func strandedInApp(_ sources: [VersionNode], _ target: VersionNode) -> [Finding] {
    var files: [String] = []
    let stranded = sources.filter { source in
      let own = graph.walkEdges(from: source.index, to: target.index).flatMap(\.origins)
        .filter { !$0.form.isCoreData }.map(\.fileName)
      guard !own.isEmpty, app.outcome(from: source, to: target).kind == .fails else {
        return false
      }
      files += own.filter { !files.contains($0) }
      return true
    }
    guard !stranded.isEmpty else { return [] }
    let to = names.name(of: target.version)
    return [
      Finding(
        .shippedVersionStranded,
        .error,
        at: Finding.Place(file: target.version.contentsPath, version: to),
        message:
          "The app cannot open stores of \(list(stranded)): Core Data infers no mapping to \(to), and does "
          + "not read \(files.joined(separator: ", ")).",
        remedy:
          "Give the app a mapping model, or accept this with a reason if it migrates by Waystone."
      )
    ]
  }

  /// The names of versions, in a few words where they are many.
  private func list(_ nodes: [VersionNode]) -> String {
    let all = nodes.map { names.name(of: $0.version) }
    return all.count > 4
      ? "\(all[0]), \(all[1]) … \(all[all.count - 1]) (\(all.count) versions)"
      : all.joined(separator: ", ")
  }

  /// Shipped versions that stand after the current one, which nothing leads back to.
  private var later: [Finding] {
    guard let current = graph.currentNode else { return [] }
    let nodes = graph.nodes[(current.index + 1)...].filter { node in
      node.versions.contains { shipped.contains($0.qualifiedName) }
    }
    guard let first = nodes.first else { return [] }
    let to = names.name(of: current.version)
    let all = nodes.map { names.name(of: $0.version) }
    return [
      Finding(
        .shippedVersionStranded,
        .error,
        at: Finding.Place(file: first.version.contentsPath, version: all[0]),
        message: "\(all.joined(separator: ", ")) \(all.count == 1 ? "is" : "are") shipped and "
          + "\(all.count == 1 ? "stands" : "stand") after the current version \(to), so that no path "
          + "leads to it.",
        remedy:
          "If \(all.count == 1 ? "it is" : "they are") older than \(to), say so by `order:` in "
          + "waystone.yml; if not, make the newest the current version."
      )
    ]
  }

  /// Whether each step between neighbours is possible and brings no more loss than is accepted; where
  /// versions branched, the planner knows better.
  private func walkIsSafe(from source: Int, to target: Int) -> Bool {
    graph.order.isLine
      && graph.walkEdges(from: source, to: target).allSatisfy { edge in
        !edge.isRefused && edge.risk < (options.acceptLoss == .none ? .lossy : .undeclared)
      }
  }

  private func findings(
    from sources: [VersionNode],
    to target: VersionNode,
    _ survey: EdgeSurvey
  ) -> [Finding] {
    let planner = MigrationPlanner(graph: graph, survey: survey)
    var groups: [(block: Block, sources: [VersionNode])] = []
    for source in sources {
      do throws(PlanningError) {
        _ = try planner.plan(from: source, to: target, options: options)
      } catch {
        let block = block(from: source, to: target, error)
        if let same = groups.firstIndex(where: { $0.block == block }) {
          groups[same].sources.append(source)
        } else {
          groups.append((block, [source]))
        }
      }
    }
    return groups.map { finding($0.block, $0.sources, target, survey) }
  }

  /// What stands in the way of some versions.
  private struct Block: Hashable {
    /// The versions of the step, where it is one step.
    var step: [String]
    /// Why it is not possible.
    var reason: String
    /// What to do about the mapping that people wrote for it; nil where there is none.
    var correction: String?
  }

  /// The first step between neighbours that is not possible, else what the planner says.
  private func block(
    from source: VersionNode,
    to target: VersionNode,
    _ error: PlanningError
  ) -> Block {
    let steps = graph.walkEdges(from: source.index, to: target.index)
    guard let edge = steps.first(where: \.isRefused) else {
      let isForbidden = options.acceptLoss == .none && error.code == .notAllowed
      return Block(
        step: [],
        reason: isForbidden
          ? "Every way loses something, which `loss: none` in waystone.yml forbids." : error.message
      )
    }
    let names = [edge.source, edge.destination].map { self.names.name(of: graph.nodes[$0].version) }
    let reasons = edge.refusals.prefix(3).map { "\($0.code.rawValue) \($0.message)" }
    return Block(
      step: names,
      reason: "The step from \(names[0]) to \(names[1]) is not possible: "
        + reasons.joined(separator: " "),
      correction: edge.origins.isEmpty
        ? nil : "Correct \(edge.origins.map(\.path).joined(separator: " and "))."
    )
  }

  private func finding(
    _ block: Block,
    _ sources: [VersionNode],
    _ target: VersionNode,
    _ survey: EdgeSurvey
  ) -> Finding {
    let to = names.name(of: target.version)
    let last = sources.last.map { names.name(of: $0.version) } ?? ""
    let step = block.step
    let needsApp = sources.contains {
      app.outcome(from: $0, to: target, survey: survey).kind == .fails
    }
    let advice =
      needsApp
      ? "Give the app a mapping model for the step: Waystone takes it too. A hop file is for stores "
        + "that Waystone migrates; the app does not read it."
      : "Write a mapping for the step"
    return Finding(
      .shippedVersionStranded,
      .error,
      at: Finding.Place(file: target.version.contentsPath, version: to),
      message: "No path leads from \(list(sources)) to \(to). \(block.reason)",
      remedy: block.correction
        ?? (step.isEmpty
          ? "Look at `waystone explain \(last.shellWord) \(to.shellWord)`."
          : needsApp
            ? advice
            : "\(advice): `waystone init --hop \(step[0].shellWord) \(step[1].shellWord)`.")
    )
  }
}
