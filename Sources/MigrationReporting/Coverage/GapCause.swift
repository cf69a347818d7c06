internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// The cause why mappings cannot be inferred, with all versions that it stops, in the app and in
/// Waystone.
struct GapCause {
  /// The effect of a cause in the app or in Waystone, with its advice.
  private struct Effect {
    var versions: [String] = []
    /// The versions whose stores it stops.
    var sources: Set<Int> = []
    var words = ""
    /// The findings whose advice counts.
    var group: GapGroup?

    /// The advice on all versions.
    var advice: Finding.Text {
      group?.advice(models: sources.count, of: versions.count) ?? ""
    }
  }

  private let reason: Finding
  private var severity = Finding.Severity.note
  private var effects: [FindingCode: Effect] = [:]

  /// The number of causes that are shown.
  private static let limit = (few: 8, many: 2)
  /// The number of findings of one code on the same versions that are shown.
  private static let plainLimit = 3

  private init(_ reason: Finding) { self.reason = reason }

  /// Returns the causes of some findings, then the findings that have none, each advice once.
  ///
  /// - Parameters:
  ///   - model: The model, whose order the versions keep.
  ///   - isShort: Whether only the causes that stop most versions are shown.
  static func lines(
    of groups: [GapGroup],
    in model: CoverageReport.Model,
    isShort: Bool
  ) -> [StyledText] {
    var causes: [GapCause] = []
    var places: [Finding.Fact: Int] = [:]
    for group in groups {
      for reason in group.reasons {
        let place = places[reason.fact] ?? causes.count
        if place == causes.count {
          places[reason.fact] = place
          causes.append(GapCause(reason))
        }
        causes[place].add(group)
      }
    }
    // A cause that stops only versions that another cause stops too can wait.
    let first = causes.filter { cause in !causes.contains { $0.stopsMore(than: cause) } }
    let kinds = first.grouped(by: \.effectKey)
    let shown =
      isShort
      ? kinds.enumerated()
        .sorted { ($1.element[0].reach, $0.offset) < ($0.element[0].reach, $1.offset) }
        .map(\.element).prefix(limit.many)
      : kinds.prefix(limit.few)
    let count = shown.reduce(0) { $0 + $1.count }
    let order = model.lookedAt
    var lines = shown.flatMap {
      $0[0].lines(order, with: $0.dropFirst().map(\.reason), isShort: isShort)
    }
    if causes.count > count {
      let more = Quantity.count(causes.count - count, "more cause")
      lines.append(StyledText("    and \(more) for some of these versions: --verbose.", .faint))
    }
    return lines + plain(groups.filter(\.reasons.isEmpty))
  }

  /// The number of versions that the cause stops, in the app or in Waystone.
  private var reach: Int { Set(effects.values.flatMap(\.versions)).count }

  /// The key of causes that stop the same versions with the same effect.
  private var effectKey: String {
    effects.map { "\($0.rawValue) \($1.versions.joined(separator: ","))" }.sorted()
      .joined(separator: ";")
  }

  /// Returns whether it stops all versions that another one stops, and others besides.
  private func stopsMore(than other: GapCause) -> Bool {
    let isWider = other.effects.allSatisfy { code, effect in
      Set(effect.versions).isSubset(of: effects[code]?.versions ?? [])
    }
    return isWider
      && effects.values.reduce(0) { $0 + $1.versions.count }
        > other.effects.values.reduce(0) { $0 + $1.versions.count }
  }

  private mutating func add(_ group: GapGroup) {
    severity = max(severity, group.finding.severity)
    var effect = effects[group.finding.code] ?? Effect()
    effect.versions += group.versions.filter { !effect.versions.contains($0) }
    effect.sources.formUnion(group.sources)
    effect.words =
      switch group.finding.code {
      case .appFails: "the app fails"
      case .shippedWithoutPath: "Waystone has no path"
      default: "what the app does is unknown"
      }
    // Most versions take one of several paths to a version: its advice counts.
    if group.versions.count >= effect.group?.versions.count ?? 0 { effect.group = group }
    effects[group.finding.code] = effect
  }

