package import ObjectModel

/// How many findings of each risk an edge has.
package struct RiskCounts: Hashable, Sendable {
  /// Conditions under which the edge keeps everything, those left out that the data refutes, and what
  /// only a run shows.
  package private(set) var conditional = 0
  /// Conditions that the data refutes, where a store was asked.
  package private(set) var refuted = 0
  /// What it drops by design.
  package private(set) var lossy = 0
  /// What it drops although nobody declared it.
  package private(set) var undeclared = 0
  /// Values that expressions read and that nobody can tell to be kept, those left out that the data
  /// shows to come back.
  package private(set) var used = 0
  /// The dearest risk of all.
  package private(set) var worst = Risk.exact

  /// No findings.
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

  /// The counts of an edge of which the data proves all that it can.
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
