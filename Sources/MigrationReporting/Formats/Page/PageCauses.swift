internal import MigrationPlanning
internal import ObjectModel

/// The findings of a page by cause: a cause that many versions share is one row.
struct PageCauses {
  /// A group of findings of one code about one thing, in the same words but for the version.
  struct Cause {
    /// The first of them.
    var entry: FindingsReport.Entry
    /// The words, with ``PageCauses/blank`` where each names its version.
    var message: String
    /// The remedy, likewise.
    var remedy: String
    /// The versions, in the order of the report.
    var versions: [String] = []
    /// The number of findings.
    var count = 0

    /// `error`, `warning` or `note`; `accepted` where the project accepts it.
    var severity: String {
      entry.acceptance == nil ? entry.finding.severity.rawValue : "accepted"
    }

    /// Returns a text of the cause as it is read for all of its versions.
    func read(_ text: String) -> String {
      let name = versions.count == 1 ? versions[0] : GapGroup.several
      let named = text.replacing(PageCauses.blank, with: name)
      return GapGroup.ofSeveral(named, count: count, of: versions.count)
    }
  }

  /// The placeholder for the version's name in the words of a cause; no name contains it.
  static let blank = "\u{1}"

  /// The causes, the most severe first, and among those the ones of most versions.
  let causes: [Cause]
  /// The index of each finding's cause, and its version, in the order of the report.
  let places: [(cause: Int, version: String)]

  /// The causes of a report's findings.
  ///
  /// - Parameter names: The shipped versions of the same hashes as one, by its name.
  /// - Complexity: O(*f* log *f*) in the findings, and in the length of their words.
  init(_ entries: [FindingsReport.Entry], names: [String: [String]] = [:]) {
    struct Key: Hashable {
      let severity: String
      let code: FindingCode
      let subject: String?
      let message: String
      let remedy: String
    }
    var order: [Key: Int] = [:]
    var found: [Cause] = []
    var places: [(cause: Int, version: String)] = []
    for entry in entries {
      let finding = entry.finding
      let version = finding.place.version ?? ""
      var cause = Cause(
        entry: entry,
        message: finding.message.replacingVersion(version, with: Self.blank),
        remedy: GapGroup.remedy(finding.remedy, of: version, with: Self.blank)
      )
      let key = Key(
        severity: cause.severity + (entry.acceptance ?? ""),
        code: finding.code,
        subject: finding.place.subject,
        message: cause.message,
        remedy: cause.remedy
      )
      let index = order[key] ?? found.count
      if index == found.count {
        order[key] = index
        found.append(cause)
      }
      cause = found[index]
      cause.count += 1
      // Findings on outcomes are on all stores of some hashes, written by any version.
      let isShared = finding.code.has(.appOutcome) || finding.code.has(.hasCauses)
      let all = isShared ? names[version] ?? [version] : [version]
      for name in all where !name.isEmpty && cause.versions.last != name {
        cause.versions.append(name)
      }
      found[index] = cause
      places.append((index, version))
    }
    let ranks = ["error", "warning", "note", "accepted"]
    let sorted = found.indices.sorted { left, right in
      let (a, b) = (found[left], found[right])
      let (first, second) = (ranks.firstIndex(of: a.severity), ranks.firstIndex(of: b.severity))
      if first != second { return first ?? 0 < second ?? 0 }
      return a.versions.count == b.versions.count
        ? left < right : a.versions.count > b.versions.count
    }
    var numbers = Array(repeating: 0, count: found.count)
    for (number, index) in sorted.enumerated() { numbers[index] = number }
    causes = sorted.map { found[$0] }
    self.places = places.map { (numbers[$0.cause], $0.version) }
  }
}
