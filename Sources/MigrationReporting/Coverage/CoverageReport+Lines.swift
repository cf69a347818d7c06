import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport {
  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    let failing = findings.filter { $0.severity >= threshold }
    if !failing.isEmpty {
      lines.append("\("Fails", .strong)")
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
    // What asks for nothing is left out beside the gaps of many versions.
    if isComplete || !models.contains(where: { isFolded($0, isVerbose) })
      || others.contains(where: { $0.severity > .note })
    {
      lines += others.section("Findings", isVerbose: isVerbose)
    }
    if !accepted.isEmpty {
      lines += ["", "\("Accepted", .strong)"] + accepted.flatMap(\.lines)
    }
    return lines + acceptance + [""] + summary
  }

  /// The lines that accept why versions do not arrive, and names that may be guessed; a few as
  /// examples.
  private var acceptance: [StyledText] {
    let paths = models.flatMap(\.paths)
    let guesses = paths.flatMap { path in
      path.missing.filter { $0.code == .unprovenName }
    }
    let acceptable = (paths.flatMap(\.acceptable) + guesses).filter { $0.place.subject != nil }
    // Who accepts that no path leads on accepts that the app has none, too.
    let wide = Set(
      acceptable.filter { $0.code == .shippedVersionStranded && $0.change != nil }.map(\.place)
    )
    var seen: Set<String> = []
    let narrow = { (finding: Finding) in
      finding.code == .shippedVersionStranded && finding.change == nil
        && wide.contains(finding.place)
    }
    let entries = acceptable.filter { !narrow($0) }
      .map(\.acceptanceEntry).filter { seen.insert($0).inserted }
    guard !entries.isEmpty else { return [] }
    var lines: [StyledText] = [
      "",
      "To accept what was tried, or is meant, add to waystone.yml below `accept:`, with its reason:",
    ]
    lines += entries.prefix(Self.exampleLimit).map { StyledText("  - \($0)", .faint) }
    let rest = entries.count - Self.exampleLimit
    if rest > 0 {
      lines.append(StyledText("  and a line for each of \(rest) more.", .faint))
    }
    return lines
  }

  /// How many findings have a line that accepts them.
  private static let exampleLimit = 3

  /// How many findings are told with their advice.
  private static let findingLimit = 6

  /// How many rows a table has before it is folded.
  private static let rowLimit = 12

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
    let isFolded = isFolded(model, isVerbose)
    // Beside gaps of many versions, what is no gap can wait.
    let waits = isFolded && !groups.gaps.isEmpty && !groups.others.isEmpty
    for (heading, list) in [
      ("Gaps", groups.gaps), ("Warnings", waits ? [] : groups.others),
    ] where !list.isEmpty {
      lines += ["", "  \(heading, .strong)"]
      lines +=
        isVerbose
        ? list.flatMap { $0.lines(isVerbose: true) }
        : GapCause.lines(of: list, in: model, isShort: isFolded)
    }
    if waits {
      let count = Quantity.count(groups.others.count, "more warning")
      lines.append(StyledText("    \(count): --verbose.", .faint))
    }
    for accepted in acceptedLines(of: model) { lines.append(accepted) }
    lines += trialLines(of: model, isVerbose: isVerbose)
    return isVerbose ? lines + ["", "  " + StyledText(model.counts.text, .faint)] : lines
  }

  /// Whether versions of which the same becomes, one after the other, are one row.
  private func isFolded(_ model: Model, _ isVerbose: Bool) -> Bool {
    !isVerbose && model.paths.count > Self.rowLimit
  }

  /// The paths as a table, with what is lost where that leaves room.
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
      ? PathRange.ranges(of: model, limit: Self.rowLimit)
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
      !path.app.kind.isArrival && path.arrives
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
    // What is accepted of several versions alike is told once.
    var keys: [[String]] = []
    var versions: [[String]: [String]] = [:]
    for (path, one) in accepted {
      let key = [one.finding.code.rawValue, one.finding.place.subject ?? "", one.reason]
      if versions[key] == nil { keys.append(key) }
      versions[key, default: []] += model.names(of: path).map(model.short)
    }
    for key in keys {
      let names = GapGroup.text(of: versions[key] ?? [])
      lines.append(
        "    \(key[0], .faint)  " + StyledText("\(names) \(key[1])")
          + StyledText(key[1].isEmpty ? "" : "  ") + StyledText(key[2], .faint)
      )
    }
    return lines
  }

  /// What all of it comes to.
  private var summary: [StyledText] {
    let totals = totals
    guard totals.paths > 0 else { return [verdict] }
    let looks = looks
    var lines: [StyledText] = [
      "The app (\(runtime.rawValue)): of \(Quantity.count(totals.paths, "older version")), "
        + StyledText(Self.appWords(looks)) + ".",
      "Waystone: \(totals.reachable) of \(totals.paths) can migrate"
        + StyledText(Self.needsWords(looks)) + ".",
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

  /// What becomes of versions in the app, each with the number of versions, the worst first.
  private var looks: [(look: PathLook, count: Int)] {
    models.flatMap(\.paths).filter { $0.store == nil }
      .map { (look: PathLook($0), count: max(1, $0.versions.count)) }
  }

  private static func appWords(_ looks: [(look: PathLook, count: Int)]) -> String {
    let words: [(name: String, one: String, many: String)] = [
      ("fails", "fails", "fail"),
      ("loses", "loses or changes data silently", "lose or change data silently"),
      ("unknown", "is unknown", "are unknown"),
      ("keeps", "keeps what the history drops", "keep what the history drops"),
      ("lossy", "drops data", "drop data"),
      ("otherDefaults", "arrives with other defaults", "arrive with other defaults"),
      ("depends", "arrives if the data fit", "arrive if the data fit"),
      ("arrives", "arrives without loss", "arrive without loss"),
    ]
    return words.compactMap { word in
      let count = looks.reduce(0) { $0 + ($1.look.app.name == word.name ? $1.count : 0) }
      guard count > 0 else { return nil }
      return "\(Quantity.grouped(count)) \(count == 1 ? word.one : word.many)"
    }
    .joined(separator: ", ")
  }

  /// How many paths wait for something, by what they need.
  private static func needsWords(_ looks: [(look: PathLook, count: Int)]) -> String {
    var counts: [(needs: String, count: Int)] = []
    for (look, count) in looks where !look.needs.isEmpty {
      let needs = look.needs.joined(separator: ", ")
      if let place = counts.firstIndex(where: { $0.needs == needs }) {
        counts[place].count += count
      } else {
        counts.append((needs, count))
      }
    }
    return counts.map { needs, count in
      let words = count == 1 ? needs : needs.replacing("needs ", with: "need ")
      return "; \(Quantity.grouped(count)) \(words)"
    }.joined()
  }

  private var verdict: StyledText {
    guard isComplete else { return gapText }
    guard let doubt else { return completeText }
    return StyledText("\(doubt.prefix(1).uppercased())\(doubt.dropFirst()).", .caution)
  }

  /// What a report without a gap does not prove; nil where nothing is left to prove.
  package var doubt: String? {
    let paths = models.flatMap(\.paths)
    guard !paths.isEmpty else { return "nothing was looked at" }
    let count = untriedPaths.count
    guard count > 0 else { return nil }
    return "not proven: \(count) of \(Quantity.count(paths.count, "path")) "
      + "\(count == 1 ? "has" : "have") no trial that arrived"
  }

  /// That nothing holds the release, what goes all the same, and what is not proven.
  private var completeText: StyledText {
    let paths = models.flatMap(\.paths)
    let lossy = paths.count { $0.worst.map { $0 >= .lossy } ?? false }
    let doubtful = paths.count(where: \.dependsOnData)
    let totals = totals
    let stuck = totals.paths - totals.reachable
    var text: StyledText = "\("No gap.", .good)"
    if stuck > 0 {
      let words = "Waystone cannot migrate \(Quantity.count(stuck, "version")) yet."
      text = "\("No gap in the app.", .good) " + StyledText(words, .caution)
    }
    if lossy > 0 {
      let words = "\(Quantity.count(lossy, "path drops", "paths drop")) data by design."
      text += " " + StyledText(words, .caution)
    }
    if doubtful > 0 {
      let words =
        "Not proven: \(Quantity.count(doubtful, "path arrives", "paths arrive")) only if the data fit."
      text += " " + StyledText(words, .caution)
    }
    return text
  }

  private var gapText: StyledText {
    let count = models.flatMap(\.paths).reduce(0) {
      $0 + ($1.gaps(from: threshold).isEmpty ? 0 : max(1, $1.versions.count))
    }
    let failing = findings.count { $0.severity >= threshold }
    let parts =
      (count == 0 ? [] : [Quantity.count(count, "version has a gap", "versions have gaps")])
      + (failing == 0
        ? [] : ["\(Quantity.count(failing, "finding fails", "findings fail")): `waystone check`"])
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
