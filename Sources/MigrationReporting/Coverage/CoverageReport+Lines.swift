import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport {
  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    let failing = findings.filter { $0.severity >= threshold }
    if !failing.isEmpty {
      let hasGaps = models.flatMap(\.paths).contains { !$0.gaps(from: threshold).isEmpty }
      lines.append("\("Fails", .strong)" + (hasGaps ? ", besides the gaps below" : ""))
      lines += failing.map(\.withoutFile)
        .lines(indentation: 2, isShort: !isVerbose && failing.count > Self.findingLimit)
    }
    for model in models {
      if !lines.isEmpty { lines.append("") }
      lines += self.lines(of: model, isVerbose: isVerbose)
    }
    if models.isEmpty {
      lines.append(
        changedSince.map { "Nothing that a path rests on differs from \($0, .strong)." }
          ?? "No model here."
      )
    }
    let others = findings.filter { $0.severity < threshold }
    // Findings without advice are left out beside the gaps of many versions.
    if isComplete || !models.contains(where: { isFolded($0, isVerbose) })
      || others.contains(where: { $0.severity > .note })
    {
      lines += others.section("Findings", isVerbose: isVerbose)
    }
    if !accepted.isEmpty {
      lines += ["", "\("Accepted", .strong)"] + accepted.flatMap(\.lines)
    }
    return lines + acceptance(isVerbose: isVerbose) + [""] + summary
  }

  /// The number of findings that are shown with their advice.
  private static let findingLimit = 6

  /// The number of rows above which a table is folded.
  private static let rowLimit = 12

  private func lines(of model: Model, isVerbose: Bool) -> [StyledText] {
    let current = model.nodes.first(where: \.isCurrent)?.name ?? ""
    let count = model.nodes.reduce(0) { $0 + $1.names.count }
    var lines: [StyledText] = [
      "\(model.name, .strong)  \(Quantity.count(count, "version")) to \(model.short(current), .strong)"
    ]
    if model.paths.isEmpty {
      let isUnknown = findings.contains(where: \.leavesOrderOpen)
      lines += [
        "",
        isUnknown
          ? "  The order of the versions is not known."
          : "  Nothing to look at: no other version was shipped.",
      ]
    } else {
      lines += [""] + tableLines(of: model, isVerbose: isVerbose)
    }
    let groups = GapGroup.groups(of: model, threshold: threshold, runtime)
    let isFolded = isFolded(model, isVerbose)
    // Beside gaps of many versions, what is no gap can wait.
    let waits = isFolded && !groups.gaps.isEmpty && !groups.others.isEmpty
    for (heading, list) in [
      ("Gaps", groups.gaps),
      ("Warnings", waits ? [] : groups.others.filter { $0.finding.severity > .note }),
      ("Notes", waits ? [] : groups.others.filter { $0.finding.severity == .note }),
    ] where !list.isEmpty {
      lines += ["", "  \(heading, .strong)"]
      lines +=
        isVerbose
        ? list.flatMap { $0.lines(isVerbose: true) }
        : GapCause.lines(of: list, in: model, isShort: isFolded)
    }
    if waits {
      let count = Quantity.count(
        groups.others.count,
        "more warning or note",
        "more warnings or notes"
      )
      lines.append(StyledText("    \(count): --verbose.", .faint))
    }
    for accepted in acceptedLines(of: model) { lines.append(accepted) }
    lines += trialLines(of: model, isVerbose: isVerbose)
    guard isVerbose, let counts = model.counts else { return lines }
    return lines + ["", "  " + StyledText(counts.text, .faint)]
  }

  /// Returns whether consecutive versions of the same outcome are one row.
  private func isFolded(_ model: Model, _ isVerbose: Bool) -> Bool {
    !isVerbose && model.paths.count > Self.rowLimit
  }

  /// Returns the paths as a table, with the lost data where there is room.
  private func tableLines(of model: Model, isVerbose: Bool) -> [StyledText] {
    let isFolded = isFolded(model, isVerbose)
    func lines(_ isShort: (app: Bool, waystone: Bool)) -> [StyledText] {
      table(of: model, isFolded: isFolded, isShort: isShort).lines(indentation: 2)
    }
    for isShort in [(app: false, waystone: false), (app: true, waystone: false)] {
      let found = lines(isShort)
      if isVerbose || found.allSatisfy({ $0.width <= TerminalText.columns }) { return found }
    }
    return lines((app: true, waystone: true))
  }

  /// Returns the paths as a table, with separate columns for the app and for Waystone.
  ///
  /// - Parameters:
  ///   - isFolded: Whether consecutive versions of the same outcome are one row.
  ///   - isShort: Whether the names of lost data are left out, in the app and with Waystone.
  private func table(
    of model: Model,
    isFolded: Bool,
    isShort: (app: Bool, waystone: Bool)
  ) -> TextTable {
    let hasStores = model.paths.contains { $0.store != nil }
    let hasBytes = model.paths.contains { $0.bytesPerHundredMegabytes != nil }
    let hasTrials = model.paths.contains { $0.trial != nil }
    var columns: [(heading: String, alignment: TextTable.Alignment)] = [("from", .left)]
    if hasStores { columns.append(("store", .left)) }
    columns += [("in the app", .left), ("with Waystone", .left)]
    if hasBytes { columns.append(("writes per 100 MB", .right)) }
    if hasTrials { columns.append(("trial", .left)) }
    var table = TextTable(columns)
    let order = model.lookedAt
    let rows =
      isFolded
      ? PathRange.ranges(of: model, limit: Self.rowLimit)
        .map { ($0.look, $0.paths.map { model.paths[$0] }) }
      : model.paths.map { (PathStyle($0), [$0]) }
    for (look, paths) in rows {
      let names = paths.flatMap { model.names(of: $0) }.map(model.short)
      let isRange = paths.count > 1
      let range = VersionRuns(names, in: order)
      var cells = [
        isRange
          ? StyledText(range.ranges()) + "  \("(\(range.count))", .faint)"
          : StyledText(names[0])
      ]
      if hasStores { cells.append(StyledText(paths[0].store ?? "")) }
      cells.append(appText(isShort.app ? look.inShort : look, paths))
      cells.append(pathText(isShort.waystone ? look.inShort : look, paths[0], model))
      if hasBytes {
        let bytes = paths.compactMap(\.bytesPerHundredMegabytes).max()
        cells.append(bytes.map { StyledText(Quantity.bytes($0)) } ?? "")
      }
      if hasTrials { cells.append(Self.trialText(paths.compactMap(\.trial))) }
      table.append(cells)
      for name in isRange ? [] : names.dropFirst() {
        table.append([StyledText(name), StyledText("= \(names[0])", .faint)])
      }
    }
    return table
  }

  private func appText(_ look: PathStyle, _ paths: [Path]) -> StyledText {
    let text = StyledText(look.app.words, look.app.style)
    let isAccepted = paths.allSatisfy { path in
      !path.app.kind.isArrival && path.arrives
    }
    return isAccepted ? text + "  \("accepted", .faint)" : text
  }

  private func pathText(_ look: PathStyle, _ path: Path, _ model: Model) -> StyledText {
    let kinds = Set(model.kinds(of: path)).subtracting(["inferred"]).sorted()
    return StyledText(look.waystoneWords, look.needs.isEmpty ? look.waystone.style : .caution)
      + StyledText(kinds.isEmpty ? "" : "  \(kinds.joined(separator: ", "))", .faint)
  }

  private static func trialText(_ trials: [Trial]) -> StyledText {
    if trials.isEmpty { return "" }
    if trials.contains(where: { $0.failure != nil }) { return "\("failed", .bad)" }
    guard trials.allSatisfy(\.isGood) else { return "\("not tried", .caution)" }
    return trials.allSatisfy(\.unmetConditions.isEmpty)
      ? "\("verified", .good)" : "\("verified in part", .caution)"
  }
}

extension CoverageReport.Model {
  /// Returns a version's name without the model's before it.
  func short(_ version: String) -> String {
    version.hasPrefix(name + "/") ? String(version.dropFirst(name.count + 1)) : version
  }
}

extension CoverageReport.EdgeCounts {
  /// A sentence with the number of edges of each verdict.
  var text: String {
    guard all > 0 else { return "No edges." }
    let counts = [
      (equivalent, "equivalent to the history"), (notEquivalent, "not equivalent"),
      (unknown, "unknown"), (refused, "without a mapping"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) \($0.1)" }
    return "\(Quantity.count(all, "edge")): \(words.joined(separator: ", "))."
  }
}