  /// Returns lines with the cause, the versions that it stops, and the advice.
  ///
  /// - Parameters:
  ///   - others: The causes with the same effect.
  ///   - isShort: Whether the advice on the model itself is left to `check`.
  private func lines(
    _ order: [String],
    with others: [Finding],
    isShort: Bool
  ) -> [StyledText] {
    var finding = reason
    let codes = effects.keys.sorted { ByteOrder.precedes($0.rawValue, $1.rawValue) }
    var texts: [(versions: String, words: [String])] = []
    for code in codes {
      guard let effect = effects[code] else { continue }
      let versions = VersionRuns(effect.versions, in: order).text()
      let words = effect.words
      if let same = texts.firstIndex(where: { $0.versions == versions }) {
        texts[same].words.append(words)
      } else {
        texts.append((versions, [words]))
      }
    }
    let stops = texts.map { "\($0.versions): \($0.words.joined(separator: ", "))." }
    finding.place = Finding.Place(entity: reason.place.entity, property: reason.place.property)
    let names = others.prefix(3).map { "\($0.code.rawValue) \($0.place.subject ?? "")" }
    let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
    let also = names.isEmpty ? [] : ["Also \(names.joined(separator: ", "))\(rest)."]
    finding.statement = Finding.Text([reason.statement] + (also + stops).map { Finding.Text($0) })
    finding.severity = severity
    // The reason itself has the advice for a cause that stops Waystone alone.
    if codes != [.shippedWithoutPath] {
      let advice = codes.first.flatMap { effects[$0]?.advice } ?? ""
      // A change of the model that changes none of its hashes is less work than a mapping.
      finding.advice =
        !isShort && reason.code == .requiredWithoutDefault && reason.severity == .error
          && !reason.advice.makesOptional
        ? "\(reason.advice) \(advice)" : advice
      if codes == [.appOutcomeUnknown, .shippedWithoutPath] {
        finding.advice +=
          " That Waystone has no path is accepted apart: as WS707, with `change: no path`."
      }
    }
    return finding.lines(indentation: 4)
  }

  /// Returns one finding for names that are guesses: one store settles all.
  private static func unproven(_ findings: [Finding]) -> Finding {
    var finding = findings[0]
    guard findings.count > 1 else { return finding }
    finding.message =
      "The model does not settle \(findings.count) names in join tables. With a wrong name the app fails "
      + "at its first fetch."
    return finding
  }

  /// Returns the findings without a cause of their own, in groups of one code on the same versions: the
  /// first of each, with its advice where the next line differs.
  private static func plain(_ groups: [GapGroup]) -> [StyledText] {
    let found = groups.map { $0.finding(isVerbose: false) }.grouped {
      "\($0.code.rawValue) \($0.place.version ?? "")"
    }
    .map { $0[0].code == .unprovenName ? [unproven($0)] : $0 }
    let shown = found.flatMap { $0.prefix(plainLimit) }
    var lines: [StyledText] = []
    var next = shown.dropFirst()
    for group in found {
      for finding in group.prefix(plainLimit) {
        var finding = finding
        if let next = next.first, next.code == finding.code, next.advice == finding.advice {
          finding.remedy = ""
        }
        next = next.dropFirst()
        lines += finding.lines(indentation: 4)
      }
      if group.count > plainLimit {
        let more = "and \(group.count - plainLimit) more of \(group[0].code.rawValue)"
        lines.append(StyledText("        \(more); --verbose shows them.", .faint))
      }
    }
    return lines
  }
}

extension Array {
  /// Returns the elements of one key together, in the order in which the keys come first.
  fileprivate func grouped(by key: (Element) -> String) -> [[Element]] {
    var places: [String: Int] = [:]
    var groups: [[Element]] = []
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].append(element)
      } else {
        places[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}
