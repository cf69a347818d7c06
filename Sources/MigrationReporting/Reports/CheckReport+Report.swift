import ObjectModel
import Waystone

extension CheckReport: Report, MemberEncodable {
  package static let verb = "check"

  package var members: JSONMembers {
    let members: JSONMembers = ["clean": isClean, "mappings": mappings, "findings": findings]
    guard let versions else { return members }
    return members + [
      "failures": failures.count, "accepted": accepted,
      "lock": ["path": versions.lockPath, "versions": versions.lockedCount] as JSONMembers,
      "historyLosses": versions.historyLosses, "newVersions": versions.newVersions,
      "changedSince": changedSince, "leftOut": leftOut,
      "baseline": baselineName.map { ["file": $0, "known": known, "gone": gone] as JSONMembers },
    ] + (learned.isEmpty ? [:] : ["learned": learned])
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    let failing = findings.filter { $0.severity >= projectThreshold }.map(\.withoutFile)
    let failingMappings = mappings.flatMap { mapping in
      mapping.findings.filter { $0.severity >= threshold ?? .warning }
        .map { $0.placed(in: mapping.path) }
    }
    if !failing.isEmpty || !failingMappings.isEmpty {
      lines.append("\("Fails", .strong)")
      lines += (failing + failingMappings).lines(indentation: 2)
    }
    lines += mappingLines(isVerbose: isVerbose, after: lines.isEmpty)
    if let versions {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(of: versions)
    }
    lines += learnedLines
    lines += findings.filter { $0.severity < projectThreshold }.map(\.withoutFile)
      .section("Findings", isVerbose: isVerbose)
    if !accepted.isEmpty {
      lines += ["", "\("Accepted", .strong)"] + accepted.flatMap(\.lines)
    }
    if versions == nil, !mappings.isEmpty { lines += ["", totals] }
    if versions != nil {
      lines += acceptance(isVerbose: isVerbose) + [""] + outside + [totals]
      if isClean {
        lines.append(
          StyledText("What becomes of each version in the app: `waystone coverage`.", .faint)
        )
      }
    }
    return lines
  }

  /// Returns the mappings with the findings that do not fail; those without findings as a count.
  private func mappingLines(isVerbose: Bool, after isFirst: Bool) -> [StyledText] {
    if mappings.isEmpty, findings.isEmpty, versions == nil {
      return ["There is no mapping to check."]
    }
    var lines: [StyledText] = []
    var quiet = 0
    var hidden = 0
    for mapping in mappings {
      let others = mapping.findings.filter { $0.severity < threshold ?? .warning }
      let shown = others.filter { isVerbose || $0.severity > .note }
      let isQuiet = mapping.findings.allSatisfy { $0.severity == .note }
      hidden += others.count - shown.count
      if shown.isEmpty, !isVerbose {
        quiet += isQuiet ? 1 : 0
        continue
      }
      if !isFirst || !lines.isEmpty { lines.append("") }
      var line: StyledText = "\(mapping.path, .strong)"
      if let from = mapping.from, let to = mapping.to { line += "  \(from) → \(to)" }
      lines.append(line + (mapping.findings.isEmpty ? "  " + StyledText("no finding", .good) : ""))
      lines += shown.map { finding in
        var finding = finding
        if finding.place.line == nil { finding.place.file = nil }
        return finding
      }
      .lines(indentation: 2, about: mapping.to)
    }
    guard quiet + hidden > 0 else { return lines }
    if !isFirst || !lines.isEmpty { lines.append("") }
    if quiet > 0 {
      let words = hidden == 0 ? "findings" : "errors or warnings"
      lines.append(StyledText("\(Quantity.count(quiet, "mapping")) without \(words)", .good))
    }
    if hidden > 0 {
      let notes = "\(Quantity.count(hidden, "note")) on mappings; --verbose shows "
      lines.append(StyledText(notes + (hidden == 1 ? "it." : "them."), .faint))
    }
    return lines
  }

