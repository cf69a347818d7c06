internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// Why mappings cannot be inferred, with all versions that it stops, in the app and in Waystone.
struct GapCause {
  /// Which of the two a cause stops, how, and the advice that goes with it.
  private struct Effect {
    var versions: [String] = []
    var words = ""
    var remedy = ""
  }

  private let reason: Finding
  private var severity = Finding.Severity.note
  private var effects: [FindingCode: Effect] = [:]

  /// How many causes are told.
  private static let limit = 8

  private init(_ reason: Finding) { self.reason = reason }

  /// The causes of some findings, then the findings that have none, each advice once.
  ///
  /// - Parameters:
  ///   - limit: How many findings of one code on the same versions are told.
  ///   - model: The model, whose order the versions keep.
  static func lines(
    of groups: [GapGroup],
    limit findings: Int,
    in model: CoverageReport.Model
  ) -> [StyledText] {
    var causes: [GapCause] = []
    var places: [String: Int] = [:]
    for group in groups {
      for reason in group.reasons {
        let key = "\(reason.code.rawValue) \(reason.place.subject ?? reason.message)"
        let place = places[key] ?? causes.count
        if place == causes.count {
          places[key] = place
          causes.append(GapCause(reason))
        }
        causes[place].add(group)
      }
    }
    // What stops versions that another cause stops anyway can wait.
    let first = causes.filter { cause in !causes.contains { $0.stopsMore(than: cause) } }
    let told = first.grouped(by: \.effectKey).prefix(limit)
    let count = told.reduce(0) { $0 + $1.count }
    let order = model.paths.map { model.short(model.nodes[$0.source].name) }
    var lines = told.flatMap { $0[0].lines(order, with: $0.dropFirst().map(\.reason)) }
    if causes.count > count {
      let more = Quantity.count(causes.count - count, "more cause")
      lines.append(StyledText("    and \(more) for some of these versions: --verbose.", .faint))
    }
    return lines + plain(groups.filter(\.reasons.isEmpty), limit: findings)
  }

  /// What it stops, and which versions.
  private var effectKey: String {
    effects.map { "\($0.rawValue) \($1.versions.joined(separator: ","))" }.sorted()
      .joined(separator: ";")
  }

  /// Whether it stops all versions that another one stops, and others besides.
  private func stopsMore(than other: GapCause) -> Bool {
    let isWider = other.effects.allSatisfy { code, effect in
      Set(effect.versions).isSubset(of: effects[code]?.versions ?? [])
    }
    return isWider
      && effects.values.reduce(0) { $0 + $1.versions.count }
        > other.effects.values.reduce(0) { $0 + $1.versions.count }
  }

  private mutating func add(_ group: GapGroup) {
    let finding = group.told(isVerbose: false)
    severity = max(severity, finding.severity)
    var effect = effects[finding.code] ?? Effect()
    effect.versions += group.versions.filter { !effect.versions.contains($0) }
    effect.words =
      switch finding.code {
      case .appFails: "the app fails"
      case .shippedWithoutPath: "Waystone has no path"
      default: "what the app does is unknown"
      }
    effect.remedy = finding.remedy
    effects[finding.code] = effect
  }

  /// What cannot be inferred, which versions that stops, and what to do.
  ///
  /// - Parameter others: What has the same effect.
  private func lines(_ order: [String], with others: [Finding]) -> [StyledText] {
    var finding = reason
    let codes = effects.keys.sorted { ByteOrder.precedes($0.rawValue, $1.rawValue) }
    var texts: [(versions: String, words: [String])] = []
    for code in codes {
      guard let effect = effects[code] else { continue }
      let versions = GapGroup.text(of: order.filter(Set(effect.versions).contains))
      let words = "\(effect.words) (\(code.rawValue))"
      if let same = texts.firstIndex(where: { $0.versions == versions }) {
        texts[same].words.append(words)
      } else {
        texts.append((versions, [words]))
      }
    }
    let told = texts.map { "\($0.versions): \($0.words.joined(separator: ", "))." }
    finding.place = Finding.Place(entity: reason.place.entity, property: reason.place.property)
    let names = others.prefix(3).map { "\($0.code.rawValue) \($0.place.subject ?? "")" }
    let rest = others.count > 3 ? " and \(others.count - 3) more" : ""
    let also = names.isEmpty ? [] : ["Also \(names.joined(separator: ", "))\(rest)."]
    finding.message = ([reason.message] + also + told).joined(separator: " ")
    finding.severity = severity
    // What stops Waystone alone, the reason itself knows how to mend.
    if codes != [.shippedWithoutPath] {
      finding.remedy = codes.first.flatMap { effects[$0]?.remedy } ?? ""
    }
    return finding.lines(indentation: 4)
  }

  /// Findings without a cause of their own; of those of one code on the same versions the first, and what
  /// to do where the next line does not say the same.
  private static func plain(_ groups: [GapGroup], limit: Int) -> [StyledText] {
    let told = groups.map { $0.told(isVerbose: false) }.grouped {
      "\($0.code.rawValue) \($0.place.version ?? "")"
    }
    let shown = told.flatMap { $0.prefix(limit) }
    var lines: [StyledText] = []
    var next = shown.dropFirst()
    for group in told {
      for finding in group.prefix(limit) {
        var finding = finding
        if let next = next.first, next.code == finding.code, next.remedy == finding.remedy {
          finding.remedy = ""
        }
        next = next.dropFirst()
        lines += finding.lines(indentation: 4)
      }
      if group.count > limit {
        let more = "and \(group.count - limit) more of \(group[0].code.rawValue)"
        lines.append(StyledText("        \(more); --verbose shows them.", .faint))
      }
    }
    return lines
  }
}

extension Array {
  /// The elements of one key together, in the order in which the keys come first.
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

extension [Finding] {
  /// The findings with one for all of a code in a version, without a remedy.
  var byCause: [Finding] {
    var causes: [(first: Finding, subjects: [String])] = []
    for finding in self {
      let subject = finding.place.subject ?? ""
      if let same = causes.firstIndex(where: {
        $0.first.code == finding.code && $0.first.place.version == finding.place.version
      }) {
        causes[same].subjects.append(subject)
      } else {
        causes.append((finding.withoutFile, [subject]))
      }
    }
    return causes.map { cause in
      var finding = cause.first
      finding.remedy = ""
      guard cause.subjects.count > 1 else { return finding }
      let shown = cause.subjects.prefix(3).joined(separator: ", ")
      let rest = cause.subjects.count - 3
      finding.place.entity = nil
      finding.place.property = nil
      finding.message =
        "\(cause.subjects.count) \(finding.code.nouns): \(shown)\(rest > 0 ? " and \(rest) more" : "")."
      return finding
    }
  }
}

extension FindingCode {
  /// What several findings of the code are, in a few words.
  fileprivate var nouns: String {
    switch self {
    case .entityDropped: "entities are dropped with all their rows"
    case .attributeDropped: "attributes are dropped"
    case .relationshipDropped: "relationships are dropped with their links"
    case .suspectedRename: "properties are dropped, and may have been renamed"
    default: "findings"
    }
  }
}
