import ObjectModel

/// What an app would do on the way between two versions, in words.
struct AppWords {
  let source: VersionNode
  let destination: VersionNode
  let graph: VersionGraph

  private var ends: String { "\(source.name) to \(destination.name)" }

  /// The files that say what the walk between the ends does and that Core Data cannot read.
  private var unknownFiles: [String] {
    graph.walkEdges(from: source.index, to: destination.index).flatMap { edge in
      edge.origins.filter { !$0.form.isCoreData }.map(\.fileName)
    }
  }

  /// The changes of which it is known that Core Data infers no mapping; of all others nothing is said.
  ///
  /// Tests hold this against a statement of Apple's documents (`Tests/Inference/documented_rules.py`).
  /// Silent, or said to be inferable: a to-many that becomes a to-one (Apple lists "from a to-one to a
  /// to-many" with "and vice versa" behind the next item; wordpress-mobile/WordPress-iOS#17148 ships one),
  /// a relationship whose destination is narrowed or leaves its hierarchy (apps test that inference takes
  /// it; "You can move entities into or out of a hierarchy"), an attribute that becomes a relationship,
  /// a concrete entity that becomes abstract, and what ``undocumented(_:in:)`` has.
  private static let documentedFailures: Set<FindingCode> = [
    // "You can't, however, merge entity hierarchies": *Migrating your data model automatically*; the
    // framework's error: "Cannot merge multiple root entity source tables into one destination entity
    // root table".
    .hierarchiesMerged,
    // "If you change an optional attribute to be nonoptional, there's no way for a lightweight migration
    // to infer the default value": *Staged migrations*. The framework's error: "Validation error missing
    // attribute values on mandatory destination attribute" (3lvis/DATAStack#61, paulw11/Seam3#28).
    .requiredWithoutDefault,
    // "A data type change that isn't supported": WWDC 2022, *Evolve your Core Data schema*. Of types,
    // WWDC 2010, *Mastering Core Data*, names "numerical type conversion" alone as inferable.
    .typeConverted,
  ]

  /// What of an inferred step Core Data refuses, or is not known to infer.
  ///
  /// Of a new required relationship Apple's documents say nothing ("adding an optional attribute or
  /// relationship"); to-ones were reported to be refused ("missing attribute values on mandatory
  /// destination relationship", openradar 12153321), and an app ships them (Trailer 17); to-manys are
  /// shipped by several (AltStore, wire).
  private func undocumented(_ finding: Finding, in step: VersionGraph.Edge) -> Bool {
    let isToOne = property(finding, in: step)?.relationship?.isToMany == false
    switch finding.code {
    case .becomesToOne, .destinationChanged, .requiredWithoutDefault, .derivationChanged,
      .becomesConcrete:
      return true
    case .relationshipAdded: return isToOne && finding.severity > .note
    case .countsTightened: return isToOne
    default: return false
    }
  }

  private func property(_ finding: Finding, in step: VersionGraph.Edge) -> PropertyDescription? {
    guard let entity = finding.place.entity, let name = finding.place.property else { return nil }
    return graph.nodes[step.destination].model.property(name, of: entity)?.property
  }

