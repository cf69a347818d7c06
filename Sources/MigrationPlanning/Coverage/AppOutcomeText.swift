import ObjectModel

/// The text on an app's migration between two versions.
struct AppOutcomeText {
  let source: VersionGroup
  let destination: VersionGroup
  let graph: VersionGraph
  let names: CarriedNames
  let runtime: AppRuntime

  private var ends: Finding.Text { "\(version: source.name) to \(version: destination.name)" }

  /// The files of authored edges in the history between the ends that Core Data cannot read.
  var unknownFiles: [String] {
    graph.historyEdges(from: source.index, to: destination.index).flatMap { edge in
      edge.origins.filter { !$0.form.isCoreData }.map(\.fileName)
    }
  }

  /// Returns whether Core Data is known to infer no mapping for a change.
  ///
  /// Tests hold this against a statement of Apple's documents (`Tests/Inference/documented_rules.py`).
  /// Apple's documents are silent on these, or call them inferable: a to-many that becomes a to-one
  /// (Apple lists "from a to-one to a to-many" with "and vice versa" behind the next item;
  /// wordpress-mobile/WordPress-iOS#17148 ships one), a relationship whose destination is narrowed or
  /// leaves its hierarchy (apps test that inference takes it; "You can move entities into or out of a
  /// hierarchy"), an attribute that becomes a relationship, a concrete entity that becomes abstract, and
  /// those of ``undocumented(_:in:)``.
  private func isDocumentedFailure(_ finding: Finding) -> Bool {
    finding.code.has(.refusedByCoreData)
  }

  /// Returns whether Core Data refuses an inferred change, or Apple does not document that it accepts it.
  ///
  /// On a new required relationship Apple's documents are silent ("adding an optional attribute or
  /// relationship"); to-ones were reported to be refused ("missing attribute values on mandatory
  /// destination relationship", openradar 12153321), and an app ships them (Trailer 17); to-manys are
  /// shipped by several (AltStore, wire). So they are on rows without a value of a required composite.
  func undocumented(_ finding: Finding, in step: VersionGraph.Edge) -> Bool {
    let isToOne = property(finding, in: step)?.relationship?.isToMany == false
    switch finding.code {
    case .relationshipAdded: return isToOne && finding.severity > .note
    // An attribute of its own gets its default, be it one UUID for all rows.
    case .attributeAdded: return finding.severity > .note && isComposite(finding, in: step)
    case .becomesRequired: return finding.severity > .note
    case .countsTightened: return isToOne
    default: return finding.code.has(.undocumented)
    }
  }

  private func isComposite(_ finding: Finding, in step: VersionGraph.Edge) -> Bool {
    guard let entity = finding.place.entity, let name = finding.place.property else { return false }
    let model = graph.nodes[step.destination].model
    return model.declaredProperty(name, of: entity)?.property.isComposite == true
  }

  private func property(_ finding: Finding, in step: VersionGraph.Edge) -> PropertyDescription? {
    guard let entity = finding.place.entity, let name = finding.place.property else { return nil }
    return graph.nodes[step.destination].model.property(name, of: entity)?.property
  }

