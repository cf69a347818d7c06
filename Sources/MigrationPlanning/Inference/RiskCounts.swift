package import ObjectModel

/// The number of an edge's findings, by risk.
package struct RiskCounts: Hashable, Sendable {
  /// The number of conditions under which the edge keeps everything, and of effects that only a run
  /// shows; without those that the rows refute.
  package private(set) var conditional = 0
  /// Conditions that the data refutes, where a store was asked.
  package private(set) var refuted = 0
  /// The number of losses by design.
  package private(set) var lossy = 0
  /// The number of losses that no version declares.
  package private(set) var undeclared = 0
  /// The number of values that expressions read and may not keep, without those that the rows prove
  /// kept.
  package private(set) var used = 0
  /// The worst risk of all.
  package private(set) var worst = Risk.exact

  /// Makes counts of no findings.
  package init() {}

  /// The risks of some findings.
  package init(of findings: [Finding]) {
    self.init()
    for finding in findings {
      guard let risk = finding.risk else { continue }
      let isRefuted = risk == .conditional && finding.evidence?.verdict == .refuted
      add(risk, isRefuted: isRefuted)
      if finding.leavesOpenWhatIsKept { used += 1 }
    }
  }

  /// Counts one more finding.
  mutating func add(_ risk: Risk, isRefuted: Bool = false) {
    switch risk {
    case .exact, .additive: break
    case .conditional where isRefuted: refuted += 1
    case .conditional, .unknown: conditional += 1
    case .lossy: lossy += 1
    case .undeclared: undeclared += 1
    }
    if worst < risk { worst = risk }
  }

  /// The counts of an edge whose conditions the rows all prove.
  var atBest: RiskCounts {
    var counts = RiskCounts()
    counts.worst = min(worst, .additive)
    return counts
  }

  /// The counts of an edge of whose drops none is declared.
  var withoutDeclaration: RiskCounts {
    var counts = self
    counts.undeclared += lossy
    counts.lossy = 0
    if lossy > 0 { counts.worst = .undeclared }
    return counts
  }
}
