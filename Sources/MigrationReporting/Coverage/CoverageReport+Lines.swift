import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport {
  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    let failing = findings.filter { $0.severity >= threshold }
    if !failing.isEmpty {
      lines.append("\("Fails", .strong)")
      lines += Self.lines(failing, isVerbose: isVerbose)
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
    lines += findings.filter { $0.severity < threshold }
      .section("Findings", isVerbose: isVerbose)
    if !accepted.isEmpty {
      lines += ["", "\("Accepted", .strong)"] + accepted.flatMap(\.lines)
    }
    return lines + [""] + summary
  }

  /// How many findings are told with their fixes, and how many rows a table has, before both are made
  /// short; and how many causes of the findings are told then.
  private static let limit = (findings: 6, causes: 4, rows: 12)

  /// What fails; of many only the first causes, and without the fix that each would repeat.
  private static func lines(_ failing: [Finding], isVerbose: Bool) -> [StyledText] {
    guard !isVerbose, failing.count > limit.findings else {
      return failing.flatMap { $0.withoutFile.lines(indentation: 2) }
    }
    let causes = failing.byCause
    let shown = causes.prefix(limit.causes).flatMap { $0.lines(indentation: 2) }
    let codes = Set(failing.map(\.code.rawValue)).sorted(by: ByteOrder.precedes)
    let explained = codes.map { "`waystone rules \($0)`" }.joined(separator: ", ")
    let rest = causes.count - limit.causes
    let more = rest > 0 ? "And \(Quantity.count(rest, "more cause")): --verbose. " : ""
    return shown
      + TerminalText.wrapped("\(more)What to do: \(explained).", indentation: 2).map {
        "  " + StyledText($0, .faint)
      }
  }

  private func lines(of model: Model, isVerbose: Bool) -> [StyledText] {
    let current = model.nodes.first(where: \.isCurrent)?.name ?? ""
    let count = model.nodes.reduce(0) { $0 + $1.names.count }
    var lines: [StyledText] = [
      "\(model.name, .strong)  \(Quantity.count(count, "version")) to \(model.short(current), .strong)"
    ]
    if model.paths.isEmpty {
      lines += ["", "  Nothing to look at: no other version was shipped."]
    } else {
      lines += [""] + tableLines(of: model, isVerbose: isVerbose)
    }
    let groups = GapGroup.groups(of: model, threshold: threshold, runtime)
    for (heading, list) in [
      ("Gaps", groups.gaps), ("To look at", groups.others),
    ] where !list.isEmpty {
      lines += ["", "  \(heading, .strong)"]
      lines +=
        isVerbose
        ? list.flatMap { $0.lines(isVerbose: true) }
        : GapCause.lines(of: list, limit: heading == "Gaps" ? 2 : 1, in: model)
    }
    for accepted in acceptedLines(of: model) { lines.append(accepted) }
    lines += trialLines(of: model, isVerbose: isVerbose)
    return isVerbose ? lines + ["", "  " + StyledText(model.counts.text, .faint)] : lines
  }

  /// The paths as a table, with what is lost where that leaves room.
  private func tableLines(of model: Model, isVerbose: Bool) -> [StyledText] {
    let isFolded = !isVerbose && model.paths.count > Self.limit.rows
    func lines(_ isShort: (app: Bool, waystone: Bool)) -> [StyledText] {
      table(of: model, isFolded: isFolded, isShort: isShort).lines(indentation: 2)
    }
    for isShort in [(app: false, waystone: false), (app: true, waystone: false)] {
      let found = lines(isShort)
      if isVerbose || found.allSatisfy({ $0.width <= TerminalText.columns }) { return found }
    }
    return lines((app: true, waystone: true))
  }

  /// The paths as a table, with what the app would do and what Waystone can do apart.
  ///
  /// - Parameters:
  ///   - isFolded: Whether versions of which the same becomes, one after the other, are one row.
  ///   - isShort: Whether what is lost is left out, in the app and with Waystone.
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
    let rows =
      isFolded
      ? PathRange.ranges(of: model, limit: Self.limit.rows)
        .map { ($0.look, $0.paths.map { model.paths[$0] }) }
      : model.paths.map { (PathLook($0), [$0]) }
    for (look, paths) in rows {
      let names = paths.flatMap { model.names(of: $0) }.map(model.short)
      let isRange = paths.count > 1
      var cells = [
        isRange
          ? "\(names[0]) – \(names[names.count - 1])  \("(\(names.count))", .faint)"
          : StyledText(names[0])
      ]
      if hasStores { cells.append(StyledText(paths[0].store ?? "")) }
      cells.append(appText(isShort.app ? look.inShort : look, paths))
      cells.append(wayText(isShort.waystone ? look.inShort : look, paths[0], model))
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

  private func appText(_ look: PathLook, _ paths: [Path]) -> StyledText {
    let text = StyledText(look.app.words, look.app.style)
    let isAccepted = paths.allSatisfy { path in
      path.app.kind != .arrives && path.app.kind != .keeps && path.arrives
    }
    return isAccepted ? text + "  \("accepted", .faint)" : text
  }

  private func wayText(_ look: PathLook, _ path: Path, _ model: Model) -> StyledText {
    let kinds = Set(model.kinds(of: path)).subtracting(["inferred"]).sorted()
    return StyledText(look.waystoneWords, look.needs.isEmpty ? look.waystone.style : .caution)
      + StyledText(kinds.isEmpty ? "" : "  \(kinds.joined(separator: ", "))", .faint)
  }

  private static func trialText(_ trials: [Trial]) -> StyledText {
    if trials.isEmpty { return "" }
    if trials.contains(where: { $0.failure != nil }) { return "\("failed", .bad)" }
    return trials.allSatisfy(\.isGood) ? "\("verified", .good)" : "\("not tried", .caution)"
  }

  private func acceptedLines(of model: Model) -> [StyledText] {
    let accepted = model.paths.flatMap { path in path.accepted.map { (path, $0) } }
    guard !accepted.isEmpty else { return [] }
    var lines: [StyledText] = ["", "  \("Accepted", .strong)"]
    for (path, one) in accepted {
      let subject = one.finding.place.subject ?? ""
      lines.append(
        "    \(one.finding.code.rawValue, .faint)  "
          + StyledText("\(model.short(model.nodes[path.source].name)) \(subject)")
          + StyledText(subject.isEmpty ? "" : "  ") + StyledText(one.reason, .faint)
      )
    }
    return lines
  }

  /// What all of it comes to.
  private var summary: [StyledText] {
    let totals = totals
    guard totals.paths > 0 else { return [verdict] }
    let looks = models.flatMap(\.paths).filter { $0.store == nil }
      .map { (look: PathLook($0), count: max(1, $0.versions.count)) }
    func count(_ isMeant: (PathLook) -> Bool) -> Int {
      looks.reduce(0) { $0 + (isMeant($1.look) ? $1.count : 0) }
    }
    let lossy = count { $0.app.name == "lossy" }
    let needy = count { look in
      !look.needs.isEmpty && look.needs.allSatisfy { ["needs code", "needs names"].contains($0) }
    }
    let words = AppOutcome.Kind.allCases.compactMap { kind -> String? in
      guard let count = totals.outcomes[kind], count > 0 else { return nil }
      let rest =
        kind == .arrives && lossy > 0
        ? " (\(Quantity.grouped(lossy)) \(lossy == 1 ? "drops" : "drop") data)" : ""
      return "\(Quantity.grouped(count)) \(kind.words.of(count))\(rest)"
    }
    var lines: [StyledText] = [
      "The app (\(runtime.rawValue)): of \(Quantity.count(totals.paths, "other shipped version")), "
        + StyledText(words.joined(separator: ", ")) + ".",
      "Waystone: \(totals.reachable) of \(totals.paths) have a path"
        + (needy == 0
          ? "."
          : "; \(Quantity.grouped(needy)) \(needy == 1 ? "lacks" : "lack") only names or code."),
    ]
    if models.count > 1 {
      let versions = models.reduce(0) { $0 + $1.nodes.reduce(0) { $0 + $1.names.count } }
      lines.append(
        StyledText(
          "\(Quantity.count(versions, "version")) in \(models.count) models, \(edgeTotals.text)"
        )
      )
    }
    return lines + [verdict]
  }

  private var verdict: StyledText {
    guard isComplete else { return gapText }
    let wasTried = models.contains { $0.paths.contains { $0.trial?.isGood == true } }
    return wantsTrials && !wasTried
      ? "\("No gap; nothing was tried.", .caution)" : completeText
  }

  /// That nothing holds the release, and what goes all the same.
  private var completeText: StyledText {
    let lossy = models.flatMap(\.paths).count { $0.worst.map { $0 >= .lossy } ?? false }
    guard lossy > 0 else { return "\("No gap.", .good)" }
    return "\("No gap.", .good) "
      + StyledText("\(Quantity.count(lossy, "path drops", "paths drop")) data by design.", .caution)
  }

  private var gapText: StyledText {
    let count = models.flatMap(\.paths).count { !$0.gaps(from: threshold).isEmpty }
    let failing = findings.count { $0.severity >= threshold }
    let parts =
      (count == 0 ? [] : [Quantity.count(count, "path has a gap", "paths have gaps")])
      + (failing == 0 ? [] : [Quantity.count(failing, "finding fails", "findings fail")])
    return "\(StyledText(parts.joined(separator: "; "), .bad))."
  }
}

extension CoverageReport.Model {
  /// A version's name without the model's before it.
  func short(_ version: String) -> String {
    version.hasPrefix(name + "/") ? String(version.dropFirst(name.count + 1)) : version
  }
}

extension CoverageReport.EdgeCounts {
  /// How many edges there are of each verdict, as a sentence.
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
