internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// Consecutive versions of which the same becomes, as one row of the page.
struct PageRange {
  /// The indexes of their paths in the model.
  private(set) var paths: [Int]
  /// What becomes of all of them.
  let look: PathLook
  /// Whether they lose different things.
  let isMixed: Bool

  /// How many rows are read at a glance; where there would be more, what is lost is no difference.
  private static let limit = 25

  /// The ranges of a model's paths, in their order; a store's path is always a row of its own.
  ///
  /// - Complexity: O(*p* · *f*) in the paths and their findings.
  static func ranges(of model: CoverageReport.Model) -> [PageRange] {
    let looks = model.paths.map { PathLook($0, in: model) }
    let fine = ranges(of: model, looks, isMixed: false)
    return fine.count <= limit ? fine : ranges(of: model, looks.map(\.inShort), isMixed: true)
  }

  private static func ranges(
    of model: CoverageReport.Model,
    _ looks: [PathLook],
    isMixed: Bool
  ) -> [PageRange] {
    var ranges: [PageRange] = []
    for (index, path) in model.paths.enumerated() {
      let hasStore = path.store != nil || index > 0 && model.paths[index - 1].store != nil
      if !hasStore, ranges.last?.look == looks[index] {
        ranges[ranges.count - 1].paths.append(index)
      } else {
        ranges.append(PageRange(paths: [index], look: looks[index], isMixed: isMixed))
      }
    }
    return ranges
  }
}

/// What becomes of one version, in the app and with Waystone, as the page shows it.
struct PathLook: Hashable {
  /// The class, sign and words of one of the two verdicts.
  struct Verdict: Hashable {
    /// The class that the style sheet knows.
    let name: String
    let mark: String
    let words: String
  }

  /// What the app would do.
  let app: Verdict
  /// What Waystone can do.
  let waystone: Verdict
  /// Whether a trial failed.
  let isTrialBad: Bool

  /// The same without saying what is lost.
  var inShort: PathLook {
    func short(_ verdict: Verdict) -> Verdict {
      let words =
        switch verdict.name {
        case "lossy": "drops data"
        case "loses": "loses data silently"
        case "depends": "arrives, if the data fit"
        case "arrives": "arrives"
        default: verdict.words
        }
      return Verdict(name: verdict.name, mark: verdict.mark, words: words)
    }
    return PathLook(app: short(app), waystone: short(waystone), isTrialBad: isTrialBad)
  }

  private init(app: Verdict, waystone: Verdict, isTrialBad: Bool) {
    self.app = app
    self.waystone = waystone
    self.isTrialBad = isTrialBad
  }

  init(_ path: CoverageReport.Path, in model: CoverageReport.Model) {
    let kind = path.app.kind
    var appLosses = Self.losses(path.app.findings)
    // What the versions drop by design, an app drops that migrates without loss.
    if kind == .arrives { appLosses = Self.losses(path.app.findings + path.findings) }
    if kind == .arrives, !appLosses.isEmpty {
      app = Verdict(name: "lossy", mark: "▽", words: "arrives, drops \(Self.listed(appLosses))")
    } else {
      var words = kind.words.one
      if kind == .loses, !appLosses.isEmpty { words += ": \(Self.listed(appLosses))" }
      app = Verdict(name: kind.rawValue, mark: kind.words.mark, words: words)
    }
    waystone = Self.waystone(path)
    isTrialBad = path.trial.map { !$0.isGood } ?? false
  }

  private static func waystone(_ path: CoverageReport.Path) -> Verdict {
    guard path.isReachable, let hops = path.hops else {
      let needs = path.needs.map(TerminalText.escaped)
      let words = needs.isEmpty ? "no path" : needs.joined(separator: ", ")
      return Verdict(name: "fails", mark: "✕", words: words)
    }
    guard hops > 0 else { return Verdict(name: "arrives", mark: "✓", words: "nothing to do") }
    let way = hops == 1 ? "1 hop" : hops <= 4 ? "\(hops) hops" : "step by step"
    let lost = losses(path.findings)
    switch path.worst ?? .exact {
    case .exact, .additive: return Verdict(name: "arrives", mark: "✓", words: way)
    case .conditional:
      return Verdict(name: "depends", mark: "◇", words: "\(way), if the data fit")
    case .lossy, .undeclared:
      let words = lost.isEmpty ? "loses data" : "drops \(listed(lost))"
      return Verdict(name: "lossy", mark: "▽", words: "\(way), \(words)")
    }
  }

  /// What is lost, each once.
  private static func losses(_ findings: [Finding]) -> [String] {
    var seen: Set<String> = []
    return findings.filter { $0.risk.map { $0 >= .lossy } ?? false }
      .compactMap(\.place.subject).filter { seen.insert($0).inserted }
  }

  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(2).map(TerminalText.escaped).joined(separator: ", ")
    return names.count > 2 ? "\(shown) and \(names.count - 2) more" : shown
  }
}
