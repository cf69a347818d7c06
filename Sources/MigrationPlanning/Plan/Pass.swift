import ObjectModel

/// A fused hop: hops of a plan that run as one, so that the data is read once and written once.
///
/// Hops share a pass where one mapping between the first version and the last does the same to every
/// object as they do one after the other, and where the questions of each can be asked about the rows
/// before the first. Both are proven for each pass, in normal form; a hop without a proof has a pass of
/// its own.
package struct Pass: Sendable {
  /// The hops, in their order.
  package let hops: [Hop]
  /// The number of hops of the plan before the first of them.
  package let start: Int
  /// The hop that runs: the pass's own hop, or one that does what all of them do.
  package let hop: Hop
  /// The questions of each hop, asked about the rows before the first; empty where the pass has one hop.
  fileprivate let questions: [Questions]

  /// The questions of one hop, asked about the rows before the first hop of its pass.
  fileprivate struct Questions: Sendable {
    let required: [Precondition]
    let counted: [Precondition]
  }

  fileprivate init(hops: [Hop], start: Int, hop: Hop, questions: [Questions] = []) {
    self.hops = hops
    self.start = start
    self.hop = hop
    self.questions = questions
  }

  /// The number of hops of the plan that are done when it has run.
  package var end: Int { start + hops.count }

  /// Whether it is more than one hop.
  package var isFused: Bool { hops.count > 1 }

  /// The conditions on the rows before the pass, without which one of its hops would fail or change
  /// values; nil where it has one hop, whose mapping has them.
  package var preconditions: [Precondition]? { isFused ? questions.flatMap(\.required) : nil }

  /// Returns the hop that asks for a condition.
  package func hop(asking precondition: Precondition) -> Hop {
    let place = questions.firstIndex { $0.required.contains(precondition) }
    return place.map { hops[$0] } ?? hop
  }

  /// The questions that refuse nothing, whose answers a run reports.
  package var reportedQuestions: [(hop: Hop, precondition: Precondition)] {
    guard isFused else { return Self.reportedQuestions(of: hop).map { (hop, $0) } }
    return zip(hops, questions).flatMap { hop, questions in questions.counted.map { (hop, $0) } }
  }

  /// Returns the questions of a hop's findings that the plan could not answer, or that a run answers
  /// again, and that refuse nothing.
  fileprivate static func reportedQuestions(of hop: Hop) -> [Precondition] {
    let open = hop.findings.filter {
      $0.evidence?.verdict == .unknown
        || $0.code.has(.counted) && $0.evidence?.verdict != .proven
    }
    guard !open.isEmpty else { return [] }
    let deduction = PreconditionAnalysis(hop.resolved)
    let all = deduction.preconditions()
    return open.flatMap {
      deduction.preconditions(of: $0, among: all, isAuthored: hop.kind == .authored)
    }
    .filter { !$0.isRequired }
  }
}

extension MigrationPlan {
  /// Returns the passes in which the plan runs.
  ///
  /// - Parameter isFused: Whether hops may share a pass; else each hop has its own.
  /// - Complexity: O(*h* · *p*) in hops and the properties of one version.
  package func passes(isFused: Bool) -> [Pass] {
    var passes: [Pass] = []
    var fusion: Pass.Fusion?
    for (index, hop) in hops.enumerated() {
      // A single hop's questions and mapping are computed only where another hop follows it.
      if isFused, let last = passes.last, hop.kind != .authored,
        let longer = (fusion ?? Pass.Fusion(last))?.extended(by: hop)
      {
        fusion = longer
        passes[passes.count - 1] = longer.pass
      } else {
        fusion = nil
        passes.append(Pass(hop, start: index))
      }
    }
    return passes
  }
}

extension Pass {
  /// Makes the pass of one hop.
  fileprivate init(_ hop: Hop, start: Int) {
    self.init(hops: [hop], start: start, hop: hop)
  }

  /// A sequence of hops that are known to be one mapping together, to which another may be added.
  fileprivate struct Fusion {
    let pass: Pass
    private let resolved: ResolvedMapping
    private let composed: ComposedMapping
    fileprivate let questions: [Questions]

    /// Starts with a hop that may be the first of several; nil for an authored one.
    init?(_ pass: Pass) {
      let hop = pass.hop
      guard hop.kind != .authored else { return nil }
      self.pass = pass
      resolved = hop.resolved
      composed = hop.composedMapping
      questions = [Questions(of: hop)]
    }

    private init(_ pass: Pass, _ resolved: ResolvedMapping, _ composed: ComposedMapping) {
      self.pass = pass
      self.resolved = resolved
      self.composed = composed
      questions = pass.questions
    }

    /// Returns the fusion with another hop after it; nil where that is not proven to be one mapping.
    func extended(by next: Hop) -> Fusion? {
      guard let asked = Questions(of: next, before: composed),
        let mapping = resolved.then(next.resolved)
      else { return nil }
      let longer = composed.then(next.composedMapping)
      let (first, hops) = (pass.hops[0], pass.hops + [next])
      let hop = Hop(
        source: first.source,
        destination: next.destination,
        kind: hops.contains { $0.kind == .extended } ? .extended : .inferred,
        mapping: mapping,
        findings: hops.flatMap(\.findings),
        reason: "",
        cost: hops.cost,
        origins: [],
        size: nil
      )
      guard hop.composedMapping == longer else { return nil }
      let pass = Pass(hops: hops, start: pass.start, hop: hop, questions: questions + [asked])
      return Fusion(pass, hop.resolved, longer)
    }
  }
}

extension Pass.Questions {
  /// Collects the questions of the first hop of a pass.
  fileprivate init(of hop: Hop) {
    let deduction = PreconditionAnalysis(hop.resolved)
    required = deduction.preconditions().filter(\.isRequired)
    counted = Pass.reportedQuestions(of: hop)
  }

  /// Collects the questions of a later hop, rewritten for the rows before the first; nil where one
  /// cannot be rewritten.
  fileprivate init?(of hop: Hop, before composed: ComposedMapping) {
    let deduction = PreconditionAnalysis(hop.resolved)
    var required: [Precondition] = []
    for precondition in deduction.preconditions() {
      guard case .question(let question) = precondition.pulledBack(through: composed) else {
        return nil
      }
      if precondition.isRequired { required.append(question) }
    }
    self.required = required
    counted = Pass.reportedQuestions(of: hop).compactMap {
      if case .question(let question) = $0.pulledBack(through: composed) { question } else { nil }
    }
  }
}