  /// The end at a step that Core Data cannot take, or of which it has several; nil where it goes on.
  func end(at step: VersionGraph.Edge, after taken: [VersionGraph.Edge]) -> AppOutcome? {
    let from = graph.nodes[step.source].name
    let to = graph.nodes[step.destination].name
    let nodes = [source.index] + taken.map(\.destination)
    let reached = taken.isEmpty ? "" : "Gets as far as \(from); there it "
    if step.kind == .authored {
      // Mapping models that clash are several, too.
      guard step.origins.count > 1 else { return nil }
      return AppOutcome(
        kind: .unknown,
        nodes: nodes,
        summary: "\(reached.isEmpty ? "Has" : reached + "has") several mapping models from \(from) "
          + "to \(to).",
        findings: [
          finding(
            .appOutcomeUnknown,
            .warning,
            "Core Data takes one of \(step.fileNames) from \(from) to \(to); which one is unknown.",
            "Keep one in the bundle, or let the app's own code run all of them."
          )
        ]
      )
    }
    guard step.isRefused || step.kind == .extended else { return nil }
    let reasons = step.refusals + step.findings.filter { undocumented($0, in: step) }
    if step.isRefused, reasons.allSatisfy({ $0.code == .ambiguousCanonicalName }) {
      return AppOutcome(
        kind: .unknown,
        nodes: nodes,
        summary: (reached.isEmpty ? "Finds" : reached + "finds") + " names between \(from) and "
          + "\(to) that match in several ways.",
        findings: [
          finding(
            .appOutcomeUnknown,
            .warning,
            "Which properties of \(from) Core Data carries to which of \(to) is unknown: their names and "
              + "renaming identifiers match in several ways.",
            remedy(for: step)
          )
        ] + reasons
      )
    }
    if step.isRefused, reasons.contains(where: { $0.code == .unreadableVersion }) {
      return AppOutcome(
        kind: .unknown,
        nodes: nodes,
        summary:
          "\(reached.isEmpty ? "Passes" : reached + "passes") a version that cannot be read.",
        findings: [
          finding(
            .appOutcomeUnknown,
            .warning,
            "What the app makes of a store of \(source.name) is unknown: a version between \(from) "
              + "and \(to) cannot be read.",
            remedy(for: step)
          )
        ] + reasons
      )
    }
    guard reasons.contains(where: { Self.documentedFailures.contains($0.code) }) else {
      return AppOutcome(
        kind: .unknown,
        nodes: nodes,
        summary: (reached.isEmpty ? "Finds" : reached + "finds")
          + " no mapping model from \(from) to \(to); whether Core Data infers one is not documented.",
        findings: [
          finding(
            .appOutcomeUnknown,
            .error,
            "Whether Core Data infers a mapping from \(from) to \(to) is unknown: Apple's documents "
              + "do not mention these changes.",
            remedy(for: step)
              + " Or try the app on a store of \(source.name), and accept this finding with the result "
              + "as the reason."
          )
        ] + reasons
      )
    }
    let message = "Core Data infers no mapping from \(from) to \(to): the app cannot open "
    return AppOutcome(
      kind: .fails,
      nodes: nodes,
      summary: (reached.isEmpty ? "Finds" : reached + "finds")
        + " no mapping model from \(from) to "
        + "\(to), and infers none.",
      findings: [
        finding(.appFails, .error, message + "a store of \(source.name).", remedy(for: step))
      ] + reasons
    )
  }

  /// The end of a way that can be taken.
  func arrival(by steps: [VersionGraph.Edge], _ verdict: EdgeVerdict) -> AppOutcome {
    var outcome = AppOutcome(
      kind: .arrives,
      nodes: [source.index] + steps.map(\.destination),
      summary: "\(means(steps)).",
      findings: []
    )
    switch verdict {
    case .equivalent:
      let doubts = steps.flatMap(doubts)
      if !doubts.isEmpty {
        outcome.kind = .unknown
        outcome.summary =
          "\(means(steps)); whether Core Data sees that names were kept is unknown."
      }
      outcome.findings = doubts
      outcome.findings += steps.flatMap { step in
        graph.disagreementFindings(on: step) + step.findings.filter { $0.risk == .conditional }
      }
    case .notEquivalent(let differences)
    where differences.allSatisfy({ $0.kind == .resurrected || $0.kind == .objectsResurrected }):
      outcome.kind = .keeps
      outcome.summary = "\(means(steps)), and keeps what the history drops."
      outcome.findings = differences.map(kept)
    case .notEquivalent(let differences):
      let places = differences.map(\.place)
      let shown = places.prefix(4).joined(separator: ", ")
      let more = places.count > 4 ? " and \(places.count - 4) more" : ""
      outcome.kind = .loses
      outcome.summary = "\(means(steps)), and silently loses or changes \(shown)\(more)."
      outcome.findings = differences.map { finding($0, among: differences, steps) }
    case .unknown(let reason):
      outcome.kind = .unknown
      outcome.summary = "\(means(steps)); whether that does the same as the history is unknown."
      outcome.findings = [finding(reason, steps)]
    }
    return outcome
  }

