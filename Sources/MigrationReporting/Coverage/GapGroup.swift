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
  /// The message and the remedy for several versions whose findings differ only in names; nil for other
  /// findings.
  ///
  /// They are made from the oldest version, whose name is certain: that of a later one may also be a
  /// step's.
  private let general: (message: String, remedy: String)?
  /// The versions whose stores have the finding.
  private(set) var sources: Set<Int> = []
  /// The versions of the model that the report covers, oldest first.
  private let order: [String]

  /// The phrase that replaces the names of several versions in a sentence.
  static let several = "these versions"

  private struct Key: Hashable {
    let code: FindingCode
    let place: String?
    let message: String
    let reasons: [String]
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
        func text(_ finding: Finding) -> String {
          isTrial || runtime.isStraight
            ? finding.message.replacingVersion(name, with: Self.several) : ""
        }
        let key = Key(
          code: finding.code,
          place: finding.place.subject ?? finding.place.file,
          message: text(finding),
          reasons: reasons.map { "\($0.code.rawValue) \($0.place.subject ?? "") \(text($0))" }
        )
        if groups[key] == nil {
          keys.append(key)
          groups[key] = (
            gaps.contains(finding),
            GapGroup(finding: finding, of: key.message.isEmpty ? nil : name, in: order)
          )
        }
        groups[key]?.group.add(finding, reasons, path, model)
      }
    }
    let all = keys.compactMap { groups[$0] }
    return (all.filter(\.isGap).map(\.group), all.filter { !$0.isGap }.map(\.group))
  }

  static func reasons(of finding: Finding, in path: CoverageReport.Path) -> [Finding] {
    func key(_ cause: Finding) -> String {
      "\(cause.code.rawValue) \(cause.place.subject ?? cause.message)"
    }
    let causes = path.causes(of: finding)
    // An accepted cause does not block the version.
    let open = Set(path.openCauses.map(key))
    let told = causes.filter { open.contains(key($0)) }
    var seen: Set<String> = []
    return (told.isEmpty ? causes : told).filter { seen.insert(key($0)).inserted }
  }

  /// - Parameter version: The version's name, where findings may differ in that alone.
  private init(finding: Finding, of version: String?, in order: [String]) {
    self.finding = finding
    self.order = order
    general = version.map {
      (
        finding.message.replacingVersion($0, with: Self.several),
        Self.remedy(finding.remedy, of: $0, with: Self.several)
      )
    }
  }

  /// Returns advice on one version as it is for another, but for the list of the history's steps.
  static func remedy(_ remedy: String, of version: String, with words: String) -> String {
    let (before, after) = AppMigration.steps
    guard let start = remedy.firstRange(of: before),
      let end = remedy[start.upperBound...].firstRange(of: after)
    else { return remedy.replacingVersion(version, with: words) }
    return String(remedy[..<start.upperBound]).replacingVersion(version, with: words)
      + remedy[start.upperBound..<end.lowerBound]
      + String(remedy[end.lowerBound...]).replacingVersion(version, with: words)
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
  func told(isVerbose: Bool) -> Finding {
    var shown = finding
    if let general, versions.count > 1 {
      shown.message = general.message
      shown.remedy = Self.ofSeveral(general.remedy, count: sources.count, of: versions.count)
    }
    shown.place.version = VersionRuns(versions, in: order).text(isVerbose: isVerbose)
    shown.place.entity = nil
    shown.place.property = nil
    return shown
  }

  /// Returns the advice in words for one version or several, for ``ofSeveral(_:count:of:)``.
  func remedy(ofSeveral: Bool) -> String {
    ofSeveral ? general?.remedy ?? finding.remedy : finding.remedy
  }

  /// Returns advice on several versions; each needs a mapping model unless another of the same hashes
  /// has one.
  ///
  /// - Parameters:
  ///   - count: The number of versions of different hashes.
  ///   - versions: The number of versions.
  static func ofSeveral(_ remedy: String, count: Int, of versions: Int) -> String {
    guard count > 1 else { return remedy }
    let shared = count < versions ? " (versions with the same hashes share one)" : ""
    return remedy.replacing(
      "\(AppMigration.mappingModel) \(several)",
      with: "\(Quantity.count(count, "mapping model")), one from each of \(several)\(shared),"
    )
  }

  /// Returns the finding with its versions and reasons, as lines.
  func lines(isVerbose: Bool) -> [StyledText] {
    let shown = told(isVerbose: isVerbose)
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
