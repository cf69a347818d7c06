import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport {
  /// The lines that sum up all models.
  var summary: [StyledText] {
    let totals = totals
    guard totals.paths > 0 else { return verdictLines }
    let looks = looks
    let areEarlier = models.flatMap(\.paths).allSatisfy { $0.source <= $0.destination }
    let count = Quantity.count(totals.paths, areEarlier ? "older version" : "other version")
    var lines = StyledText.lines(
      "The app (\(runtime.rawValue)): of \(count), \(Self.appWords(looks))."
    )
    if isRuntimeAssumed, models.flatMap(\.paths).contains(where: Self.dependsOnRuntime) {
      lines += StyledText.lines(
        "The runtime is assumed. If the app goes step by step: `runtime: progressive` in waystone.yml."
      )
    }
    lines += StyledText.lines(
      "Waystone: \(totals.reachable) of \(totals.paths) can migrate\(Self.needsWords(looks))\(storeWords)."
    )
    if models.count > 1 {
      let versions = models.reduce(0) { $0 + $1.nodes.reduce(0) { $0 + $1.names.count } }
      lines.append(
        StyledText(
          "\(Quantity.count(versions, "version")) in \(models.count) models"
            + (edgeTotals.map { ", \($0.text)" } ?? ".")
        )
      )
    }
    return lines + verdictLines
  }

  /// The outcomes of versions in the app, each with the number of versions, the worst first.
  private var looks: [(look: PathStyle, count: Int)] {
    models.flatMap(\.paths).filter { $0.store == nil }
      .map { (look: PathStyle($0), count: max(1, $0.versions.count)) }
  }

  /// Returns whether another runtime may give a better outcome: over several steps, where the app fails,
  /// loses data or is unknown.
  private static func dependsOnRuntime(_ path: Path) -> Bool {
    path.destination - path.source > 1
      && ["fails", "loses", "unknown"].contains(PathStyle(path).app.name)
  }

  private static func appWords(_ looks: [(look: PathStyle, count: Int)]) -> String {
    let words: [(name: String, one: String, many: String)] = [
      ("fails", "fails", "fail"),
      ("loses", "loses or changes data silently", "lose or change data silently"),
      ("unknown", "is unknown", "are unknown"),
      (
        "keeps", "keeps what the history drops or changes", "keep what the history drops or changes"
      ),
      ("lossy", "drops data", "drop data"),
      ("otherDefaults", "arrives with other defaults", "arrive with other defaults"),
      ("depends", "arrives if the data fit", "arrive if the data fit"),
      ("code", "arrives by code of the app", "arrive by code of the app"),
      ("arrives", "arrives without loss", "arrive without loss"),
    ]
    return words.compactMap { word in
      let count = looks.reduce(0) { $0 + ($1.look.app.name == word.name ? $1.count : 0) }
      guard count > 0 else { return nil }
      return "\(Quantity.grouped(count)) \(count == 1 ? word.one : word.many)"
    }
    .joined(separator: ", ")
  }

  /// A phrase with the number of readable stores that can migrate; empty where there is none.
  private var storeWords: String {
    let stores = models.flatMap(\.paths).filter { $0.store != nil }
    guard !stores.isEmpty else { return "" }
    return "; of \(Quantity.count(stores.count, "store")) read, "
      + "\(Quantity.grouped(stores.count(where: \.isReachable))) can"
  }

  /// Returns a phrase with the number of paths that lack something, by their needs.
  private static func needsWords(_ looks: [(look: PathStyle, count: Int)]) -> String {
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

  /// The sentences on whether the release is held, and on the open questions where it is not.
  private var verdict: [StyledText] {
    guard isComplete else { return [gapText] }
    guard let doubt else { return completeTexts }
    return [StyledText("\(doubt.prefix(1).uppercased())\(doubt.dropFirst()).", .caution)]
  }

  /// The same, as many sentences to a line as it has room for.
  private var verdictLines: [StyledText] {
    verdict.reduce(into: []) { lines, sentence in
      if let last = lines.last, last.width + 1 + sentence.width <= TerminalText.columns {
        lines[lines.count - 1] = last + " " + sentence
      } else {
        lines.append(sentence)
      }
    }
  }

  /// The same for a line that reports that a file is written.
  package var verdictWords: String {
    verdict.map { $0.string(isColored: false) }.joined(separator: " ")
  }

  /// A sentence on the open questions of a report without gaps; nil where there is none.
  private var doubt: String? {
    let paths = models.flatMap(\.paths)
    guard !paths.isEmpty else { return "nothing was looked at" }
    let count = untriedPaths.count
    guard count > 0 else { return nil }
    return "not proven: \(count) of \(Quantity.count(paths.count, "path")) "
      + "\(count == 1 ? "has" : "have") no trial that arrived"
  }

  /// The sentences on a release that no finding holds: its losses, and the open questions.
  private var completeTexts: [StyledText] {
    let paths = models.flatMap(\.paths)
    let totals = totals
    let stuck = totals.paths - totals.reachable
    let lossy = paths.filter { $0.worst.map { $0 >= .lossy } ?? false }
    let coded = paths.filter { $0.app.kind.isArrival && $0.app.runsCode }
    let guessed = paths.filter(\.isGuess)
    let doubtful = paths.count(where: \.dependsOnData)
    let accepted = paths.filter { path in
      path.accepted.contains { $0.finding.severity >= threshold }
    }
    // A release with caveats passes; only one without them has no gap.
    let isWhole = lossy.isEmpty && coded.isEmpty && guessed.isEmpty && doubtful == 0
    var text: StyledText = isWhole ? "\("No gap.", .good)" : "\("Passes.", .good)"
    if !accepted.isEmpty || !self.accepted.isEmpty {
      let words = [
        accepted.isEmpty ? nil : "gaps of \(Self.counted(accepted))",
        self.accepted.isEmpty ? nil : Quantity.count(self.accepted.count, "finding"),
      ].compactMap(\.self)
      text = StyledText("Passes by acceptance alone: \(words.joined(separator: ", ")).", .caution)
    } else if stuck > 0 {
      text = isWhole ? "\("No gap in the app.", .good)" : "\("Passes in the app.", .good)"
    }
    let caveats = [
      stuck > 0 ? "Waystone cannot migrate \(Quantity.count(stuck, "version")) yet." : nil,
      lossy.isEmpty
        ? nil : "\(Self.counted(lossy)) \(Self.isOne(lossy) ? "drops" : "drop") data by design.",
      coded.isEmpty
        ? nil : "Not proven: what the app's own code does for \(Self.counted(coded)).",
      guessed.isEmpty
        ? nil : "Not proven: names of join tables are guesses for \(Self.counted(guessed)).",
      doubtful > 0
        ? "Not proven: \(Quantity.count(doubtful, "path arrives", "paths arrive")) only if the data fit."
        : nil,
    ]
    return [text] + caveats.compactMap(\.self).map { StyledText($0, .caution) }
  }

  private var gapText: StyledText {
    let gaps = models.flatMap(\.paths).filter { !$0.gaps(from: threshold).isEmpty }
    let failing = findings.count { $0.severity >= threshold }
    let more = gaps.isEmpty ? "" : "more "
    let parts =
      (gaps.isEmpty
        ? [] : ["\(Self.counted(gaps)) \(Self.isOne(gaps) ? "has a gap" : "have gaps")"])
      + (failing == 0
        ? []
        : [Quantity.count(failing, "\(more)finding fails", "\(more)findings fail")])
    return "\(StyledText(parts.joined(separator: "; "), .bad))."
  }

  private static func isOne(_ paths: [Path]) -> Bool {
    paths.count == 1 && paths[0].versions.count <= 1
  }

  /// Returns the number of versions and stores of some paths, as text.
  private static func counted(_ paths: [Path]) -> String {
    let versions = paths.filter { $0.store == nil }.reduce(0) { $0 + max(1, $1.versions.count) }
    let stores = paths.count { $0.store != nil }
    return [
      versions == 0 ? nil : Quantity.count(versions, "version"),
      stores == 0 ? nil : Quantity.count(stores, "store"),
    ].compactMap(\.self).joined(separator: " and ")
  }
}