  /// What Core Data may drop, since it has kept its name and not its canonical name.
  ///
  /// Apple documents that inference compares canonical names; what it does with items whose names
  /// alone are equal was never measured.
  private func doubts(about step: VersionGraph.Edge) -> [Finding] {
    guard step.origins.allSatisfy({ $0.form == .stage }) else { return [] }
    let codes: [FindingCode] = [.renamingIdentifierNamesOldName, .canonicalNamesDisagree]
    return step.findings.filter { codes.contains($0.code) }.map { reason in
      let place = [reason.place.entity, reason.place.property].compactMap { $0 }
        .joined(separator: ".")
      var doubt = finding(
        .appOutcomeUnknown,
        .warning,
        "Whether Core Data carries \(place) from \(graph.nodes[step.source].name) to "
          + "\(graph.nodes[step.destination].name) is unknown: it compares renaming identifiers, and "
          + "these differ.",
        "\(reason.remedy) Or try the app on a store of \(source.name)."
      )
      doubt.place.entity = reason.place.entity
      doubt.place.property = reason.place.property
      return doubt
    }
  }

  /// How the steps lead on, without a full stop.
  private func means(_ steps: [VersionGraph.Edge]) -> String {
    let files = steps.flatMap { $0.origins.map(\.fileName) }
    var seen: Set<String> = []
    let by = files.filter { seen.insert($0).inserted }.joined(separator: ", ")
    guard steps.count > 1 else {
      return by.isEmpty
        ? "Infers a mapping straight to \(destination.name)"
        : "Takes \(by) straight to \(destination.name)"
    }
    let between = steps.dropLast().map { graph.nodes[$0.destination].name }
    let way =
      between.count > 3 ? "\(between.count) versions" : between.joined(separator: ", ")
    return "Goes through \(way) to \(destination.name)" + (by.isEmpty ? "" : ", by \(by)")
  }

  private func remedy(for step: VersionGraph.Edge) -> String {
    let pair = "\(graph.nodes[step.source].name) to \(graph.nodes[step.destination].name)"
    let files = unknownFiles
    if !files.isEmpty {
      return
        "Core Data does not read \(files.joined(separator: ", ")): give the app a mapping model from "
        + "\(pair) too."
    }
    if !step.isConsecutive {
      let gap = graph.walkEdges(from: step.source, to: step.destination).first {
        $0.isRefused || $0.kind == .extended
      }
      guard let gap else {
        return "Give the app a mapping model from \(pair), or let it migrate version by version."
      }
      return
        "Give the app a mapping model from \(pair); or let it migrate version by version, with "
        + "one from \(graph.nodes[gap.source].name) to \(graph.nodes[gap.destination].name)."
    }
    return "Give the app a mapping model from \(pair)."
  }

  // MARK: Losses

  private func finding(
    _ difference: MappingDifference,
    among all: [MappingDifference],
    _ steps: [VersionGraph.Edge]
  ) -> Finding {
    let place = difference.place
    let own = difference.other ?? "nothing"
    let history = difference.reference ?? "nothing"
    let message: String
    switch difference.kind {
    case .lost:
      let effect = difference.other.map { "sets it to \($0)" } ?? "leaves it empty"
      message = "The app loses \(place): it \(effect), and the history fills it with \(history)."
    case .resurrected:
      let heir = all.first { $0.kind == .lost && $0.reference == difference.other }
      message =
        heir.map {
          "The app fills \(place) with \(own), which the history carries to \($0.place)."
        } ?? "The app keeps \(own) as \(place), which the history drops."
    case .differs, .unknown:
      message = "The app \(difference.otherEffect); the history \(difference.referenceEffect)."
    case .objectsLost:
      message = "The app loses all objects of \(place), which the history makes of \(history)."
    case .objectsResurrected:
      message = "The app keeps objects of \(own) as \(place), which the history drops."
    case .objectsDiffer:
      message = "The app makes objects of \(place) from \(own); the history from \(history)."
    }
    var finding = finding(.appLosesSilently, .error, message, lossRemedy(steps))
    finding.risk = .undeclared
    finding.place.entity = difference.entityName.isEmpty ? nil : difference.entityName
    finding.place.property = difference.propertyName
    return finding
  }

  /// What the app carries, and the history drops and adds again.
  private func kept(_ difference: MappingDifference) -> Finding {
    let what =
      difference.propertyName == nil
      ? "the objects of \(difference.place)" : "the values of \(difference.place)"
    var finding = finding(
      .appKeepsMore,
      .warning,
      "The app keeps \(what), which the versions between drop and add again.",
      "Nothing is lost. If they must go, give the app a mapping model from \(source.name) to "
        + "\(destination.name) that leaves them out."
    )
    finding.place.entity = difference.entityName.isEmpty ? nil : difference.entityName
    finding.place.property = difference.propertyName
    return finding
  }

