internal import MigrationPlanning
internal import ObjectModel

/// The findings of a page by cause: a cause that many versions share is one row.
struct PageCauses {
  /// A group of findings of one code about one thing, in the same words but for the version.
  struct Cause {
    /// The first of them.
    var entry: FindingsReport.Entry
    /// The versions, in the order of the report.
    var versions: [String] = []
    /// The number of findings.
    var count = 0

    /// `error`, `warning` or `note`; `accepted` where the project accepts it.
    var severity: String {
      entry.acceptance == nil ? entry.finding.severity.rawValue : "accepted"
    }

    /// Returns a text of the first finding as it is read for all versions.
    func read(_ text: Finding.Text) -> String {
      text.naming(
        entry.finding.place.version ?? "",
        as: versions.count == 1
          ? .version(versions[0])
          : .versions(GapGroup.several, models: count, areShared: count < versions.count)
      ).text
    }

    /// The parts of the message between the names of the version; nil where it is read for one alone.
    var parts: [String]? {
      versions.count > 1
        ? entry.finding.statement.words(around: entry.finding.place.version ?? "") : nil
    }
  }

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
      let statement: Finding.Text
      let advice: Finding.Text
    }
    let several = Finding.Text.Reader.versions(GapGroup.several)
    var order: [Key: Int] = [:]
    var found: [Cause] = []
    var places: [(cause: Int, version: String)] = []
    for entry in entries {
      let finding = entry.finding
      let version = finding.place.version ?? ""
      var cause = Cause(entry: entry)
      let key = Key(
        severity: cause.severity + (entry.acceptance ?? ""),
        code: finding.code,
        subject: finding.place.subject,
        statement: finding.statement.naming(version, as: several),
        advice: finding.advice.naming(version, as: several)
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
