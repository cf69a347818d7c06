import Waystone

extension CoverageReport {
  /// Returns lines on the trials of a model, and on the paths that they left out.
  func trialLines(of model: Model, isVerbose: Bool) -> [StyledText] {
    let trials = model.paths.compactMap(\.trial)
    guard !trials.isEmpty else { return [] }
    var lines: [StyledText] = ["", "  \("Trials", .strong)"]
    let failed = trials.count { $0.failure != nil }
    let rows = trials.reduce(0) { $0 + $1.rows }
    lines.append(
      "    \(Quantity.count(trials.count, "store")) with \(Quantity.count(rows, "row")): "
        + StyledText("\(trials.count(where: \.isVerified)) verified")
        + (failed > 0 ? ", \("\(failed) failed", .bad)." : ".")
    )
    var counts: [Exercise.Kind: [String: Int]] = [:]
    for exercise in trials.flatMap(\.exercises) {
      counts[exercise.kind, default: [:]][exercise.name, default: 0] += exercise.count
    }
    for kind in Exercise.Kind.allCases {
      guard let found = counts[kind] else { continue }
      let untried = found.filter { $0.value == 0 }.keys.sorted()
      var line: StyledText =
        "    \(found.count - untried.count) of \(found.count) "
        + StyledText("\(found.count == 1 ? kind.singular : kind.plural) tried")
      if !untried.isEmpty {
        let shown = isVerbose ? untried : Array(untried.prefix(6))
        let more = untried.count > shown.count ? ", and \(untried.count - shown.count) more" : ""
        line += "; not: " + StyledText(shown.joined(separator: ", ") + more, .caution)
      }
      lines.append(line)
    }
    return lines
  }
}

extension CoverageReport.Exercise.Kind {
  fileprivate var singular: String { rawValue }

  fileprivate var plural: String {
    switch self {
    case .entity: "entities"
    case .policy: "policies"
    case .attribute, .relationship, .edge, .condition: rawValue + "s"
    }
  }
}
