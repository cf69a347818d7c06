internal import MigrationPlanning
internal import ObjectModel
package import Waystone

extension CoverageReport {
  /// The report as JUnit's XML: a suite for each version that stores may be of, a case for each path.
  ///
  /// A case fails where the path is a gap: where the app itself fails or loses data silently, where
  /// there is no path, and where a trial failed, unless the project accepts that. It is skipped where
  /// the app's outcome is unknown, and where a trial of the path proves nothing. Waystone's outcome is
  /// always in the case's output.
  package var junit: String {
    var suites: [JUnitDocument.Suite] =
      findings.isEmpty && accepted.isEmpty ? [] : [findingsReport.suite(named: "project")]
    for model in models {
      var sources: [Int] = []
      for path in model.paths where !sources.contains(path.source) { sources.append(path.source) }
      for source in sources {
        let name = "\(model.name)/\(model.name(of: source))"
        let file = model.file(of: source)
        suites.append(
          JUnitDocument.Suite(
            name: name,
            file: file,
            properties: [("runtime", runtime.rawValue)],
            cases: model.paths.filter { $0.source == source }.map { path in
              JUnitDocument.Case(
                name: model.title(of: path),
                className: name,
                file: file,
                outcome: outcome(of: path),
                output: model.output(of: path)
              )
            }
          )
        )
      }
    }
    return JUnitDocument(name: "waystone coverage", suites: suites).text
  }

  private func outcome(of path: Path) -> JUnitDocument.Outcome {
    let gaps = path.gaps(from: threshold)
    guard let gap = gaps.first else {
      let isAccepted = path.accepted.contains { $0.finding.code == .trialFailed }
      guard let trial = path.trial, !trial.isGood, !isAccepted else { return .passed }
      return .skipped(trial.sentence(of: path))
    }
    let known = Set(gaps)
    let reasons = (path.app.findings + path.findings).filter {
      !known.contains($0) && $0.severity > .note
    }
    let (type, message) =
      switch gap.code {
      case .appFails: ("app-fails", path.app.summary)
      case .appLosesSilently: ("app-loses", path.app.summary)
      case .shippedWithoutPath: ("no-path", "Waystone has no path.")
      case .trialFailed: ("trial-failed", path.trial?.sentence(of: path) ?? gap.sentence())
      default: (gap.code.rawValue, gap.sentence())
      }
    return .failed(
      type: type,
      message: message,
      text: (gaps + (path.isReachable ? [] : reasons)).plainText(orElse: message)
    )
  }
}

extension CoverageReport.Model {
  fileprivate func output(of path: CoverageReport.Path) -> String {
    var lines = ["The app: \(path.app.summary)", "Waystone: \(PathStyle(path).waystoneWords)"]
    if let nodes = path.nodes, nodes.count > 1 { lines.append("  \(stops(nodes))") }
    if let bytes = path.bytesPerHundredMegabytes {
      lines.append("  writes \(Quantity.bytes(bytes)) for each 100 MB of store")
    }
    if let trial = path.trial { lines.append("  \(trial.sentence(of: path))") }
    lines += path.findings.map { "  \($0.code.rawValue)  \($0.sentence())" }
    return lines.map(TerminalText.escaped).joined(separator: "\n")
  }
}

extension FindingsReport {
  /// The report as JUnit's XML: a suite for the verb, a case for each checked thing.
  package var junit: String {
    let cases = groups.map { group in
      JUnitDocument.Case(
        name: group.name,
        className: "waystone.\(verb)",
        file: group.file,
        outcome: outcome(of: group),
        output: group.others.map(\.line).joined(separator: "\n")
      )
    }
    let suite = JUnitDocument.Suite(name: verb, cases: cases)
    return JUnitDocument(name: "waystone \(verb)", suites: [suite]).text
  }

  /// Returns the group of a name, as a suite with a case for each of its findings' codes.
  func suite(named name: String) -> JUnitDocument.Suite {
    let found = groups.filter { $0.name == name }
    return JUnitDocument.Suite(
      name: name,
      cases: found.map { group in
        JUnitDocument.Case(
          name: verb,
          className: name,
          file: group.file,
          outcome: outcome(of: group),
          output: group.others.map(\.line).joined(separator: "\n")
        )
      }
    )
  }

  private func outcome(of group: Group) -> JUnitDocument.Outcome {
    let failing = group.failures
    guard let first = failing.first?.finding else { return .passed }
    let more = failing.count > 1 ? " (and \(failing.count - 1) more)" : ""
    return .failed(
      type: first.code.rawValue,
      message: "\(first.code.rawValue) \(first.sentence())\(more)",
      text: failing.map(\.finding).plainText(orElse: "")
    )
  }
}

extension FindingsReport.Group {
  /// The findings that do not fail.
  fileprivate var others: [FindingsReport.Entry] {
    let failing = Set(failures)
    return entries.filter { !failing.contains($0) }
  }
}

extension FindingsReport.Entry {
  fileprivate var line: String {
    let accepted = acceptance.map { " (accepted: \($0))" } ?? ""
    return TerminalText.escaped("\(finding.code.rawValue)  \(finding.sentence())\(accepted)")
  }
}

extension [Finding] {
  /// Returns the findings with their remedies, a line each.
  fileprivate func plainText(orElse text: String) -> String {
    guard !isEmpty else { return TerminalText.escaped(text) }
    return flatMap { ["\($0.code.rawValue)  \($0.sentence())", "       \($0.remedy)"] }
      .map(TerminalText.escaped).joined(separator: "\n")
  }
}
