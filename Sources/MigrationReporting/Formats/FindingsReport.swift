internal import MigrationPlanning
package import ObjectModel

/// Findings as the formats of other programs take them: grouped by what was looked at.
///
/// A place's file is taken to be a path from the folder of the repository, or an absolute one.
package struct FindingsReport: Hashable, Sendable {
  /// A finding, and why it may pass where somebody said so.
  package struct Entry: Hashable, Sendable {
    /// The finding.
    package var finding: Finding
    /// The reason that `accept` gives; nil where nobody accepted it.
    package var acceptance: String?

    /// A finding as it stands.
    package init(_ finding: Finding, acceptance: String? = nil) {
      self.finding = finding
      self.acceptance = acceptance
    }
  }

  /// Something that was looked at, with what was found.
  package struct Group: Hashable, Sendable {
    /// What was looked at: a mapping, a model, the lock.
    package var name: String
    /// Its file.
    package var file: String?
    /// What was found.
    package var entries: [Entry]

    /// Something with what was found.
    package init(name: String, file: String? = nil, entries: [Entry]) {
      self.name = name
      self.file = file
      self.entries = entries
    }
  }

  /// The verb that looked.
  package var verb: String
  /// What was looked at.
  package var groups: [Group]
  /// The least severity that counts as a failure.
  package var threshold: Finding.Severity

  /// A report of a verb.
  package init(verb: String, groups: [Group], threshold: Finding.Severity = .error) {
    self.verb = verb
    self.groups = groups
    self.threshold = threshold
  }

  /// The findings of all groups, each once, in their order.
  package var entries: [Entry] {
    var seen: Set<Entry> = []
    return groups.flatMap(\.entries).filter { seen.insert($0).inserted }
  }

  /// Whether an entry makes the verb's answer no.
  package func fails(_ entry: Entry) -> Bool {
    entry.acceptance == nil && entry.finding.severity >= threshold
  }
}

extension CheckReport {
  /// The findings, mapping by mapping, for the formats of other programs.
  ///
  /// - Parameter reason: Why a finding may pass; nil where nobody accepted it.
  package func findingsReport(
    threshold: Finding.Severity = .warning,
    accepting reason: (Finding) -> String? = { _ in nil }
  ) -> FindingsReport {
    func entries(_ findings: [Finding]) -> [FindingsReport.Entry] {
      findings.map { FindingsReport.Entry($0, acceptance: reason($0)) }
    }
    var groups = mappings.map { mapping in
      FindingsReport.Group(
        name: mapping.path,
        file: mapping.path,
        entries: entries(mapping.findings)
      )
    }
    if !findings.isEmpty || groups.isEmpty {
      groups.append(FindingsReport.Group(name: "project", entries: entries(findings)))
    }
    return FindingsReport(verb: Self.verb, groups: groups, threshold: threshold)
  }
}

extension CoverageReport {
  /// The findings, path by path, for the formats of other programs.
  ///
  /// - Parameter reason: Why a finding may pass; nil where nobody accepted it.
  package func findingsReport(
    threshold: Finding.Severity = .error,
    accepting reason: (Finding) -> String? = { _ in nil }
  ) -> FindingsReport {
    func entries(_ findings: [Finding]) -> [FindingsReport.Entry] {
      findings.map { FindingsReport.Entry($0, acceptance: reason($0)) }
    }
    var groups: [FindingsReport.Group] = []
    for model in models {
      for path in model.paths {
        groups.append(
          FindingsReport.Group(
            name: "\(model.name)/\(model.title(of: path))",
            file: model.file(of: path.source),
            entries: entries(path.app.findings + path.findings)
          )
        )
      }
    }
    if !findings.isEmpty {
      groups.append(FindingsReport.Group(name: "project", entries: entries(findings)))
    }
    return FindingsReport(verb: "coverage", groups: groups, threshold: threshold)
  }
}
