package import ObjectModel

/// What a check has to say: of mappings, one by one.
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

  /// The mappings.
  package var mappings: [Mapping]
  /// What is to be said of several together.
  package var findings: [Finding]

  /// A check of some mappings.
  package init(mappings: [Mapping], findings: [Finding]) {
    self.mappings = mappings
    self.findings = findings
  }

  /// Whether nothing asks for attention.
  package var isClean: Bool {
    (mappings.flatMap(\.findings) + findings).allSatisfy { $0.severity == .note }
  }

  package var members: [String: JSONValue] {
    [
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
    if mappings.isEmpty { lines.append("There is no mapping to check.") }
    return lines + findings.section("Findings", isVerbose: isVerbose)
  }
}
