import MigrationPlanning
import ObjectModel
import Waystone

/// A finding of several paths, shown once.
struct GapGroup {
  /// The finding as the latest of the versions has it.
  private(set) var finding: Finding
  /// The reasons why a mapping cannot be inferred, where that is the finding.
  private(set) var reasons: [Finding] = []
  /// The versions, oldest first.
  private(set) var versions: [String] = []
  /// The finding of the oldest version, where those of the others differ from it only in the version's name.
  private let general: (finding: Finding, version: String)?
  /// The versions whose stores have the finding.
  private(set) var sources: Set<Int> = []
  /// The versions of the model that the report covers, oldest first.
  private let order: [String]

  /// The phrase for several versions in a sentence.
  static let several = "these versions"

  private struct Key: Hashable {
    let code: FindingCode
    let place: String?
    let statement: Finding.Text
    let reasons: [Finding.Fact]
  }

  /// Returns the findings of a model's paths: those that make gaps, and others that ask for attention.
  ///
  /// An app that goes straight does the same from each of several versions where the findings differ in
  /// the versions' names alone. One that goes step by step stops at one step, for any version.
  static func groups(
    of model: CoverageReport.Model,
    threshold: Finding.Severity,
    _ runtime: AppRuntime
  ) -> (gaps: [GapGroup], others: [GapGroup]) {
    let order = model.lookedAt
    var keys: [Key] = []
    var groups: [Key: (isGap: Bool, group: GapGroup)] = [:]
    for path in model.paths {
      let gaps = Set(path.gaps(from: threshold))
      let accepted = Set(path.accepted.map(\.finding))
      let own = path.judged.filter { finding in
        gaps.contains(finding)
          || (!accepted.contains(finding) && finding.code.has(.attention))
      }
      for finding in own {
        let reasons = reasons(of: finding, in: path)
        let isTrial = finding.code == .trialFailed || finding.code == .notExercised
        let name = model.short(model.nodes[path.source].name)
        let isShared = isTrial || runtime.isStraight
        func text(_ finding: Finding) -> Finding.Text {
          isShared ? finding.statement.naming(name, as: .versions(Self.several)) : ""
        }
        let key = Key(
          code: finding.code,
          place: finding.place.subject ?? finding.place.file,
          statement: text(finding),
          reasons: reasons.map {
            Finding.Fact(code: $0.code, subject: "\($0.place.subject ?? "") \(text($0))")
          }
        )
        if groups[key] == nil {
          keys.append(key)
          groups[key] = (
            gaps.contains(finding),
            GapGroup(finding: finding, of: isShared ? name : nil, in: order)
          )
        }
        groups[key]?.group.add(finding, reasons, path, model)
      }
    }
    let all = keys.compactMap { groups[$0] }
    return (all.filter(\.isGap).map(\.group), all.filter { !$0.isGap }.map(\.group))
  }

  static func reasons(of finding: Finding, in path: CoverageReport.Path) -> [Finding] {
    let causes = path.causes(of: finding)
    // An accepted cause does not block the version.
    let open = Set(path.openCauses.map(\.fact))
    let blocking = causes.filter { open.contains($0.fact) }
    var seen: Set<Finding.Fact> = []
    return (blocking.isEmpty ? causes : blocking).filter { seen.insert($0.fact).inserted }
  }

  /// - Parameter version: The version's name, where findings may differ in that alone.
  private init(finding: Finding, of version: String?, in order: [String]) {
    self.finding = finding
    self.order = order
    general = version.map { (finding, $0) }
  }

  private mutating func add(
    _ finding: Finding,
    _ reasons: [Finding],
    _ path: CoverageReport.Path,
    _ model: CoverageReport.Model
  ) {
    // A path may fail for a finding that is only a warning in its trial.
    let severity = max(self.finding.severity, finding.severity)
    self.finding = finding
    self.finding.severity = severity
    self.reasons = reasons
    sources.insert(path.source)
    for name in model.names(of: path).map(model.short) where !versions.contains(name) {
      versions.append(name)
    }
  }

  /// Returns the finding in words for all its versions.
  ///
  /// - Parameter isVerbose: Whether each version is named.
  func finding(isVerbose: Bool) -> Finding {
    var shown = finding
    if let general, versions.count > 1 {
      shown.statement =
        general.finding.statement.naming(general.version, as: .versions(Self.several))
      shown.advice = advice(models: sources.count, of: versions.count)
    }
    shown.place.version = VersionRuns(versions, in: order).text(isVerbose: isVerbose)
    shown.place.entity = nil
    shown.place.property = nil
    return shown
  }

  /// Returns the advice on one version, or on several.
  ///
  /// - Parameters:
  ///   - models: The number of versions of different hashes, each of which needs a mapping model.
  ///   - count: The number of versions.
  func advice(models: Int, of count: Int) -> Finding.Text {
    guard count > 1, let general else { return finding.advice }
    return general.finding.advice.naming(
      general.version,
      as: .versions(Self.several, models: models, areShared: models < count)
    )
  }

  /// Returns the finding with its versions and reasons, as lines.
  func lines(isVerbose: Bool) -> [StyledText] {
    let shown = finding(isVerbose: isVerbose)
    let limit = isVerbose ? reasons.count : min(3, reasons.count)
    var lines = shown.lines(indentation: 4)
    for reason in reasons.prefix(limit) {
      lines += reason.lines(indentation: 8, about: reason.place.version)
    }
    if reasons.count > limit {
      lines.append(StyledText("        and \(reasons.count - limit) more reasons", .faint))
    }
    return lines
  }
}

extension Finding {
  /// The code of a cause with the thing that it is about, by which it is the same on several paths.
  struct Fact: Hashable {
    let code: FindingCode
    let subject: Text
  }

  /// The fact that the finding states; a cause is shown once for each.
  var fact: Fact { Fact(code: code, subject: place.subject.map { Text($0) } ?? statement) }
}
