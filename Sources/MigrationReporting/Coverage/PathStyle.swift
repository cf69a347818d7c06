internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// The outcome of a version in the app and with Waystone, as reports show it.
struct PathStyle: Hashable {
  /// The class, sign and words of one of the two verdicts.
  struct Verdict: Hashable {
    /// The class that the page's style sheet knows.
    let name: String
    let mark: String
    let words: String
    /// The words without the lost data and the number of hops.
    let short: String
  }

  /// The app's outcome.
  let app: Verdict
  /// Waystone's outcome.
  let waystone: Verdict
  /// The needs of Waystone's path, in a few words each.
  let needs: [String]
  /// Whether a trial failed.
  let isTrialBad: Bool

  /// Waystone's outcome with the path's needs, as text.
  var waystoneWords: String { ([waystone.words] + needs).joined(separator: ", ") }

  /// The style without the lost data and the number of hops.
  var inShort: PathStyle {
    func short(_ verdict: Verdict) -> Verdict {
      Verdict(name: verdict.name, mark: verdict.mark, words: verdict.short, short: verdict.short)
    }
    return PathStyle(
      app: short(app),
      waystone: short(waystone),
      needs: needs,
      isTrialBad: isTrialBad
    )
  }

  private init(app: Verdict, waystone: Verdict, needs: [String], isTrialBad: Bool) {
    self.app = app
    self.waystone = waystone
    self.needs = needs
    self.isTrialBad = isTrialBad
  }

  init(_ path: CoverageReport.Path) {
    let kind = path.app.kind
    // An app that migrates without loss still drops the data that its own steps drop by design.
    let appLosses = kind.isArrival ? path.app.dropNames : path.app.findings.lostNames
    if kind.isArrival, !appLosses.isEmpty {
      app = Verdict(
        name: "lossy",
        mark: "▽",
        words: "arrives, drops \(Self.listed(appLosses))\(path.app.findings.condition)"
          + (path.app.runsCode ? ", unless code of the app keeps it" : ""),
        short: path.app.runsCode ? "drops data, runs code" : "drops data"
      )
    } else if kind == .arrives, path.app.findings.contains(where: { $0.risk == .conditional }) {
      let words = "arrives, if the data fit"
      app = Verdict(name: "depends", mark: "◇", words: words, short: words)
    } else if kind == .arrives, path.app.runsCode {
      let words = "arrives, runs code"
      app = Verdict(name: "code", mark: "◇", words: words, short: words)
    } else {
      var words = kind.words.one
      if kind == .loses, !appLosses.isEmpty { words += ": \(Self.listed(appLosses))" }
      app = Verdict(
        name: kind.rawValue,
        mark: kind.words.mark,
        words: words,
        short: kind == .loses ? "loses data silently" : kind.words.short
      )
    }
    needs = path.needs.map(TerminalText.escaped)
    let found = Self.waystone(path)
    // A path that cannot be run yet counts as none, without regard to its losses; it is bad only where
    // it blocks a release.
    waystone =
      path.isReachable || path.hops == nil
      ? found
      : Verdict(
        name: path.isHeldByMissing ? "needs" : "waits",
        mark: path.isHeldByMissing ? "✕" : "◇",
        words: found.words,
        short: found.short
      )
    isTrialBad = path.trial.map { !$0.isGood } ?? false
  }

  private static func waystone(_ path: CoverageReport.Path) -> Verdict {
    guard let hops = path.hops else {
      return Verdict(name: "fails", mark: "✕", words: "no path", short: "no path")
    }
    guard hops > 0 else {
      // The store or the version hashes as the one that is wanted, and has other columns.
      guard !path.refusals.contains(where: { $0.code == .derivedColumnDiffers }) else {
        return Verdict(name: "needs", mark: "✕", words: "other columns", short: "other columns")
      }
      let depends = path.worst == .conditional
      let words = depends ? "nothing to do, if the data fit" : "nothing to do"
      return Verdict(
        name: depends ? "depends" : "arrives",
        mark: depends ? "◇" : "✓",
        words: words,
        short: words
      )
    }
    let count = hops <= 4 ? Quantity.count(hops, "hop") : "step by step"
    let worst = path.worst ?? .exact
    // The text of the gap follows.
    guard path.isReachable || worst > .conditional else {
      return Verdict(name: "needs", mark: "✕", words: count, short: count)
    }
    switch worst {
    case .exact, .additive:
      return Verdict(name: "arrives", mark: "✓", words: "arrives, \(count)", short: "arrives")
    case .conditional:
      return Verdict(
        name: "depends",
        mark: "◇",
        words: "\(count), if the data fit",
        short: "arrives, if the data fit"
      )
    case .unknown:
      let runsCode = path.findings.contains(where: \.isOfCode)
      let words = runsCode ? "runs code" : "may not keep all values"
      return Verdict(
        name: runsCode ? "code" : "depends",
        mark: "◇",
        words: "\(count), \(words)",
        short: "arrives, \(words)"
      )
    case .lossy, .undeclared:
      let lost = path.findings.lostNames
      let words = lost.isEmpty ? "loses data" : "drops \(listed(lost))"
      return Verdict(
        name: "lossy",
        mark: "▽",
        words: "\(count), \(words)\(path.findings.condition)",
        short: "drops data"
      )
    }
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(2).map(TerminalText.escaped).joined(separator: ", ")
    return names.count > 2 ? "\(shown) and \(names.count - 2) more" : shown
  }
}

extension AppOutcome {
  /// The names of the data that an arriving path drops by design, each once.
  var dropNames: [String] { kind.isArrival ? drops.lostNames : [] }
}

extension [Finding] {
  /// The words for data on which it depends whether the path arrives; none where it does not.
  fileprivate var condition: String {
    contains { $0.risk == .conditional } ? ", if the data fit" : ""
  }

  /// The names of lost data, each once.
  fileprivate var lostNames: [String] {
    var seen: Set<String> = []
    return filter { $0.risk.map { $0 >= .lossy } ?? false }
      .compactMap(\.lostName).filter { seen.insert($0).inserted }
  }
}

extension PathStyle.Verdict {
  /// The style on a terminal.
  var style: StyledText.Style {
    switch name {
    case "arrives": .good
    case "loses", "fails": .bad
    default: .caution
    }
  }
}
