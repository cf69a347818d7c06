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
  /// short.
  private static let limit = (findings: 6, rows: 12)

  /// What fails; of many only the first, and without the fix that each would repeat.
  private static func lines(_ failing: [Finding], isVerbose: Bool) -> [StyledText] {
    guard !isVerbose, failing.count > limit.findings else {
      return failing.flatMap { $0.withoutFile.lines(indentation: 2) }
    }
    let shown = failing.prefix(limit.findings).flatMap { finding -> [StyledText] in
      var bare = finding.withoutFile
      bare.remedy = ""
      return bare.lines(indentation: 2)
    }
    let codes = Set(failing.map(\.code.rawValue)).sorted(by: ByteOrder.precedes)
    let explained = codes.map { "`waystone rules \($0)`" }.joined(separator: ", ")
    return shown + [
      StyledText(
        "  and \(failing.count - limit.findings) more; --verbose shows them all with their fixes.",
        .faint
      ),
      StyledText("  What to do: \(explained).", .faint),
    ]
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
      lines +=
        [""]
        + table(of: model, isFolded: !isVerbose && model.paths.count > Self.limit.rows)
        .lines(indentation: 2)
    }
    let groups = GapGroup.groups(of: model, threshold: threshold, runtime)
    for (heading, list) in [
      ("Gaps", groups.gaps), ("To look at", groups.others),
    ] where !list.isEmpty {
      lines += ["", "  \(heading, .strong)"] + list.flatMap { $0.lines(isVerbose: isVerbose) }
    }
    for accepted in acceptedLines(of: model) { lines.append(accepted) }
    lines += trialLines(of: model, isVerbose: isVerbose)
    return lines + ["", "  " + StyledText(model.counts.text, .faint)]
  }

  /// The paths as a table, with what the app would do and what Waystone can do apart.
  ///
  /// - Parameter isFolded: Whether versions of which the same becomes, one after the other, are one row.
  private func table(of model: Model, isFolded: Bool) -> TextTable {
    let hasStores = model.paths.contains { $0.store != nil }
    let hasBytes = model.paths.contains { $0.bytesPerHundredMegabytes != nil }
    var columns: [(heading: String, alignment: TextTable.Alignment)] = [
      ("from", .left), ("the app would", .left), ("waystone can", .left), ("worst", .left),
    ]
    if hasStores { columns.insert(("store", .left), at: 1) }
    if hasBytes { columns.append(("per 100 MB", .right)) }
    if model.paths.contains(where: { $0.trial != nil }) { columns.append(("trial", .left)) }
    var table = TextTable(columns)
    var range: (first: StyledText, count: Int, cells: [StyledText], bytes: Int)?
    let bytesColumn = columns.firstIndex { $0.heading == "per 100 MB" }
    func close() {
      guard let done = range else { return }
      var cells = done.cells
      if done.count > 1 { cells[0] = "\(done.first) – \(cells[0])  \("(\(done.count))", .faint)" }
      if let bytesColumn, done.bytes > 0 {
        cells[bytesColumn] = StyledText(Quantity.bytes(done.bytes))
      }
      table.append(cells)
      range = nil
    }
    for path in model.paths {
      let names = path.versions.isEmpty ? [model.nodes[path.source].name] : path.versions
      var cells: [StyledText] = [
        StyledText(model.short(names[0])), appText(path), wayText(path, model),
        path.worst.map { StyledText($0.name, $0.style) } ?? "",
      ]
      if hasStores { cells.insert(StyledText(path.store ?? ""), at: 1) }
      if hasBytes {
        let bytes = path.bytesPerHundredMegabytes
        cells.append(bytes.map { StyledText(Quantity.bytes($0)) } ?? "")
      }
      if let trial = path.trial {
        cells.append(
          trial.isGood
            ? "\("verified", .good)"
            : trial.failure == nil ? "\("not tried", .caution)" : "\("failed", .bad)"
        )
      }
      if isFolded, names.count == 1, path.store == nil {
        let bytes = path.bytesPerHundredMegabytes ?? 0
        func told(_ cells: [StyledText]) -> [StyledText] {
          cells.indices.filter { $0 > 0 && $0 != bytesColumn }.map { cells[$0] }
        }
        if let open = range, told(open.cells) == told(cells) {
          range = (open.first, open.count + 1, cells, max(open.bytes, bytes))
        } else {
          close()
          range = (cells[0], 1, cells, bytes)
        }
        continue
      }
      close()
      table.append(cells)
      for name in names.dropFirst() {
        let same = StyledText("= \(model.short(names[0]))", .faint)
        let empty = [StyledText](repeating: "", count: columns.count - 2)
        table.append([StyledText(model.short(name)), same] + empty)
      }
    }
    close()
    return table
  }

  private func appText(_ path: Path) -> StyledText {
    let text = StyledText(path.app.kind.words.would, path.app.kind.words.style)
    guard path.app.kind != .arrives, path.app.kind != .keeps, path.arrives else {
      if path.app.kind == .arrives, path.worst.map({ $0 >= .lossy }) ?? false {
        return StyledText("\(path.app.kind.words.would), drop data", .caution)
      }
      let isConditional = path.app.findings.contains { $0.risk == .conditional }
      return path.app.kind == .arrives && isConditional
        ? text + "  \("if the data allow it", .faint)" : text
    }
    return text + "  \("accepted", .faint)"
  }

  private func wayText(_ path: Path, _ model: Model) -> StyledText {
    guard let nodes = path.nodes else { return "\("find no path", .bad)" }
    guard nodes.count > 1 else { return "open it as it is" }
    var kinds: [String] = []
    for kind in model.kinds(of: path) where !kinds.contains(kind) { kinds.append(kind) }
    let hops = nodes.count - 1
    let between = nodes.dropFirst().dropLast().map { model.short(model.nodes[$0].name) }
    let way =
      between.isEmpty
      ? "" : between.count <= 4 ? " by \(between.joined(separator: ", "))" : ""
    let text =
      StyledText("\(Quantity.count(hops, "hop"))\(way)") + "  "
      + StyledText(kinds.joined(separator: ", "), .faint)
    let needs = path.needs
    return needs.isEmpty ? text : text + "  " + StyledText(needs.joined(separator: ", "), .bad)
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
    let words = AppOutcome.Kind.allCases.compactMap { kind -> String? in
      guard let count = totals.outcomes[kind], count > 0 else { return nil }
      return "\(Quantity.grouped(count)) \(kind.words.of(count))"
    }
    var lines: [StyledText] = [
      "The app (\(runtime.rawValue)): of \(Quantity.count(totals.paths, "other shipped version")), "
        + StyledText(words.joined(separator: ", ")) + ".",
      "Waystone: \(totals.reachable) of \(totals.paths) have a path.",
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
    return
      "\(Quantity.count(all, "edge")): \(Quantity.grouped(equivalent)) equivalent to the history, "
      + "\(Quantity.grouped(notEquivalent)) not equivalent, "
      + "\(Quantity.grouped(unknown)) unknown, \(Quantity.grouped(refused)) without a mapping."
  }
}
