internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

extension CoverageReport.Model {
  /// Returns the name of a version, or a question mark where there is none of that index.
  func name(of node: Int) -> String { nodes.indices.contains(node) ? nodes[node].name : "?" }

  /// Returns the names of the versions whose stores take a path.
  func names(of path: CoverageReport.Path) -> [String] {
    path.versions.isEmpty ? [name(of: path.source)] : path.versions
  }

  /// Returns the file of the first version in a group.
  func file(of node: Int) -> String? {
    nodes.indices.contains(node) ? nodes[node].files.first : nil
  }

  /// Returns the ends of a path, and its store where it is one's.
  func title(of path: CoverageReport.Path) -> String {
    let ends = "\(name(of: path.source)) → \(name(of: path.destination))"
    return path.store.map { "\(ends) (\($0))" } ?? ends
  }

  /// Returns the stops of a path in words; long ones with a gap in the middle.
  func stops(_ nodes: [Int], most: Int = 9) -> String {
    let names = nodes.map(name(of:))
    guard names.count > most else { return names.joined(separator: " → ") }
    return (names.prefix(most - 3) + ["… \(names.count - most + 1) more …"] + names.suffix(2))
      .joined(separator: " → ")
  }

  /// Returns the edge between two versions, if the report has it.
  func edge(from source: Int, to destination: Int) -> CoverageReport.Edge? {
    edges.first { $0.source == source && $0.destination == destination }
  }
}

extension CoverageReport.Edge {
  /// The risk by which the edge is drawn.
  ///
  /// The effects of a not equivalent edge may be harmless; the effects that it leaves out count.
  var drawnRisk: Risk {
    if case .notEquivalent = summary.verdict { .undeclared } else { summary.risks.worst }
  }
}

extension CoverageReport.Path {
  /// The number of hops, where there is a path.
  var hops: Int? { nodes.map { max(0, $0.count - 1) } }

  /// The things that the path lacks, in a few words each.
  var needs: [String] {
    var seen: Set<String> = []
    let lacking = missing.compactMap { finding -> String? in
      switch finding.code {
      case .unresolvedPolicy: "needs code"
      case .unprovenName: "needs names"
      case .trialFailed: "trial failed"
      default: "refused"
      }
    }.filter { seen.insert($0).inserted }
    return isGuess ? lacking + ["with guessed names"] : lacking
  }
}

extension CoverageReport.Trial {
  /// Returns a sentence on the trial's result.
  ///
  /// - Parameter path: The path that the trial took.
  func sentence(of path: CoverageReport.Path) -> String {
    let count = Quantity.count(rows, "row")
    guard wasRun else {
      return "\(path.store ?? "A made store") was not migrated: \(failure ?? "it was not tried.")"
    }
    let store =
      path.store.map { "\($0) (\(count)) was migrated" }
      ?? "A store of \(count) was made and migrated"
    if let failure { return "\(store), which failed: \(failure)" }
    if isVerified {
      let unmet = unmetConditions
      return "\(store), and the result verified."
        + (unmet.isEmpty
          ? ""
          : " No row broke the condition of \(unmet.joined(separator: ", ")): that is not proven.")
    }
    return rows == 0 ? "\(store): no step was tried." : "\(store); it was not verified."
  }
}

extension AppRuntime {
  /// A sentence on the mechanism by which the app opens stores.
  var sentence: String {
    switch self {
    case .direct: "The app opens a store straight with the current version."
    case .progressive: "The app migrates a store from each version to the next."
    case .staged: "The app migrates by the stages of an NSStagedMigrationManager."
    case .swiftData: "SwiftData opens a store straight with the current schema."
    case .swiftDataPlan: "SwiftData migrates by the stages of the app's migration plan."
    }
  }
}

extension CoverageReport {
  /// A headline with the share of the versions that arrive in the app itself.
  var headline: String {
    let totals = totals
    let stores = models.flatMap(\.paths).filter { $0.store != nil }
    let count = totals.paths + stores.count
    let kinds = AppOutcome.Kind.allCases.filter(\.isArrival)
    let arriving =
      kinds.reduce(0) { $0 + (totals.outcomes[$1] ?? 0) }
      + stores.count { kinds.contains($0.app.kind) }
    let reached = totals.reachable + stores.count(where: \.isReachable)
    guard count > 0 else { return "There is no version to look at." }
    let all = Quantity.grouped(count)
    return "Arriving with the app: \(Quantity.grouped(arriving)) of \(all)."
      + " With a path in Waystone: \(Quantity.grouped(reached)) of \(all)."
  }
}
