package import ObjectModel

/// The evidence of one store's rows about the edges of a graph, each edge asked at most once.
///
/// A search asks only about the edges that it would take. Until it is asked, an edge counts as if the
/// rows proved all conditions. A path that is still the least when all its edges were asked is therefore
/// the least of all.
package final class StoreEvidence {
  /// The answers on an edge.
  private struct Knowledge {
    /// The findings, decided as far as the data decides them.
    var findings: [Finding]
    /// The findings, counted.
    var risks: RiskCounts
    /// The size of the edge; nil where it was not requested, or is not known.
    var size: HopSize?
    /// Whether the size was requested.
    var isSized = false
  }

  /// The versions on whose edges the store is asked.
  package let graph: VersionGraph
  let source: VersionGroup
  let checker: any PreconditionOracle
  private var known: [NodePair: Knowledge] = [:]
  private let survey: EdgeCache?
  /// The possible losses, which are the same for all stores of the version.
  private lazy var possible =
    survey?.possibleLosses(from: source.index) ?? PossibleLosses(graph, from: source.index)
  /// The least losses of edges.
  private lazy var losses = InevitableLosses(possible) { [checker] in checker.answer(to: $0) }

  /// Evidence of a store.
  ///
  /// - Parameters:
  ///   - source: The version group of the store's version.
  ///   - checker: The answers of the store's rows.
  ///   - survey: The graph's edges, for callers that read many stores.
  package init(
    graph: VersionGraph,
    source: VersionGroup,
    checker: any PreconditionOracle,
    survey: EdgeCache? = nil
  ) {
    self.graph = graph
    self.survey = survey
    self.source = source
    self.checker = checker
  }

  // MARK: For a search

  /// Changes an edge's summary by the store's answers; where an answer is not known, the edge counts at
  /// its best.
  func refine(_ entry: inout EdgeSummary) {
    guard !entry.isRefused else { return }
    if let knowledge = known[NodePair(source: entry.source, destination: entry.destination)] {
      entry.risks = knowledge.risks
      entry.estimatedBytes = Int(clamping: knowledge.size?.bytes ?? 0)
    } else {
      entry.risks = entry.risks.atBest
    }
  }

  /// Returns the fewest findings by which an inferred edge of a line costs the store's contents
  /// something.
  package func leastRisks(from source: Int, to destination: Int) -> EdgeLowerBound.Risks {
    losses.risks(from: source, to: destination)
  }

  /// Asks the rows about the edges of a path that were not asked before.
  ///
  /// The bytes that the edges write are asked only where the rows are known: they decide only between
  /// paths of equal cost.
  /// - Returns: Whether a cost changed.
  func learn(_ steps: [(source: VersionGroup, destination: VersionGroup)]) -> Bool {
    var hasLearned = false
    for (source, destination) in steps {
      let pair = NodePair(source: source.index, destination: destination.index)
      guard known[pair] == nil else { continue }
      let edge = graph.edge(from: source, to: destination)
      let findings = findings(of: edge, after: mapping(to: source))
      known[pair] = Knowledge(findings: findings, risks: RiskCounts(of: findings))
      hasLearned = true
    }
    if hasLearned { return true }
    for (source, destination) in steps {
      let pair = NodePair(source: source.index, destination: destination.index)
      guard known[pair]?.isSized == false else { continue }
      let size = size(of: graph.edge(from: source, to: destination), after: mapping(to: source))
      known[pair]?.size = size
      known[pair]?.isSized = true
      hasLearned = hasLearned || size != nil
    }
    return hasLearned
  }

  /// Returns the mapping of the store's objects up to a version: by the history, else by the edge that
  /// leads straight there; nil where it is not known.
  private func mapping(to node: VersionGroup) -> ComposedMapping? {
    possible.mapping(to: node.index)
      ?? graph.composedMapping(of: graph.edge(from: source, to: node))
  }

  /// Returns the findings of an edge, as far as the data was asked.
  func knownFindings(of edge: VersionGraph.Edge) -> [Finding] {
    known[NodePair(source: edge.source, destination: edge.destination)]?.findings ?? edge.findings
  }

  /// Returns the forecast of each hop of a plan for the store's contents; nil where it is not known.
  ///
  /// - Complexity: Counts the store's rows and links.
  package func accounts(of plan: MigrationPlan) -> [HopForecast]? {
    checker.counts().map { HopForecast.accounts(of: plan, $0) }
  }

  // MARK: Of one edge

  /// Returns the findings of an edge with the evidence of the rows, for every path that takes it.
  package func findings(of edge: VersionGraph.Edge) -> [Finding] {
    findings(of: edge, after: mapping(to: graph.nodes[edge.source]))
  }

  /// Returns the findings of an edge, with evidence where the rows decide them.
  ///
  /// - Parameter mapping: The mapping of the store's objects up to the edge; nil where it is not known.
  func findings(of edge: VersionGraph.Edge, after mapping: ComposedMapping?) -> [Finding] {
    guard edge.findings.contains(where: { $0.risk.map { $0 >= .conditional } == true }),
      let resolved = graph.resolved(edge)
    else { return edge.findings }
    let deduction = PreconditionAnalysis(resolved)
    // A dropped item is checked by its own finding alone.
    let isAskedOfAll = edge.findings.contains { finding in
      !finding.code.has(.drop) && finding.risk.map { $0 >= .conditional } == true
    }
    let isMapped =
      edge.kind == .authored && !resolved.isInferred && resolved.mapping.actionsBefore.isEmpty
    var all = isAskedOfAll ? deduction.preconditions() : []
    if isAskedOfAll, isMapped {
      all += deduction.validationPreconditions().filter { !all.contains($0) }
    }
    return edge.findings.map { finding in
      let own = deduction.preconditions(
        of: finding,
        among: all,
        isAuthored: edge.kind == .authored
      )
      guard let first = own.first else { return finding }
      return finding.decided(
        by: Finding.Evidence(own.map { ($0.kind, answer(to: $0, after: mapping)) }),
        isRequired: first.isRequired || isMapped && first.code == .countsTightened,
        canBeAccepted: first.canBeAccepted
      )
    }
  }

  /// Returns refusals by damaged rows, which no finding of a step covers because no app writes such
  /// rows.
  ///
  /// These are values that are not of the type that a hop reads, values with which an expression cannot
  /// be computed, two sides of a one-to-one that disagree where a hop keeps one of them, or makes
  /// one link of both, and rows that break another condition of the run.
  package func damage(along plan: MigrationPlan) -> [Finding] {
    plan.hops.flatMap { hop -> [Finding] in
      let deduction = PreconditionAnalysis(hop.resolved)
      let validated =
        hop.isMapped && hop.mapping.actionsBefore.isEmpty && hop.mapping.actionsAfter.isEmpty
        && hop.mapping.policyNames.isEmpty
      let makesObjects = checker.makesObjects(hop)
      let agreed = makesObjects ? deduction.agreement() : []
      let asked = deduction.preconditions() + agreed
      let bounds = validated ? deduction.validationPreconditions() : []
      let all = asked + bounds.filter { !asked.contains($0) }
      var open: Set<String> = []
      return all.compactMap { precondition in
        let isReported = hop.findings.contains { $0.isAnswer(to: precondition) }
        let (code, words): (FindingCode, String)
        switch precondition.code {
        case .unreadableValue:
          (code, words) = (.unreadableValue, "reads \(precondition.place)")
        case _ where bounds.contains(precondition):
          guard !isReported else { return nil }
          (code, words) = (
            precondition.code,
            "holds each object against its model: validation refuses "
              + precondition.place
          )
        case .expressionFails, .expressionDoesNotFit:
          (code, words) = (precondition.code, precondition.computation)
        case .inverseDisagrees:
          let kept = agreed.contains(precondition) ? "connects both sides" : "keeps one side"
          (code, words) = (
            .inverseDisagrees, "\(kept) of \(precondition.place), and the two disagree"
          )
        case _ where precondition.isRequired:
          let isAsked = !makesObjects || precondition.code.has(.unseenByValidation)
          guard isAsked, !isReported else { return nil }
          (code, words) = (precondition.code, "stops at rows of \(precondition.place)")
        default: return nil
        }
        let answer = answer(to: precondition, after: mapping(to: hop.source))
        let isOfResult = bounds.contains(precondition) && precondition.isOfExpressions
        if case .unknown = answer, isOfResult || code.has(.computing),
          open.insert(precondition.place).inserted
        {
          return Self.open(precondition, answer, in: hop)
        }
        guard case .refuted = answer, code != .expressionDoesNotFit || !isReported else {
          return nil
        }
        return Finding(
          code,
          .error,
          risk: .conditional,
          at: Finding.Place(
            version: hop.destination.name,
            entity: precondition.entity,
            property: precondition.property
          ),
          message:
            "The hop from \(version: hop.source.name) to \(version: hop.destination.name) \(words).",
          advice: ""
        ).decided(
          by: Finding.Evidence([(precondition.kind, answer)]),
          isRequired: true,
          canBeAccepted: precondition.canBeAccepted
        )
      }
    }
  }

  /// Returns a finding on the result of an expression, which only the run knows.
  private static func open(
    _ precondition: Precondition,
    _ answer: Precondition.Answer,
    in hop: Hop
  ) -> Finding {
    let act =
      precondition.code.has(.computing)
      ? "\(precondition.computation), and stops at a row for which that fails"
        + (precondition.property == nil ? "" : ", or gives a value that does not fit")
      : "holds each object against its model, and stops where validation refuses what an expression "
        + "gives \(precondition.place)"
    return Finding(
      precondition.code,
      .note,
      at: Finding.Place(
        version: hop.destination.name,
        entity: precondition.entity,
        property: precondition.property
      ),
      message:
        "The hop from \(version: hop.source.name) to \(version: hop.destination.name) \(act).",
      advice: "Try the hop on a copy: migrate --output."
    ).decided(
      by: Finding.Evidence([(precondition.kind, answer)]),
      isRequired: true,
      canBeAccepted: false
    )
  }

  /// Returns the size of an edge.
  func size(of edge: VersionGraph.Edge, after mapping: ComposedMapping?) -> HopSize? {
    graph.resolved(edge).flatMap {
      checker.size(
        from: $0.source,
        to: $0.destination,
        $0.mapping,
        isAuthored: edge.kind == .authored && !$0.isInferred,
        after: mapping
      )
    }
  }

  private func answer(
    to precondition: Precondition,
    after mapping: ComposedMapping?
  ) -> Precondition.Answer {
    guard let mapping else {
      return .unknown("what the hops before it make of the rows is unknown")
    }
    switch precondition.asked(through: mapping) {
    case .question(let question):
      let answer = checker.answer(to: question)
      return precondition.doubt.map { answer.ofSome(because: $0) } ?? answer
    case .unknown(let reason): return .unknown(reason)
    }
  }
}

extension Precondition {
  /// The clause for the expression that is computed.
  fileprivate var computation: String {
    property == nil
      ? "chooses the objects of \(place) by a filter" : "computes \(place) by an expression"
  }
}