  private func lossRemedy(_ steps: [VersionGraph.Edge]) -> String {
    let wrong = steps.first { $0.kind != .authored } ?? steps[0]
    return remedy(for: wrong)
  }

  private func finding(_ reason: EdgeVerdict.Reason, _ steps: [VersionGraph.Edge]) -> Finding {
    let what =
      switch reason {
      case .missingStep(let from, let to):
        "no mapping leads from \(graph.nodes[from].name) to \(graph.nodes[to].name), which the app "
          + "skips"
      case .opaque(let difference):
        "Waystone cannot see the effect of \(historyFiles(steps)) on \(difference.place)"
      case .branchesDisagree(let conflict):
        "the branches that meet in \(graph.nodes[conflict.node].name) do not agree on "
          + conflict.difference.place
      case .downgrade: "no history leads back"
      }
    let isGap = if case .missingStep = reason { true } else { false }
    // What is inferred leaves out what somebody found worth writing.
    let bypasses =
      if case .opaque = reason { steps.allSatisfy { $0.kind != .authored } } else { false }
    return finding(
      .appOutcomeUnknown,
      bypasses ? .error : .warning,
      "Whether the app's path from \(ends) does the same as the history is unknown: \(what).",
      isGap
        ? "Write a mapping for that step, or try the app on a store of \(source.name)."
        : lossRemedy(steps)
    )
  }

  /// The files of the history that the steps pass over, for sentences.
  private func historyFiles(_ steps: [VersionGraph.Edge]) -> String {
    var seen: Set<String> = []
    let files = steps.flatMap { graph.walkEdges(from: $0.source, to: $0.destination) }
      .flatMap { $0.origins.map(\.fileName) }.filter { seen.insert($0).inserted }
    return files.isEmpty ? "a hand-written step" : files.joined(separator: ", ")
  }

  // MARK: Ends without a step

  /// The app is older than the store.
  var newer: AppOutcome {
    AppOutcome(
      kind: .fails,
      nodes: [source.index],
      summary: "Has no model for a store of a later version.",
      findings: [
        finding(
          .appFails,
          .error,
          "\(source.name) comes after \(destination.name) in the order of versions: the app is older than "
            + "the store.",
          "If \(source.name) is older, say so by `order:` in waystone.yml. If it is newer, name it: "
            + "`--to \(source.name.shellWord)`."
        )
      ]
    )
  }

  /// The store is of another branch than the app.
  var otherBranch: AppOutcome {
    let reason = graph.branchRefusal(from: source, to: destination)
    return AppOutcome(
      kind: .unknown,
      nodes: [source.index],
      summary: "Has a model of another branch than the store's.",
      findings: [
        finding(.appOutcomeUnknown, .warning, "\(reason.message)", reason.remedy), reason,
      ]
    )
  }

  /// The store's version is in no archive.
  var unknownVersion: AppOutcome {
    AppOutcome(
      kind: .unknown,
      nodes: [source.index],
      summary: "Can open the store only if its bundle has the store's version.",
      findings: [
        finding(
          .appOutcomeUnknown,
          .warning,
          "No archive has the store's version: whether the app's bundle has it is unknown.",
          "Archive it: `waystone export STORE -o NAME.xcdatamodel`."
        )
      ]
    )
  }

  /// Core Data does not begin with the stages.
  func notStaged(_ obstacle: StagedRoute.Obstacle) -> AppOutcome {
    let name = obstacle == .unknownStore ? source.name : destination.name
    let other = obstacle == .unknownStore ? "the store's version" : "the app's own version"
    return AppOutcome(
      kind: .fails,
      nodes: [source.index],
      summary: "Has no stage with \(name), \(other).",
      findings: [
        finding(
          .appFails,
          .error,
          "No stage names \(name): Core Data refuses a store of "
            + "\(source.name), “Cannot use staged migration with an unknown model version.”",
          "Add \(name) to the stages."
        )
      ]
    )
  }

  private func finding(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    _ message: String,
    _ remedy: String
  ) -> Finding {
    Finding(
      code,
      severity,
      at: Finding.Place(version: source.name),
      message: message,
      remedy: remedy
    )
  }
}

extension AuthoredMapping.Form {
  /// Whether Core Data itself reads files of this form.
  package var isCoreData: Bool {
    switch self {
    case .mappingModel, .compiled: true
    case .hopFile, .stage: false
    }
  }
}
