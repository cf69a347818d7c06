import ObjectModel

/// Sentences on the outcome of an app that migrates by stages.
extension AppOutcomeText {
  /// Returns the outcome where Core Data does not begin with the stages, or it is not clear which of
  /// them it takes.
  func notStaged(_ obstacle: StagedMigrationManager.Obstacle) -> AppOutcome {
    let (from, to) = (source.name, destination.name)
    func outcome(_ kind: AppOutcome.Kind, _ summary: String, _ finding: Finding) -> AppOutcome {
      AppOutcome(kind: kind, nodes: [source.index], summary: summary, findings: [finding])
    }
    func missing(_ name: String, _ role: String) -> AppOutcome {
      outcome(
        .fails,
        "Has no stage with \(name), \(role).",
        finding(
          .appFails,
          .error,
          "No stage names \(version: name): Core Data refuses a store of \(version: from), “Cannot use staged migration "
            + "with an unknown model version.”",
          runtime == .swiftDataPlan && name == from
            && (source.model.framework == .coreData || SwiftText.identifier(name) != name)
            ? freezing(name) : "Add \(version: name) to the stages."
        )
      )
    }
    switch obstacle {
    case .unknownStore: return missing(from, "the store's version")
    case .otherPlaces:
      return outcome(
        .unknown,
        "The stages between \(from) and \(to) are unknown.",
        unknown(
          "Unknown: stages name versions of the same hashes, so that the steps from \(version: from) to "
            + "\(version: to) are not clear.",
          "Try the app with a store of \(version: from)."
        )
      )
    case .unknownDestination: return missing(to, "the app's own version")
    case .unknownStages:
      return outcome(
        .unknown,
        "The stages of the app's migration plan are unknown.",
        unknown(
          "Unknown: the sources declare no migration plan that is understood, or schemas whose hashes are "
            + "unknown.",
          "Correct what `waystone check` says of the sources, or set `runtime: swiftdata` in waystone.yml "
            + "if the app has no plan."
        )
      )
    }
  }

  /// Returns the remedy for a version of Core Data, or of a tag, that a plan of SwiftData lacks: a schema of it, where
  /// it can have one.
  private func freezing(_ name: String) -> Finding.Text {
    let start: Finding.Text = "SwiftData knows the schemas of its plan alone"
    if source.model.entities.contains(where: { $0.relationships.contains(where: \.isOrdered) }) {
      return start
        + ", and no ordered relationships, as \(version: name) has. Let Waystone migrate its stores "
        + "before the app opens them: `waystone migrate`."
    }
    let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let command: Finding.Text =
      SwiftText.identifier(name) == name
      ? "waystone freeze \(argument: name)"
      : "waystone freeze Schema\(letters) --from \(argument: name)"
    return start + ". `" + command
      + "` writes \(version: name) as a schema: add that to the plan"
      + (source.model.framework == .coreData ? " before its first" : "")
      + ", with a stage to the next."
  }

  /// Returns the outcome of a step from or to a schema whose sources contradict themselves.
  func unclearSchema(_ name: String) -> AppOutcome {
    AppOutcome(
      kind: .unknown,
      nodes: [source.index],
      summary: "Unknown: the sources of \(name) contradict themselves.",
      findings: [
        unknown(
          "Unknown: the sources of \(version: name) contradict themselves, so that it is not known which models it has.",
          "Correct what `waystone check` says of \(version: name)."
        )
      ]
    )
  }

  /// Returns the outcome of a plan with two schemas of the same hashes: "Duplicate version checksums
  /// detected" ends the app before it opens any store.
  func endsAtStart(_ schemas: [String]) -> AppOutcome {
    let names = schemas.joined(separator: " and ")
    return AppOutcome(
      kind: .fails,
      nodes: [source.index],
      summary: "Ends at its start: \(names) of its plan have the same hashes.",
      findings: [
        finding(
          .appFails,
          .error,
          "\(version: schemas[0]) and \(version: schemas[1]) have the same hashes: the app ends "
            + "at its start, “Duplicate version checksums detected.”",
          "Remove one of them from the plan, with its stage. If it was shipped with other models, copy "
            + "those into it."
        )
      ]
    )
  }

  /// Returns an outcome that depends on whether stages run one by one, which is not documented.
  func undocumentedStages(_ outcome: AppOutcome) -> AppOutcome {
    var outcome = outcome
    outcome.kind = .unknown
    outcome.summary =
      "Unknown: whether SwiftData takes lightweight stages in a row one by one is documented nowhere."
    outcome.findings = [
      unknown(
        "Taken all at once, the lightweight stages from \(version: source.name) to "
          + "\(version: destination.name) do something else than one by one, and which SwiftData does is documented "
          + "nowhere.",
        "Try the app with a store of \(version: source.name), or make a stage between them a custom one."
      )
    ]
    return outcome
  }
}
