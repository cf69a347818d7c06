package import MigrationPlanning
package import ObjectModel
import StoreMigration

/// The coverage of one model, collected path by path.
package struct ModelCoverage: Sendable {
  /// The versions and the edges between them.
  package let graph: VersionGraph
  /// The version that stores are brought to.
  package let destination: VersionGroup
  /// The version of the destination that is wanted.
  let wanted: ModelVersion
  /// The versions that hash as the wanted one does, and have other columns.
  let others: [ModelVersion]
  /// The plan of each path, in their order; nil where there is none.
  package private(set) var plans: [MigrationPlan?] = []
  /// The many-to-many names of each path's result that neither a model nor its store settles, nor a sample.
  package private(set) var unprovenNames: [[Finding]] = []
  /// The columns of each table of a store that Core Data made at the last version, where one is
  /// given.
  private let sample: [String: [String]]?

  /// The simulation of the app itself.
  let app: AppMigration
  private let causes: StepCauses
  private let survey: EdgeCache
  /// The survey of the graph that the app is held against.
  private let appSurvey: EdgeCache
  private let planner: MigrationPlanner
  private let planning: PlanningOptions
  private let options: CoverageOptions
  private var model: CoverageReport.Model
  private var hops = HopCache()
  /// The findings for which Waystone refuses stores of a version, by its index.
  private var obstacles: [Int: [Finding]] = [:]
  /// The findings on the hops of the paths, by the indexes of the versions that they join.
  private var known: [NodePair: [Finding]] = [:]

  /// A model's coverage, without any path yet.
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - wanted: The version of the destination that is wanted.
  ///   - versions: All versions of the model, oldest first; the graph may lack those that hash as the
  ///     wanted one does, and have other columns.
  ///   - shipped: The indexes of the shipped versions.
  ///   - label: Returns the name of a version in reports.
  ///   - sample: The columns of each table of a store that Core Data made at the last version.
  /// - Complexity: O(*n* · *e*) in versions and entities.
  package init(
    name: String,
    app: AppMigration,
    graph: VersionGraph,
    to destination: VersionGroup,
    as wanted: ModelVersion,
    among versions: [ModelVersion],
    shipped: Set<Int>,
    planning: PlanningOptions,
    options: CoverageOptions,
    label: (ModelVersion) -> String,
    sample: [String: [String]]? = nil
  ) {
    self.sample = sample
    self.graph = graph
    self.app = app
    causes = StepCauses(graph.consecutiveEdges)
    self.destination = destination
    self.wanted = wanted
    let known = Set(graph.nodes.flatMap(\.versions).map(\.qualifiedName))
    others = versions.filter { !known.contains($0.qualifiedName) }
    self.planning = planning
    self.options = options
    hasUnsettledNames = UnprovenNames.mayHave(destination.model)
    survey = graph.survey()
    appSurvey = app.graph.authored == graph.authored ? survey : app.graph.survey()
    planner = MigrationPlanner(graph: graph, survey: survey)
    model = CoverageReport.Model(name: name)
    let others = others
    model.nodes = graph.nodes.map { node in
      let versions = node.byPlace + (node == destination ? others : [])
      return CoverageReport.Node(
        names: versions.map(label),
        files: versions.map(\.path),
        isCurrent: node == destination,
        isShipped: shipped.contains(node.index)
      )
    }
    model.order = versions.map(label)
  }

  /// The model's name.
  package var name: String { model.name }

  /// Whether staged migrations define how the app migrates the model.
  package var hasStages: Bool { app.hasStages }

  /// Whether the model of the last version leaves open what some many-to-many tables are called.
  private let hasUnsettledNames: Bool

  /// The paths so far.
  package var paths: [CoverageReport.Path] { model.paths }

  /// Returns whether any version of a group was shipped.
  package func isShipped(_ node: VersionGroup) -> Bool { model.nodes[node.index].isShipped }

  /// Returns whether stores are brought to a version of another graph.
  func leads(to group: VersionGroup) -> Bool {
    destination.version.modelName == group.version.modelName && destination.hashes == group.hashes
  }

  /// Returns the authored edges between the given versions.
  package func authoredEdges(among nodes: Set<Int>) -> [EdgeSummary] {
    forwardPairs.filter { nodes.contains($0.source) && nodes.contains($0.destination) }
      .compactMap { survey.entry(from: $0.source, to: $0.destination) }
  }

  /// The pairs of versions that authored edges join, from older to newer ones.
  private var forwardPairs: [NodePair] {
    graph.authoredPairs.filter { graph.order.precedes($0.source, $0.destination) }
  }

  /// Returns the steps of the history between two versions that have a finding, either on the step itself or
  /// on the step as Core Data would infer it.
  ///
  /// - Complexity: O(*n* · *f*) in the steps and their findings, the first time.
  func steps(
    reporting cause: Finding,
    from source: Int,
    to destination: Int
  ) -> [VersionGraph.Edge] {
    let places = causes.places(of: cause) { step in
      let own = app.inferred(step)
      return step.findings + step.refusals + own.findings + own.refusals
    }
    return places.map { graph.consecutiveEdges[$0] }.filter { step in
      graph.order.isBetween(step.source, source, destination)
        && graph.order.isBetween(step.destination, source, destination)
    }
  }

  /// Adds the path of a version, or of a store that is of it.
  ///
  /// - Parameters:
  ///   - versions: The shipped versions of the group, with their names.
  ///   - store: The store, with its size in bytes, its columns and the evidence of its rows.
  ///   - refusals: The findings for which a run of the store's plan does not begin.
  package mutating func add(
    _ source: VersionGroup,
    versions: [(name: String, version: ModelVersion)] = [],
    store: (
      path: String, bytes: Int64, columns: [String: [String]]?, evidence: StoreEvidence?
    )? = nil,
    refusals: (MigrationPlan) -> [Finding] = { _ in [] }
  ) {
    var path = CoverageReport.Path(
      source: source.index,
      destination: destination.index,
      app: app.outcome(from: source, to: destination, survey: appSurvey)
    )
    if let evidence = store?.evidence {
      path.app = app.outcome(path.app, from: source, to: destination, decidedBy: evidence)
    }
    path.store = store?.path
    path.versions = versions.map(\.name)
    // A store without rows has edges of its own.
    let own = store?.evidence.flatMap { $0.graph.isOfEmptyStore ? $0.graph : nil }
    let planner = own.map { MigrationPlanner(graph: $0) } ?? planner
    do throws(PlanningError) {
      let plan = try planner.plan(
        from: source,
        to: destination,
        options: planning,
        evidence: store?.evidence
      )
      path.nodes = [plan.source.index] + plan.hops.map(\.destination.index)
      // The findings of one hop are shared with it.
      path.findings =
        plan.hops.count == 1 ? plan.hops[0].findings : plan.hops.flatMap(\.findings)
      if store == nil, options.describesEdges {
        path.hopFindingCount = path.findings.count
        for hop in plan.hops {
          let ends = NodePair(source: hop.source.index, destination: hop.destination.index)
          known[ends] = hop.findings
        }
      }
      path.worst = path.findings.compactMap(\.risk).max() ?? .exact
      path.bytesPerHundredMegabytes = bytesWritten(by: plan, for: store?.bytes)
      let refused = refusals(plan)
      path.refusals = refused
      let more = refused.filter { !path.findings.contains($0) } + obstacles(along: plan)
      // Adding none would copy those of the hop.
      if !more.isEmpty { path.findings += more }
      if let first = refused.first(where: { $0.code.has(.unsoundStore) }) {
        path.app = path.app.ofUnsoundStore(because: first)
      }
      plans.append(plan)
      unprovenNames.append(unprovenNames(of: plan, store: store?.columns))
    } catch {
      path.findings = [
        Finding(
          .shippedWithoutPath,
          .error,
          at: Finding.Place(version: source.name),
          message: "Waystone: \(error.statement)",
          // Coverage goes to no earlier version.
          advice: error.code == .downgrade
            ? path.app.findings.first?.advice ?? error.advice : error.advice
        )
      ]
      path.findings += error.blockingFindings
      plans.append(nil)
      unprovenNames.append([])
    }
    takeTransformers(into: &path, of: store == nil ? versions.map(\.version) : source.versions)
    model.paths.append(path)
  }

  /// Adds findings on values that the app reads otherwise than a version of the same hashes as its own wrote
  /// them.
  private func takeTransformers(
    into path: inout CoverageReport.Path,
    of versions: [ModelVersion]
  ) {
    func findings(after node: Int?) -> [Finding] {
      guard let node, node != destination.index else {
        return destination.otherReadings(of: versions, in: wanted)
      }
      let arrival = destination.arrivalVersion(from: graph.nodes[node])
      let source = graph.nodes[path.source].model
      return destination.otherReadings(of: [arrival], in: wanted, unlike: source)
    }
    if let nodes = path.nodes {
      let more = findings(after: nodes.dropLast().last)
      if !more.isEmpty { path.findings += more }
      // No step brings a store the columns that are wanted.
      if nodes.count == 1, path.store == nil {
        path.refusals = more.filter { $0.code == .derivedColumnDiffers }
      }
      path.worst = path.findings.compactMap(\.risk).max() ?? .exact
    }
    if path.app.kind.isArrival, !app.isStraight || path.source == path.destination {
      let more = findings(after: path.app.nodes.dropLast().last)
      if !more.isEmpty { path.app.findings += more }
      // With any rows, the column is not the one that the app reads.
      let reasons = more + path.refusals
      if let reason = reasons.first(where: { $0.code == .derivedColumnDiffers }) {
        path.app.kind = reason.effectInApp ?? .unknown
        path.app.summary =
          "The app opens the store as it is, and reads a column that is not its own."
      }
    }
  }

  /// Returns the findings for which Waystone refuses stores of the versions of a plan.
  private mutating func obstacles(along plan: MigrationPlan) -> [Finding] {
    guard !plan.hops.isEmpty else { return [] }
    return ([plan.source] + plan.hops.map(\.destination)).flatMap { node in
      if let known = obstacles[node.index] { return known }
      let found = node.version.obstacles(.error)
        .map { $0.placed(in: model.nodes[node.index].names[0]) }
      obstacles[node.index] = found
      return found
    }
  }

  /// Returns the findings on names of a plan's result that nothing settles.
  private func unprovenNames(of plan: MigrationPlan, store: [String: [String]]?) -> [Finding] {
    guard !plan.hops.isEmpty, hasUnsettledNames else { return [] }
    return NameSettlement(plan: plan, store: store, sample: sample).findings
  }

  /// Returns the bytes that a plan writes for each 100 MB of the store, where its size is known, else of a
  /// store in which every entity has as many rows.
  private mutating func bytesWritten(by plan: MigrationPlan, for bytes: Int64?) -> Int? {
    let sizes = plan.hops.compactMap(\.size)
    if let bytes, bytes > 0, sizes.count == plan.hops.count {
      return Int(clamping: ReferenceStore.scaled(sizes, storeOf: bytes))
    }
    return ReferenceStore(model: plan.source.model).bytesWritten(by: plan, among: &hops)
      .map { Int(clamping: $0) }
  }

  /// Returns the model's part of the report, with the edges that matter to a reader.
  ///
  /// - Throws: `PlanningError` where the options fit no path at all.
  /// - Complexity: O(*k* · *p*) in these edges and the properties of one version; with all edges, that of
  ///   ``MigrationPlanner/paths(options:)``.
  package func result() throws -> CoverageReport.Model {
    var result = model
    if options.allEdges {
      result.routes = try planner.paths(options: planning).paths.map(\.nodes)
      result.counts = CoverageReport.EdgeCounts(survey.entries.map(\.verdict))
    }
    var pairs: Set<[Int]> = []
    for edge in graph.consecutiveEdges { pairs.insert([edge.source, edge.destination]) }
    for pair in forwardPairs { pairs.insert([pair.source, pair.destination]) }
    for path in model.paths {
      var taken = [path.nodes ?? []]
      if options.allEdges || !options.describesEdges {
        taken.append(path.app.nodes)
        // Readers look for the edge that the app cannot take.
        if path.app.kind == .fails, let last = path.app.nodes.last, last < path.destination {
          taken.append([last, path.destination])
        }
      }
      for nodes in taken {
        for (first, last) in zip(nodes, nodes.dropFirst()) { pairs.insert([first, last]) }
      }
    }
    result.edges = pairs.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { pair in
      survey.entry(from: pair[0], to: pair[1]).map(edge)
    }
    return result
  }

  private func edge(_ entry: EdgeSummary) -> CoverageReport.Edge {
    let (source, destination) = (graph.nodes[entry.source], graph.nodes[entry.destination])
    var edge = CoverageReport.Edge(entry)
    guard options.describesEdges else { return edge }
    if let known = known[NodePair(source: entry.source, destination: entry.destination)] {
      edge.findings = known
    } else {
      let made = graph.edge(from: source, to: destination)
      edge.findings =
        graph.findings(of: entry.verdict, on: made) + made.findings + made.refusals
    }
    if !entry.isConsecutive, !options.allEdges {
      // Notes on an edge over several versions are reported at the steps between.
      edge.findings = edge.findings.filter {
        $0.severity > .note || ($0.risk ?? .exact) >= .conditional
      }
      return edge
    }
    edge.changes = ModelDifference(from: source.model, to: destination.model).changes
      .filter { !$0.isConsequence }
      .map { CoverageReport.Change($0.entityName, $0.action, $0.sentence) }
    return edge
  }
}