  /// The forms that stores show, and the lines that state them.
  private var learnedLines: [StyledText] {
    guard !learned.isEmpty else { return [] }
    let shown = learned.flatMap { learned -> [StyledText] in
      let rule =
        switch learned.assumed {
        case learned.form?: "as assumed"
        case let assumed?: "assumed was \(assumed)"
        case nil: "not known before"
        }
      let source = learned.isOfModel ? "its model" : "its hashes"
      let text =
        "\(learned.type): \(learned.form) (\(rule); \(learned.property), by \(source) in \(learned.store))"
      return TerminalText.wrapped(text, indentation: 4).enumerated().map { index, line in
        StyledText((index == 0 ? "  " : "    ") + line)
      }
    }
    return ["", "\("Measured here", .strong)"] + shown
      + ["", "To keep it without the store, add to waystone.yml:", "  swiftdata:", "    types:"]
      + learned.map { StyledText("      \($0.line)") }
  }

  /// The lines on what was left out.
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

  /// A line with the number of findings of each severity, and the codes that fail.
  private var totals: StyledText {
    let line = allFindings.counts
    let failing = failures
    return failing.isEmpty
      ? StyledText(line, .good) : "\(StyledText("\(line).", .bad)) " + StyledText(failing.failed)
  }

  /// Returns lines on how to accept losses, and on other failures that concern data.
  private func acceptance(isVerbose: Bool) -> [StyledText] {
    // Failures of the app alone do not count where Waystone migrates its stores.
    let losses = failures.filter { finding in
      finding.risk.map { $0 >= .conditional } == true || finding.code == .appOutcomeUnknown
        || finding.code == .shippedVersionStranded && finding.change == nil
          && finding.place.subject != nil
    }
    guard !losses.isEmpty else { return [] }
    let what =
      losses.allSatisfy { $0.risk.map { $0 >= .lossy } == true }
      ? "a loss that is meant" : "what is meant, or was tried"
    // One line accepts what a mapping and the app do alike.
    var seen: Set<String> = []
    let entries = losses.map(\.acceptanceEntry).filter { seen.insert($0).inserted }
    return [""]
      + StyledText.lines("To accept \(what), add to waystone.yml below `accept:`, with its reason:")
      + StyledText.acceptances(entries, isVerbose: isVerbose)
  }

  /// Returns the lines on a lock that is not there: the versions that count as shipped, and the losses
  /// that are not listed.
  private func unlocked(_ versions: Versions) -> [StyledText] {
    // In an unknown order, no version is before another.
    if findings.contains(where: \.leavesOrderOpen) {
      return []
    }
    var text =
      versions.newVersions.isEmpty
      ? ""
      : "\(versions.newVersions.joined(separator: ", ")) \(versions.newVersions.count == 1 ? "counts" : "count") "
        + "as new"
        + (versions.shippedCount > 0
          ? ", all other versions as shipped. Lock those: `waystone lock`." : ".")
    if versions.historyLosses > 0 {
      text +=
        " Their steps have \(Quantity.count(versions.historyLosses, "loss", "losses")), which users' "
        + "stores have had: `waystone check --all` lists them."
    }
    return TerminalText.wrapped(text, indentation: 2).map { "  " + StyledText($0, .faint) }
  }

  private func lines(of versions: Versions) -> [StyledText] {
    guard let count = versions.lockedCount else {
      return ["\(versions.lockPath, .strong)  \("is not there", .caution)"] + unlocked(versions)
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
  /// Returns the finding of a mapping, which is named instead of the version.
  fileprivate func placed(in path: String) -> Finding {
    var finding = self
    finding.place.file = place.file ?? path
    finding.place.version = nil
    return finding
  }

  /// The finding for text output, which names the version rather than the file, unless the finding has a
  /// line.
  var withoutFile: Finding {
    guard place.version != nil, place.line == nil else { return self }
    var finding = self
    finding.place.file = nil
    return finding
  }
}

extension CheckReport.Mapping: MemberEncodable {
  package var members: JSONMembers {
    ["path": path, "from": from, "to": to, "findings": findings]
  }
}
