internal import MigrationPlanning
package import ObjectModel
package import Waystone

/// The findings in the form of other programs' formats: grouped by the checked thing.
///
/// A place's file is taken to be a path from the folder of the repository, or an absolute one.
package struct FindingsReport: Hashable, Sendable {
  /// A finding, with the reason if the user accepted it.
  package struct Entry: Hashable, Sendable {
    /// The finding.
    package var finding: Finding
    /// The reason in `accept`; nil where the finding is not accepted.
    package var acceptance: String?

    /// Makes an entry of a finding.
    package init(_ finding: Finding, acceptance: String? = nil) {
      self.finding = finding
      self.acceptance = acceptance
    }
  }

  /// A checked thing with its findings.
  package struct Group: Hashable, Sendable {
    /// The name of the checked thing: a mapping, a model, the lock.
    package var name: String
    /// The file of the checked thing.
    package var file: String?
    /// The findings on it.
    package var entries: [Entry]
    /// The least severity that counts as a failure.
    package var threshold: Finding.Severity

    /// Makes a group of a checked thing and its findings.
    package init(
      name: String,
      file: String? = nil,
      entries: [Entry],
      threshold: Finding.Severity = .error
    ) {
      self.name = name
      self.file = file
      self.entries = entries
      self.threshold = threshold
    }

    /// The entries that make the verb's answer no.
    package var failures: [Entry] {
      entries.filter { $0.acceptance == nil && $0.finding.severity >= threshold }
    }
  }

  /// The verb that checked.
  package var verb: String
  /// The checked things with their findings.
  package var groups: [Group]

  /// A report of a verb.
  package init(verb: String, groups: [Group]) {
    self.verb = verb
    self.groups = groups
  }

  /// The findings of all groups, each once, in their order.
  package var entries: [Entry] { Self.unique(groups.flatMap(\.entries)) }

  /// The findings that fail the verb, each once.
  package var failures: [Entry] { Self.unique(groups.flatMap(\.failures)) }

  private static func unique(_ entries: [Entry]) -> [Entry] {
    var seen: Set<Entry> = []
    return entries.filter { seen.insert($0).inserted }
  }
}

extension Finding {
  /// The finding as the reason of another one, which alone asks for attention.
  var asReason: Finding {
    var reason = self
    reason.severity = .note
    return reason
  }
}

extension CheckReport {
  /// Returns the findings, the project's and then mapping by mapping, for the formats of other programs.
  ///
  /// - Parameter place: Returns the finding with its file and line.
  package func findingsReport(placing place: (Finding) -> Finding = { $0 }) -> FindingsReport {
    var groups = mappings.map { mapping in
      FindingsReport.Group(
        name: mapping.path,
        file: mapping.path,
        entries: mapping.findings.map { finding in
          var finding = finding
          finding.place.file = finding.place.file ?? mapping.path
          return FindingsReport.Entry(place(finding))
        },
        threshold: threshold ?? .warning
      )
    }
    let shared = findings.map { FindingsReport.Entry(place($0)) }
    let accepted = accepted.map {
      FindingsReport.Entry(place($0.finding), acceptance: $0.reason)
    }
    if versions != nil || groups.isEmpty || !(shared + accepted).isEmpty {
      groups.insert(
        FindingsReport.Group(
          name: "project",
          entries: shared + accepted,
          threshold: threshold ?? (versions == nil ? .warning : .error)
        ),
        at: 0
      )
    }
    return FindingsReport(verb: Self.verb, groups: groups)
  }
}

extension CoverageReport {
  /// The findings, path by path, for the formats of other programs; accepted ones are marked.
  ///
  /// The reasons of another finding are notes: it is that finding which needs attention.
  package var findingsReport: FindingsReport {
    var groups: [FindingsReport.Group] = []
    if !findings.isEmpty || !accepted.isEmpty {
      groups.append(
        FindingsReport.Group(
          name: "project",
          entries: findings.map { FindingsReport.Entry($0) }
            + accepted.map { FindingsReport.Entry($0.finding, acceptance: $0.reason) },
          threshold: threshold
        )
      )
    }
    for model in models {
      for path in model.paths {
        let accepted = Dictionary(
          path.accepted.map { ($0.finding, $0.reason) },
          uniquingKeysWith: { first, _ in first }
        )
        let judged = path.judged
        let known = Set(judged)
        let reasons = (path.app.findings + path.findings).filter { !known.contains($0) }
        groups.append(
          FindingsReport.Group(
            name: "\(model.name)/\(model.title(of: path))",
            file: model.file(of: path.source),
            entries: judged.map { FindingsReport.Entry($0, acceptance: accepted[$0]) }
              + reasons.map { FindingsReport.Entry($0.asReason) },
            threshold: threshold
          )
        )
      }
    }
    return FindingsReport(verb: "coverage", groups: groups)
  }

  /// Returns the report with each finding at its file and line, and each file as a shown path.
  ///
  /// - Parameters:
  ///   - place: Returns a finding, which may be a model's, with its file and line.
  ///   - file: The path as it is shown.
  package func placed(
    _ place: (_ finding: Finding, _ model: String?) -> Finding,
    file: (String) -> String
  ) -> CoverageReport {
    var report = self
    report.findings = findings.map { place($0, nil) }
    for index in accepted.indices {
      report.accepted[index].finding = place(accepted[index].finding, nil)
    }
    for model in report.models.indices {
      let name = models[model].name
      func placed(_ finding: Finding) -> Finding { place(finding, name) }
      for node in report.models[model].nodes.indices {
        report.models[model].nodes[node].files = models[model].nodes[node].files.map(file)
      }
      for edge in report.models[model].edges.indices {
        report.models[model].edges[edge].findings = models[model].edges[edge].findings.map(placed)
        for origin in models[model].edges[edge].origins.indices {
          report.models[model].edges[edge].summary.origins[origin].path =
            file(models[model].edges[edge].origins[origin].path)
        }
      }
      for index in report.models[model].paths.indices {
        var path = models[model].paths[index]
        path.app.findings = path.app.findings.map(placed)
        path.findings = path.findings.map(placed)
        if let found = path.trial?.findings { path.trial?.findings = found.map(placed) }
        for accepted in path.accepted.indices {
          path.accepted[accepted].finding = placed(path.accepted[accepted].finding)
        }
        path.store = path.store.map(file)
        report.models[model].paths[index] = path
      }
    }
    return report
  }
}
