package import ObjectModel

/// What a check has to say: of mappings, one by one, and of the project as a whole.
package struct CheckReport: Report {
  package static let verb = "check"

  /// A mapping that was looked at.
  package struct Mapping: Hashable, Sendable {
    /// The file.
    package var path: String
    /// The version that it leaves, where it is bound.
    package var from: String?
    /// The version that it leads to, where it is bound.
    package var to: String?
    /// What is to be said of it.
    package var findings: [Finding]

    /// A mapping with what was found.
    package init(path: String, from: String?, to: String?, findings: [Finding]) {
      self.path = path
      self.from = from
      self.to = to
      self.findings = findings
    }
  }

  /// A finding that the project lets pass.
  package struct Accepted: Hashable, Sendable {
    /// The finding.
    package var finding: Finding
    /// Why it passes.
    package var reason: String

    /// A finding with the reason.
    package init(finding: Finding, reason: String) {
      self.finding = finding
      self.reason = reason
    }
  }

  /// The project's versions, where they were checked too.
  package struct Project: Hashable, Sendable {
    /// The path of the lock.
    package var lockPath: String
    /// How many versions are locked; nil where there is no lock.
    package var lockedCount: Int?
    /// The names of the versions that are new: not locked.
    package var newVersions: [String]
    /// How many versions were shipped.
    package var shippedCount: Int

    /// A project.
    package init(lockPath: String, lockedCount: Int?, newVersions: [String], shippedCount: Int) {
      self.lockPath = lockPath
      self.lockedCount = lockedCount
      self.newVersions = newVersions
      self.shippedCount = shippedCount
    }
  }

  /// The mappings.
  package var mappings: [Mapping]
  /// What is to be said of several together, and of the project.
  package var findings: [Finding]
  /// What is found and accepted.
  package var accepted: [Accepted] = []
  /// The project; nil where only mappings were checked.
  package var project: Project?
  /// The least severity that fails; nil where the project does not say, so that warnings fail on
  /// mappings and errors on all else.
  package var threshold: Finding.Severity?

  /// A check of some mappings.
  package init(mappings: [Mapping], findings: [Finding]) {
    self.mappings = mappings
    self.findings = findings
  }

  /// Everything that was found and not accepted, each with the file that it is about where one is
  /// known.
  package var allFindings: [Finding] {
    mappings.flatMap { mapping in
      mapping.findings.map { finding in
        var finding = finding
        finding.place.file = finding.place.file ?? mapping.path
        return finding
      }
    } + findings
  }

  /// The least severity that fails beside mappings.
  var projectThreshold: Finding.Severity { threshold ?? (project == nil ? .warning : .error) }

  /// What makes the answer no.
  package var failures: [Finding] {
    let shared = findings.filter { $0.severity >= projectThreshold }
    return mappings.flatMap(\.findings).filter { $0.severity >= threshold ?? .warning } + shared
  }

  /// Whether nothing makes the answer no.
  package var isClean: Bool { failures.isEmpty }

  package var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "clean": .boolean(isClean),
      "mappings": .array(
        mappings.map { mapping in
          [
            "path": .string(mapping.path),
            "from": JSONValue(mapping.from),
            "to": JSONValue(mapping.to),
            "findings": .array(mapping.findings.map(\.json)),
          ]
        }
      ),
      "findings": .array(findings.map(\.json)),
    ]
    guard let project else { return members }
    members["failures"] = JSONValue(failures.count)
    members["accepted"] = .array(
      accepted.map { ["finding": $0.finding.json, "reason": .string($0.reason)] }
    )
    members["lock"] = [
      "path": .string(project.lockPath),
      "versions": JSONValue(project.lockedCount),
    ]
    members["newVersions"] = JSONValue(project.newVersions)
    return members
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for mapping in mappings {
      let shown = mapping.findings.filter { isVerbose || $0.severity > .note }
      if !lines.isEmpty { lines.append("") }
      var line: StyledText = "\(mapping.path, .strong)"
      if let from = mapping.from, let to = mapping.to { line += "  \(from) → \(to)" }
      lines.append(line + (shown.isEmpty ? "  " + StyledText("good", .good) : ""))
      lines += shown.flatMap { finding in
        var finding = finding
        finding.place.file = nil
        return finding.lines(indentation: 2, about: mapping.to)
      }
    }
    if mappings.isEmpty, project == nil { lines.append("There is no mapping to check.") }
    if let project {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(of: project)
    }
    lines += findings.map(\.withoutFile).section("Findings", isVerbose: isVerbose)
    if !accepted.isEmpty {
      lines += ["", "\("Accepted", .strong)"]
      lines += accepted.flatMap { accepted in
        var quiet = accepted.finding.withoutFile
        quiet.severity = .note
        return quiet.lines(indentation: 2) + [
          "         " + StyledText("accepted: \(accepted.reason)", .faint)
        ]
      }
    }
    if project != nil {
      let count = failures.count
      lines += [
        "",
        count == 0
          ? "\("good", .good)" : "\(Quantity.count(count, "finding fails", "findings fail"), .bad)",
      ]
    }
    return lines
  }

  private func lines(of project: Project) -> [StyledText] {
    guard let count = project.lockedCount else {
      return ["\(project.lockPath, .strong)  \("is not there", .caution)"]
    }
    let drifts = findings.contains { LockRules.areBroken(by: $0) }
    var line: StyledText = "\(project.lockPath, .strong)  \(Quantity.count(count, "version"))"
    line +=
      drifts ? "  " + StyledText("not as they were locked", .bad) : "  " + StyledText("good", .good)
    guard !project.newVersions.isEmpty else { return [line] }
    let names = TerminalText.wrapped(project.newVersions.joined(separator: ", "), columns: 86)
    return [line]
      + names.enumerated().map { index, text in
        (index == 0 ? "  new  " : "       ") + StyledText(text)
      }
  }
}

extension Finding {
  /// The finding as text tells it, which names the version rather than the file where it can.
  var withoutFile: Finding {
    guard place.version != nil else { return self }
    var finding = self
    finding.place.file = nil
    finding.place.line = nil
    return finding
  }
}

/// Which findings say that something is not as it was locked.
package enum LockRules {
  /// Whether a finding says so.
  package static func areBroken(by finding: Finding) -> Bool {
    switch finding.code {
    case .shippedVersionRehashed, .shippedVersionEdited, .lockedOrderChanged,
      .lockedVersionMissing:
      finding.severity == .error
    default: false
    }
  }
}
