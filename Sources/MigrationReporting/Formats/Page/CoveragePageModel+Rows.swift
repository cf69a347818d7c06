internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

extension CoveragePageModel {
  // MARK: Versions

  /// The picture at a glance: a column for each version, with the two verdicts one above the other.
  var map: [[String: Any]] {
    let paths = firstPaths
    return model.nodes.enumerated().map { number, node in
      let look = paths[number].map { PathStyle($0).inShort }
      let rest = node.isCurrent ? "current" : "unshipped"
      let words =
        look.map { "the app: \($0.app.words); Waystone: \($0.waystoneWords)" }
        ?? (node.isCurrent ? "the current version" : "not looked at")
      return [
        "target": fragment(number),
        "x": "\(number * 10)",
        "app": look?.app.name ?? rest,
        "waystone": look?.waystone.name ?? rest,
        "title": "\(TerminalText.escaped(node.names.joined(separator: " = "))): \(words)",
      ]
    }
  }

  /// Returns the part of the page's address that picks the path of a version.
  private func fragment(_ node: Int) -> String {
    let end = model.nodes.firstIndex(where: \.isCurrent) ?? node
    return "m\(index)-\(node)-\(end)"
  }

  /// Returns the row of a range of versions with the same outcome.
  func range(_ range: PathRange) -> [String: Any] {
    let paths = range.paths.map { model.paths[$0] }
    let first = paths[0]
    let look = range.look
    let isAlike = paths.count > 1 && paths.allSatisfy { $0.app.summary == first.app.summary }
    let all = paths.flatMap { model.names(of: $0) }
    let names =
      paths.count == 1
      ? name(first.source)
      : TerminalText.escaped(VersionRuns(all.map(model.short), in: model.lookedAt).ranges())
    return [
      "names": names,
      "count": all.count > 1 ? Quantity.count(all.count, "version") as Any : false,
      "isFolded": paths.count > 1,
      "app": look.app.name,
      "appMark": look.app.mark,
      "appWords": look.app.words,
      "waystone": look.waystone.name,
      "waystoneMark": look.waystone.mark,
      "waystoneWords": look.waystoneWords,
      "isTrialBad": look.isTrialBad,
      "shared": (isAlike ? first.app.summary : "").shown,
      "rows": paths.map { row($0, isMixed: range.isMixed, isAlike: isAlike) },
    ]
  }

  /// Returns the row of one version of a range.
  ///
  /// - Parameter isAlike: Whether the range states the app's outcome for all its versions.
  private func row(
    _ path: CoverageReport.Path,
    isMixed: Bool,
    isAlike: Bool
  ) -> [String: Any] {
    let look = PathStyle(path)
    return [
      "words": (isMixed ? "\(look.waystone.mark) \(look.waystoneWords)." : "").shown,
      "target": fragment(path.source),
      "from": TerminalText.escaped(model.names(of: path).joined(separator: " = ")),
      "store": (path.store ?? "").shown,
      "summary": (isAlike ? "" : path.app.summary).shown,
      "stops": stops(path),
      "bytes": (path.bytesPerHundredMegabytes.map(Quantity.bytes) ?? "").shown,
      "trial": (path.trial?.sentence(of: path) ?? "").shown,
      "isTrialBad": path.trial.map { !$0.isGood } ?? false,
    ]
  }

  // MARK: Steps

  /// Returns whether an edge is shown; for an inferred shortcut, the steps that it skips are shown
  /// instead.
  func isShown(_ number: Int) -> Bool {
    model.edges[number].isConsecutive || model.edges[number].kindName == "authored"
  }

  /// Returns the findings of an edge that the list of changes does not show.
  private func shownFindings(_ edge: CoverageReport.Edge) -> [Finding] {
    edge.findings.filter { $0.severity > .note || ($0.risk.map { $0 >= .conditional } ?? false) }
  }

  /// Returns a step, with its losses on the left and its gains on the right.
  func step(_ number: Int) -> [String: Any] {
    let edge = model.edges[number]
    let changes = edge.changes
    let losses = changes.filter { $0.action == .removed || $0.action == .suspectedRename }
    let gains = changes.filter { $0.action == .added }
    let others = changes.filter { change in !losses.contains(change) && !gains.contains(change) }
    let isLosing = edge.isRefused || edge.drawnRisk >= .lossy
    return [
      "edge": "\(number)",
      "title": title(of: edge),
      "kind": edge.kindName ?? "refused",
      "look": EdgeLook(edge).name,
      "isLosing": isLosing && edge.isConsecutive,
      "verdict": (edge.isConsecutive ? "" : edge.verdict?.name ?? "").shown,
      "count": edge.changes.isEmpty ? "" : Quantity.count(edge.changes.count, "change"),
      "hasChanges": !changes.isEmpty,
      "losses": losses.map(words),
      "others": others.map(words),
      "gains": gains.map(words),
      "mappings": edge.origins.map { TerminalText.escaped($0.path) },
      "findings": shownFindings(edge).map { finding in
        [
          "severity": finding.severity.rawValue,
          "code": finding.code.rawValue,
          "message": TerminalText.escaped(finding.message),
        ]
      },
    ]
  }

  private func words(_ change: CoverageReport.Change) -> String {
    TerminalText.escaped(change.text)
  }
}