  /// Returns the outcome at a step that Core Data cannot take, or has several mappings for; else nil.
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
          unknown(
            "Core Data takes one of \(step.fileNames) from \(version: from) to \(version: to); which one is unknown.",
            "Keep one in the bundle, or let the app's own code run all of them."
          )
        ]
      )
    }
    guard step.isRefused || step.kind == .extended else { return nil }
    let reasons = step.refusals + step.findings.filter { undocumented($0, in: step) }
    // The app has the value that Waystone lacks.
    if step.isRefused, reasons.allSatisfy({ $0.code == .defaultComputed }) { return nil }
    if step.isRefused, reasons.allSatisfy({ $0.code == .ambiguousCanonicalName }) {
      return AppOutcome(
        kind: .unknown,
        nodes: nodes,
        summary: (reached.isEmpty ? "Finds" : reached + "finds") + " names between \(from) and "
          + "\(to) that match in several ways.",
        findings: [
          unknown(
            "Unknown: Core Data may carry properties of \(version: from) to the wrong ones of \(version: to), "
              + "because their names and \(framework.renamingIdentifier)s match in several ways.",
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
          unknown(
            "Unknown: a version between \(version: from) and \(version: to) cannot be read.",
            remedy(for: step)
          )
        ] + reasons
      )
    }
    guard reasons.contains(where: isDocumentedFailure) else {
      return AppOutcome(
        kind: .unknown,
        nodes: nodes,
        summary: (reached.isEmpty ? "Finds" : reached + "finds")
          + "\(lacking) from \(from) to \(to); whether Core Data infers one is not documented.",
        findings: [
          unknown(
            "Unknown: Apple's documents do not say whether Core Data infers a mapping from "
              + "\(version: from) to \(version: to) with \(Self.changes(reasons)).",
            "Try the app on a store of \(version: source.name) first; if it works, accept this finding with that as "
              + "the reason. \(remedy(for: step))"
          )
        ] + reasons
      )
    }
    return AppOutcome(
      kind: .fails,
      nodes: nodes,
      summary: (reached.isEmpty ? "Finds" : reached + "finds")
        + "\(lacking) from \(from) to "
        + "\(to), and infers none.",
      findings: [
        finding(
          .appFails,
          .error,
          "Core Data infers no mapping from \(version: from) to \(version: to): the app cannot open a store of "
            + "\(version: source.name).",
          remedy(for: step)
        )
      ] + reasons
    )
  }

  /// Returns the outcome of steps with defaults that the app computes, which are not the history's own.
  func computedDefaults(by steps: [VersionGraph.Edge]) -> AppOutcome {
    let refusals = steps.flatMap(\.refusals)
    return AppOutcome(
      kind: .unknown,
      nodes: [source.index] + steps.map(\.destination),
      summary: "\(means(steps)), with defaults that the app computes.",
      findings: [
        unknown(
          "Unknown: the app's path from \(ends) uses defaults that the app computes, and Waystone does not "
            + "know their values.",
          "Try the app on a store of \(version: source.name), and accept this finding with that as the reason."
        )
      ] + refusals
    )
  }

  /// Returns the outcome of steps that the app can take.
  func arrival(by steps: [VersionGraph.Edge], _ verdict: EdgeVerdict) -> AppOutcome {
    var outcome = AppOutcome(
      kind: .arrives,
      nodes: [source.index] + steps.map(\.destination),
      summary: "\(means(steps)).",
      findings: []
    )
    outcome.runsCode = steps.contains { $0.findings.contains(where: \.isOfCode) }
    var held = HeldEntities(of: source.model)
    outcome.drops = steps.indices.flatMap { index in
      if index > 0, let mapping = steps[index - 1].mapping { held.take(mapping) }
      let drops = steps[index].findings.filter(\.isDropped)
      return held.findings(drops, leaving: graph.nodes[steps[index].source].model)
    }
    // The conditions of the steps on the rows hold besides their other effects.
    let conditions = steps.flatMap { $0.findings.filter { $0.risk == .conditional } }
    switch settled(verdict) {
    case .equivalent:
      let doubts = steps.flatMap(doubts)
      if !doubts.isEmpty {
        outcome.kind = .unknown
        outcome.summary =
          "\(means(steps)); whether Core Data sees that names were kept is unknown."
      }
      outcome.findings = doubts.map(\.doubt) + doubts.map(\.cause)
      outcome.findings += steps.flatMap(graph.disagreementFindings) + conditions
    case .notEquivalent(let differences, nil)
    where differences.allSatisfy(\.isKept):
      outcome.kind = .keeps
      outcome.summary = "\(means(steps)), and keeps what the history drops or changes."
      outcome.findings = differences.map(kept) + conditions
    case .notEquivalent(let differences, nil)
    where differences.allSatisfy({ $0.isHarmless }):
      let places = differences.filter(\.isOfDefaults).map(\.place)
      outcome.kind = .otherDefaults
      outcome.summary = "\(means(steps)), with other defaults for \(Self.listed(places))."
      outcome.findings = differences.map {
        $0.isOfDefaults ? finding($0, among: differences, steps) : kept($0)
      }
      outcome.findings += conditions
    case .notEquivalent(let differences, let hidden?)
    where differences.allSatisfy({ $0.isKept || $0.isHarmless }):
      return arrival(by: steps, .unknown(.opaque(hidden)))
    case .notEquivalent(let differences, let hidden):
      let kept = Set(differences.filter { $0.isKept && heir(of: $0, among: differences) == nil })
      let places = differences.filter { !$0.isOfDefaults && !kept.contains($0) }.map(\.place)
      outcome.kind = .loses
      outcome.summary =
        "\(means(steps)), and silently loses or changes \(Self.listed(places))."
      outcome.findings = differences.map {
        kept.contains($0) ? self.kept($0) : finding($0, among: differences, steps)
      }
      if let hidden { outcome.findings.append(finding(.opaque(hidden), steps)) }
    case .unknown(let reason):
      outcome.kind = .unknown
      outcome.summary = "\(means(steps)); whether that does the same as the history is unknown."
      outcome.findings = [finding(reason, steps)]
    }
    return outcome
  }

  /// Returns findings on properties that Core Data may drop, because they kept their name and changed
  /// their Renaming ID; each with its cause.
  ///
  /// Apple documents that inference compares canonical names: the Renaming ID, else the name. Its
  /// behaviour on items whose names alone are equal was never measured.
  private func doubts(about step: VersionGraph.Edge) -> [(doubt: Finding, cause: Finding)] {
    guard step.origins.allSatisfy({ $0.form == .stage }) else { return [] }
    return step.findings.filter(\.disputesIdentifier).map { reason in
      let place = reason.place.subject ?? ""
      var doubt = unknown(
        "\(subject: place) may be dropped by Core Data from "
          + "\(version: graph.nodes[step.source].name) to "
          + "\(version: graph.nodes[step.destination].name): it compares Renaming IDs, and these differ.",
        reason.advice.editing(
          graph.nodes[step.destination].ofApp.arrivalVersion(from: source).name
        )
          + " Or try the app on a store of \(version: source.name), and accept this with that as the reason."
      )
      doubt.place.entity = reason.place.entity
      doubt.place.property = reason.place.property
      return (doubt, reason)
    }
  }

  /// Returns a sentence on the path that the steps take, without a full stop.
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
    let versions =
      between.count > 3 ? "\(between.count) versions" : between.joined(separator: ", ")
    return "Goes through \(versions) to \(destination.name)" + (by.isEmpty ? "" : ", by \(by)")
  }

  // MARK: Losses

  /// The phrase for a migration by the history: by the file of its only step, else version by version.
  private var byHistory: String {
    let steps = graph.historyEdges(from: source.index, to: destination.index)
    let names = steps.flatMap { $0.origins.map(\.fileName) }
    return steps.count == 1 && !names.isEmpty
      ? "by \(names.joined(separator: ", "))" : "version by version"
  }

  private func finding(
    _ difference: MappingDifference,
    among all: [MappingDifference],
    _ steps: [VersionGraph.Edge]
  ) -> Finding {
    let place = difference.place
    let own = difference.other ?? "nothing"
    let history = difference.reference ?? "nothing"
    let message: Finding.Text
    switch difference.kind {
    case .lost:
      let effect = difference.other.map { "gets \($0)" } ?? "stays empty"
      message =
        "\(subject: place) is lost: it \(effect) in the app; \(byHistory) it gets \(history)."
    case .resurrected:
      message =
        heir(of: difference, among: all).map {
          "\(subject: place) \(.gets) \(own) in the app; \(byHistory), \($0.place) gets that."
        } ?? "\(subject: place) keeps \(own) in the app; \(byHistory) it is dropped."
    case .differs, .unknown:
      message =
        "\(subject: place) \(difference.other.map { "gets \($0)" } ?? "stays empty") in the app; \(byHistory) "
        + "it \(difference.reference.map { "gets \($0)" } ?? "stays empty")."
    case .objectsLost:
      message =
        "\(subject: place) \(.loses) all \(.its) objects in the app; \(byHistory) they are made of \(history)."
    case .objectsResurrected:
      message =
        "\(subject: place) keeps objects of \(own) in the app; \(byHistory) they are dropped."
    case .objectsDiffer:
      message =
        "\(subject: place) \(.gets) \(.its) objects from \(own) in the app; \(byHistory) from \(history)."
    }
    let isOfDefaults = difference.isOfDefaults
    var finding = finding(
      .appLosesSilently,
      isOfDefaults ? .warning : .error,
      message,
      isOfDefaults
        ? "No value of a store is lost. If \(place) must be \(history), set it in the app."
        : lostIdentifier(difference) ?? disputedIdentifier(difference)
          ?? lossRemedy(steps, among: all)
    )
    finding.risk = isOfDefaults ? .additive : .undeclared
    finding.place.entity = difference.entityName.isEmpty ? nil : difference.entityName
    finding.place.property = difference.propertyName
    return finding
  }

  /// Returns a finding on values that the app carries and the history drops and adds again, or changes.
  private func kept(_ difference: MappingDifference) -> Finding {
    let isLink =
      difference.propertyName.flatMap {
        destination.model.property($0, of: difference.entityName)?.property.relationship
      } != nil
    let what =
      difference.propertyName == nil ? "its objects" : isLink ? "its links" : "its values"
    let history =
      difference.isReduced
      ? "\(byHistory) it gets \(difference.reference ?? "nothing")."
      : "the versions between drop it and add it again."
    var finding = finding(
      .appKeepsMore,
      .warning,
      "\(subject: difference.place) keeps \(what) in the app; \(history)",
      difference.isReduced
        ? "\(difference.place) loses nothing that way. Version by version, the app changes what it holds."
        : "\(difference.place) loses nothing that way. If they must go, "
          + (framework == .swiftData
            ? "clear them in a custom stage."
            : "give the app \(mappingModelFrom: source.name) to \(version: destination.name) that leaves "
              + "them out.")
    )
    finding.place.entity = difference.entityName.isEmpty ? nil : difference.entityName
    finding.place.property = difference.propertyName
    return finding
  }

  /// Returns the loss of the property to which the history gives the value that another property has in
  /// the app; nil where there is none.
  private func heir(
    of difference: MappingDifference,
    among all: [MappingDifference]
  ) -> MappingDifference? {
    guard difference.kind == .resurrected else { return nil }
    return all.first { $0.kind == .lost && $0.reference == difference.other }
  }

  /// Returns the changes that some findings are about, each by its place and code.
  private static func changes(_ findings: [Finding]) -> String {
    var seen: Set<String> = []
    let names = findings.map { finding in
      finding.place.subject.map { "\($0) (\(finding.code.rawValue))" } ?? finding.code.rawValue
    }.filter { seen.insert($0).inserted }
    return names.isEmpty
      ? "these changes" : "the change\(names.count == 1 ? "" : "s") of \(listed(names))"
  }

  /// Returns some places, in a few words where they are many.
  private static func listed(_ places: [String]) -> String {
    let more = places.count > 4 ? " and \(places.count - 4) more" : ""
    return places.prefix(4).joined(separator: ", ") + more
  }

  private func finding(_ reason: EdgeVerdict.Reason, _ steps: [VersionGraph.Edge]) -> Finding {
    // An inferred mapping leaves out the authored part.
    let bypasses =
      if case .opaque = reason { steps.allSatisfy { $0.kind != .authored } } else { false }
    let what: Finding.Text =
      switch reason {
      case .missingStep(let from, let to):
        "skips the step from \(version: graph.nodes[from].name) to \(version: graph.nodes[to].name), which has "
          + "no mapping."
      case .opaque(let difference):
        "\(bypasses ? "skips" : "takes") \(historyFiles(steps)). Waystone cannot see what its code does"
          + (difference.entityName.isEmpty ? "." : " to \(difference.place).")
      case .branchesDisagree(let conflict):
        "passes \(version: graph.nodes[conflict.node].name), where branches meet that do not agree on "
          + "\(conflict.difference.place)."
      case .downgrade: "goes back, where no history leads."
      }
    let isGap = if case .missingStep = reason { true } else { false }
    return unknown(
      "Unknown: the app's path from \(ends) \(what)",
      isGap
        ? "\(framework.mapping(" for that step").capitalizedFirst), or try the app on a store of \(version: source.name)."
        : "Try the app on a store of \(version: source.name) first. \(lossRemedy(steps, among: []))"
    )
  }

  /// Returns the files of the history that the steps skip, as text.
  private func historyFiles(_ steps: [VersionGraph.Edge]) -> String {
    var seen: Set<String> = []
    let files = steps.flatMap { graph.historyEdges(from: $0.source, to: $0.destination) }
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
          "In the order of versions \(version: destination.name) comes before \(version: source.name): the app "
            + "is older than the store.",
          "If that order is wrong, correct it by `order:` in waystone.yml. If it is right, make the last version "
            + "the current one, or name it with `--to`. If the app went back to \(version: destination.name) on "
            + "purpose, add a copy of \(version: destination.name) as a new last version, and make the copy the current one."
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
        unknown(reason.statement, reason.advice), reason,
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
        unknown(
          "No archive has the store's version: whether the app's bundle has it is unknown.",
          "Archive it: `waystone export STORE -o NAME.xcdatamodel`."
        )
      ]
    )
  }

  /// Returns a finding that the app's outcome for stores of the source is unknown.
  func unknown(_ message: Finding.Text, _ remedy: Finding.Text) -> Finding {
    .unknownInApp(at: Finding.Place(version: source.name), message, remedy)
  }

  func finding(
    _ code: FindingCode,
    _ severity: Finding.Severity,
    _ message: Finding.Text,
    _ remedy: Finding.Text
  ) -> Finding {
    let place = Finding.Place(version: source.name)
    return Finding(code, severity, at: place, message: message, advice: remedy)
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
