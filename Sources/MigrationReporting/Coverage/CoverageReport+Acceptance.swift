import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport {
  /// Returns the lines that accept why versions do not arrive in the app, because the user tried the
  /// app, or migrates its stores with another program.
  ///
  /// There is no line for versions without a path in Waystone, nor for guessed names: those cannot be
  /// tried.
  func acceptance(isVerbose: Bool) -> [StyledText] {
    let paths = models.flatMap(\.paths)
    let isStranded = Set(
      paths.flatMap(\.acceptable)
        .filter { $0.code == .shippedVersionStranded && $0.change != nil }.map(\.place)
    )
    let acceptable = paths.filter { $0.nodes != nil }.flatMap(\.acceptable)
      .filter { $0.place.subject != nil && !isStranded.contains($0.place) }
    // A loss is of each version that has it.
    let losses = paths.flatMap { $0.gaps(from: threshold) }
      .filter { $0.code == .appLosesSilently && $0.place.subject != nil }
      .map { finding in
        var finding = finding
        finding.place.version = nil
        return finding
      }
    // An unknown without a cause of its own is accepted by its version.
    let unknowns = paths.flatMap { path in
      path.gaps(from: threshold).filter {
        $0.code == .appOutcomeUnknown && path.store == nil && path.causes(of: $0).isEmpty
      }
    }
    // The losses of a step to a new version are shown apart from the paths, as `check` does.
    let ofSteps = findings.filter { finding in
      finding.severity >= threshold && finding.place.subject != nil
        && finding.risk.map { $0 >= .conditional } == true
    }
    var seen: Set<String> = []
    let entries = (acceptable + losses + unknowns + ofSteps).map(\.acceptanceEntry)
      .filter { seen.insert($0).inserted }
    guard !entries.isEmpty else { return [] }
    var lines: [StyledText] = [""]
    lines += StyledText.lines(
      "To accept what was tried, or is meant, add to waystone.yml below `accept:`, with its reason:"
    )
    lines += StyledText.acceptances(entries, isVerbose: isVerbose)
    if acceptable.contains(where: { $0.code == .shippedVersionStranded }) {
      lines.append(
        StyledText(
          "  A line with WS707 accepts the error at the same place, which may have another code.",
          .faint
        )
      )
    }
    return lines
  }

  /// Returns lines on the findings of a model's paths that the project accepts, with their effect on the
  /// run.
  func acceptedLines(of model: Model) -> [StyledText] {
    let accepted = model.paths.flatMap { path in path.accepted.map { (path, $0) } }
    guard !accepted.isEmpty else { return [] }
    var lines: [StyledText] = ["", "  \("Accepted", .strong)"]
    // A finding that is accepted for several versions alike is shown once.
    var keys: [[String]] = []
    var versions: [[String]: [String]] = [:]
    for (path, one) in accepted {
      let entry = one.entry.map { "accepted as \($0)" } ?? ""
      let key = [one.finding.code.rawValue, one.finding.place.subject ?? "", one.reason, entry]
      if versions[key] == nil { keys.append(key) }
      versions[key, default: []] += model.names(of: path).map(model.short)
    }
    for key in keys {
      let names = model.text(of: versions[key] ?? [])
      lines.append(
        "    \(key[0], .faint)  " + StyledText("\(names) \(key[1])")
          + StyledText(key[1].isEmpty ? "" : "  ") + StyledText(key[2], .faint)
          + StyledText(key[3].isEmpty ? "" : "  (\(key[3]))", .faint)
      )
    }
    return lines
  }
}
