import ObjectModel
import Waystone

extension CheckReport: Report {
  package static let verb = "check"

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
    guard let versions else { return members }
    members["failures"] = JSONValue(failures.count)
    members["accepted"] = .array(accepted.map(\.json))
    members["lock"] = [
      "path": .string(versions.lockPath),
      "versions": JSONValue(versions.lockedCount),
    ]
    members["newVersions"] = JSONValue(versions.newVersions)
    members["changedSince"] = JSONValue(changedSince)
    members["leftOut"] = JSONValue(leftOut)
    members["baseline"] =
      baselineName.map {
        ["file": .string($0), "known": JSONValue(known), "gone": JSONValue(gone)]
      } ?? .null
    return members
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    let failing = findings.filter { $0.severity >= projectThreshold }
    if !failing.isEmpty {
      lines.append("\("Fails", .strong)")
      lines += failing.flatMap { $0.withoutFile.lines(indentation: 2) }
    }
    for mapping in mappings {
      let shown = mapping.findings.filter { isVerbose || $0.severity > .note }
      if !lines.isEmpty { lines.append("") }
      var line: StyledText = "\(mapping.path, .strong)"
      if let from = mapping.from, let to = mapping.to { line += "  \(from) → \(to)" }
      lines.append(line + (shown.isEmpty ? "  " + StyledText("no finding", .good) : ""))
      lines += shown.flatMap { finding in
        var finding = finding
        if finding.place.line == nil { finding.place.file = nil }
        return finding.lines(indentation: 2, about: mapping.to)
      }
    }
    if mappings.isEmpty, versions == nil { lines.append("There is no mapping to check.") }
    if let versions {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(of: versions)
    }
    lines += findings.filter { $0.severity < projectThreshold }.map(\.withoutFile)
      .section("Findings", isVerbose: isVerbose)
    if !accepted.isEmpty {
      lines += ["", "\("Accepted", .strong)"] + accepted.flatMap(\.lines)
    }
    if versions != nil { lines += [""] + totals + outside }
    return lines
  }

  /// What was left out, in a line each.
  private var outside: [StyledText] {
    var lines: [StyledText] = []
    if let baselineName {
      lines.append(
        StyledText("\(baselineName) has \(Quantity.count(known, "finding")) more.", .faint)
      )
      if gone > 0 {
        let text =
          "\(Quantity.count(gone, "finding is", "findings are")) there no more: write it anew."
        lines.append("\(text, .faint)")
      }
    }
    if let changedSince {
      let text =
        "\(Quantity.count(leftOut, "finding")) on what is as it was in \(changedSince) "
        + "\(leftOut == 1 ? "is" : "are") left out."
      lines.append(StyledText(text, .faint))
    }
    return lines
  }

  /// How many findings there are of each severity, and which of them fail.
  private var totals: [StyledText] {
    let all = allFindings
    let counts = Finding.Severity.allCases.reversed().map { severity in
      Quantity.count(all.count { $0.severity == severity }, severity.rawValue)
    }
    let line = counts.joined(separator: ", ")
    let failing = failures
    guard let first = failing.first else {
      return [
        StyledText(line, .good),
        StyledText("What becomes of each version in the app: `waystone coverage`.", .faint),
      ]
    }
    var lines = [
      "\(StyledText(line, .bad)); "
        + StyledText("\(Quantity.count(failing.count, "finding fails", "findings fail")).")
    ]
    if first.isLoss {
      if versions?.lockedCount == nil {
        lines.append(
          "If users have these versions already, lock them by name: `waystone lock VERSION`."
        )
      }
      lines += ["To accept losses, add to waystone.yml below `accept:`, each with its reason:"]
      lines += failing.filter(\.isLoss).map(\.acceptanceExample)
    }
    return lines
  }

  private func lines(of versions: Versions) -> [StyledText] {
    guard let count = versions.lockedCount else {
      return ["\(versions.lockPath, .strong)  \("is not there", .caution)"]
    }
    let drifts = findings.contains(where: \.breaksLock)
    var line: StyledText = "\(versions.lockPath, .strong)  \(Quantity.count(count, "version"))"
    line +=
      drifts
      ? "  " + StyledText("not as they were locked", .bad) : "  " + StyledText("as locked", .good)
    guard !versions.newVersions.isEmpty else { return [line] }
    let names = TerminalText.wrapped(versions.newVersions.joined(separator: ", "), indentation: 10)
    return [line]
      + names.enumerated().map { index, text in
        (index == 0 ? "  new  " : "       ") + StyledText(text)
      }
  }
}

extension Finding {
  /// How `waystone.yml` accepts the finding, to be pasted.
  fileprivate var acceptanceExample: StyledText {
    let subject = place.subject.map { ", place: \($0)" } ?? ""
    let version = place.version.map { ", version: \"\($0)\"" } ?? ""
    return StyledText(
      "  - {code: \(code.rawValue)\(subject)\(version), reason: \"...\"}",
      .faint
    )
  }

  /// The finding as text tells it, which names the version rather than the file where it can, unless
  /// there is a line to go to.
  var withoutFile: Finding {
    guard place.version != nil, place.line == nil else { return self }
    var finding = self
    finding.place.file = nil
    return finding
  }
}
