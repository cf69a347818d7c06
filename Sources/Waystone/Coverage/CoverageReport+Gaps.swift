public import MigrationPlanning
public import ObjectModel

extension CoverageReport.Path {
  /// Whether Waystone has a path that lacks nothing.
  public var isReachable: Bool { nodes != nil && missing.isEmpty }

  /// The findings for which the path cannot be run: code that the program does not have, names that are not
  /// accepted, parts of its versions without a known place, rows and a schema for which a run is refused, a
  /// trial that fails; without the findings that the project lets pass.
  public var missing: [Finding] {
    func isMissing(_ code: FindingCode, _ severity: Finding.Severity) -> Bool {
      code.has(severity == .error ? .lackOfPath : .lackAlways)
    }
    let accepted = Set(accepted.map(\.finding))
    let missing =
      (nodes == nil ? [] : findings.fitting(isMissing).filter { !refusals.contains($0) })
      + (trial?.findings ?? []).fitting(isMissing)
    // Accepting that the program lacks code gives it none.
    return refusals
      + missing.filter {
        !accepted.contains($0) || $0.code.has(.lackThoughAccepted)
      }
  }

  /// Whether names of its result are guesses that the project lets pass.
  package var isGuess: Bool {
    nodes != nil && accepted.contains { $0.finding.code == .unprovenName }
  }

  /// The findings that may make the path a gap: those on the app's outcome, on Waystone's path, and on a
  /// trial.
  ///
  /// The reasons why no mapping can be inferred are not among them; they are causes of these findings.
  public var judged: [Finding] { judged { _, _ in true } }

  /// Returns the findings of ``judged`` whose code and severity fit.
  func judged(where fits: (FindingCode, Finding.Severity) -> Bool) -> [Finding] {
    let hasPath = nodes != nil
    return app.findings.fitting { $0.has(.appOutcome) && fits($0, $1) }
      + findings.fitting { (hasPath || $0 == .shippedWithoutPath) && fits($0, $1) }
      + (trial?.findings ?? []).fitting(fits)
  }

  /// Returns the causes for which a version does not arrive, in the app or with Waystone, where a finding
  /// reports that it does not; none for any other finding.
  package func causes(of finding: Finding) -> [Finding] {
    let list =
      switch finding.code {
      case .appFails: app.findings
      case .appOutcomeUnknown where finding.place.subject != nil:
        app.findings.filter {
          $0.disputesIdentifier && $0.place.subject == finding.place.subject
        }
      case .appOutcomeUnknown where app.nodes.last != destination: app.findings
      case .shippedWithoutPath: findings
      default: [Finding]()
      }
    return list.filter { $0.code != finding.code }
  }

  /// Whether the conditions of a step on the rows decide the outcome, in the app or with Waystone.
  package var dependsOnData: Bool {
    app.findings.contains { $0.risk == .conditional }
      || nodes != nil && findings.contains { $0.risk == .conditional }
  }

  /// Returns the findings from a severity up that are not accepted.
  public func gaps(from threshold: Finding.Severity) -> [Finding] {
    let accepted = Set(accepted.map(\.finding))
    return judged { $1 >= threshold }.filter { !accepted.contains($0) }
  }

  /// Whether the app opens the store without loss, or the project lets pass what it does.
  public var arrives: Bool {
    if app.kind.isArrival { return true }
    let accepted = Set(accepted.map(\.finding))
    // A store arrives although the app keeps more.
    let own = app.findings.filter { $0.code.has(.appOutcome) && $0.code != .appKeepsMore }
    return !own.isEmpty && own.allSatisfy { accepted.contains($0) }
  }
}

extension [Finding] {
  /// Returns the findings whose code and severity fit.
  ///
  /// Findings are large, and a long path has many, so no others are copied.
  fileprivate func fitting(_ fits: (FindingCode, Finding.Severity) -> Bool) -> [Finding] {
    indices.filter { fits(self[$0].code, self[$0].severity) }.map { self[$0] }
  }
}

extension CoverageReport {
  /// The number of the versions' paths, by outcome; stores that were given do not count.
  public struct Totals: Hashable, Sendable {
    /// The versions that were shipped, but for the current one.
    public var paths = 0
    /// The number of paths by outcome in the app.
    public var outcomes: [AppOutcome.Kind: Int] = [:]
    /// The number of paths that arrive in the app, or are accepted.
    public var arriving = 0
    /// The number of those that arrive only if the rows meet the conditions of the app's own steps.
    public var conditional = 0
    /// The number of paths that arrive in the app, and drop data by design.
    public var dropping = 0
    /// The number of paths that Waystone has.
    public var reachable = 0

    /// The percentage of paths that arrive in the app, rounded down.
    public var percent: Int { paths == 0 ? 100 : arriving * 100 / paths }

    /// The percentage of paths that Waystone has, rounded down.
    public var reachablePercent: Int { paths == 0 ? 100 : reachable * 100 / paths }
  }

  /// The totals over all models.
  public var totals: Totals {
    var totals = Totals()
    for path in models.flatMap(\.paths) where path.store == nil {
      let count = max(1, path.versions.count)
      totals.paths += count
      totals.outcomes[path.app.kind, default: 0] += count
      totals.arriving += path.arrives ? count : 0
      let isConditional = path.arrives && path.app.findings.contains { $0.risk == .conditional }
      totals.conditional += isConditional ? count : 0
      totals.dropping += path.app.kind.isArrival && !path.app.drops.isEmpty ? count : 0
      totals.reachable += path.isReachable ? count : 0
    }
    return totals
  }

  /// The edges of all models, counted; nil where not all were evaluated.
  package var edgeTotals: EdgeCounts? {
    let counts = models.compactMap(\.counts)
    guard counts.count == models.count else { return nil }
    return counts.reduce(into: EdgeCounts()) { total, own in
      total.all += own.all
      total.equivalent += own.equivalent
      total.notEquivalent += own.notEquivalent
      total.unknown += own.unknown
      total.refused += own.refused
    }
  }

  /// Whether nothing forbids a release.
  public var isComplete: Bool {
    models.allSatisfy { $0.paths.allSatisfy { $0.gaps(from: threshold).isEmpty } }
      && findings.allSatisfy { $0.severity < threshold }
  }

  /// Adds the finding on the totals, where fewer versions arrive than the project wants.
  mutating func takeTotals() {
    let totals = totals
    let percent = reliance == .waystone ? totals.reachablePercent : totals.percent
    guard let minimumPercent, percent < minimumPercent else { return }
    let versions = "of \(totals.paths) shipped version\(totals.paths == 1 ? "" : "s")"
    let subject =
      reliance == .waystone
      ? "Waystone can migrate \(totals.reachable) \(versions)"
      : "\(totals.arriving) \(versions) "
        + "\(totals.arriving == 1 ? "arrives in the app or is" : "arrive in the app or are") accepted"
    findings.append(
      Finding(
        .coverageTooLow,
        .error,
        message: "\(subject), which is \(percent) %; \(minimumPercent) % are wanted.",
        remedy: "See to the versions that do not arrive, accept their findings with a reason, or "
          + "want fewer."
      )
    )
  }
}
