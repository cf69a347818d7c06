internal import MigrationPlanning
internal import ObjectModel

/// The shipped versions from which no path leads to the newest ones.
struct UnreachableVersions {
  let graph: VersionGraph
  /// The qualified names of the versions that were shipped.
  let shipped: Set<String>
  /// The options of planning, such as the loss that a path may have.
  let options: PlanningOptions
  let names: VersionNames
  /// Whether no user can have stores of a version, so that it may still be edited.
  let isNew: (ModelVersion) -> Bool
  /// The simulation of the app itself, which reads no hop file.
  let app: AppMigration
  /// The migrator of users' stores that a release depends on.
  let reliance: Reliance

  /// Returns the findings, one for each cause: the part of a step for which versions have no path.
  ///
  /// A finding is placed at its cause, the step's version and entity or property, so that it does not
  /// depend on the last version.
  ///
  /// - Parameter newNames: The qualified names of versions that are not locked; each must be reached, and so
  ///   must the current one.
  /// - Returns: The findings; the indexes of the versions of the steps that are reported as impossible; and the
  ///   indexes of the versions that do not reach the current one.
  /// - Complexity: O(*n*) where each step is possible, else as the planner's.
  func findings(
    newNames: Set<String>
  ) -> (found: [Finding], steps: Set<[Int]>, sources: Set<Int>) {
    let targets = graph.nodes.filter { node in
      node == graph.currentNode
        || node.versions.contains { newNames.contains($0.qualifiedName) }
    }
    var known: EdgeCache?
    let appSurvey = app.graph.survey()
    var stranded = Stranded()
    var unreaching: Set<Int> = []
    for target in targets {
      let sources = graph.nodes[..<target.index].filter { node in
        // A version on another branch need not reach a version that is not the current one.
        (target == graph.currentNode || graph.order.precedes(node.index, target.index))
          && node.versions.contains { shipped.contains($0.qualifiedName) }
      }
      let doubtful = sources.filter { !historyIsSafe(from: $0.index, to: target.index) }
      if !doubtful.isEmpty {
        let survey = known ?? graph.survey()
        known = survey
        let planner = MigrationPlanner(graph: graph, survey: survey)
        for source in doubtful {
          do throws(PlanningError) {
            _ = try planner.plan(from: source, to: target, options: options)
          } catch {
            for cause in causes(from: source, to: target, error) {
              stranded.add(source, to: target, cause)
              if target == graph.currentNode { unreaching.insert(source.index) }
            }
          }
        }
      }
      for source in reliance.includesApp ? sources : [] {
        for cause in causesInApp(from: source, to: target, appSurvey) {
          stranded.add(source, to: target, cause)
          if target == graph.currentNode { unreaching.insert(source.index) }
        }
      }
    }
    return (
      later + stranded.groups.map { finding($0, known) },
      Set(stranded.groups.map(\.cause).filter { $0.files.isEmpty && !$0.isApps }.map(\.step)),
      unreaching.union(laterNodes.map(\.index))
    )
  }

  // MARK: Causes

  /// A cause for which versions have no path to a newer one.
  private struct Cause: Hashable {
    /// The indexes of the versions of the impossible step, or of the last one alone where each version without
    /// a path takes a step of its own; empty where the cause is not one step.
    var step: [Int] = []
    /// The refusal of the step.
    var reason: Finding?
    /// The planner's message, where the cause is not one step.
    var words: Finding.Text = ""
    /// The files that make the step possible for Waystone, and that the app does not read.
    var files: [String] = []
    /// Whether only the app does not get on, which takes the step at once.
    var isApps = false
    /// The advice on the authored mapping of the step, or on the app's own step from several versions; nil
    /// where there is none.
    var correction: Finding.Text?
  }

  /// The versions without a path to a newer one, grouped by cause.
  private struct Stranded {
    typealias Group = (cause: Cause, sources: [VersionGroup], target: VersionGroup)
    private(set) var groups: [Group] = []
    private var places: [Cause: Int] = [:]

    /// Adds a version that does not reach another one; the report names the last one not reached.
    mutating func add(_ source: VersionGroup, to target: VersionGroup, _ cause: Cause) {
      guard let place = places[cause] else {
        places[cause] = groups.count
        groups.append((cause, [source], target))
        return
      }
      groups[place].target = target
      if !groups[place].sources.contains(source) { groups[place].sources.append(source) }
    }
  }

  /// Returns the refusals of the first impossible step; else the planner's message.
  private func causes(
    from source: VersionGroup,
    to target: VersionGroup,
    _ error: PlanningError
  ) -> [Cause] {
    let steps = graph.historyEdges(from: source.index, to: target.index)
    guard let edge = steps.first(where: \.isRefused) else {
      let isForbidden = options.acceptLoss == .none && error.code == .notAllowed
      return [
        Cause(
          words: isForbidden
            ? "Every path drops something, which `loss: none` in waystone.yml forbids."
            : error.statement
        )
      ]
    }
    let correction: Finding.Text? =
      edge.origins.isEmpty
      ? nil : "Correct \(edge.origins.map(\.path).joined(separator: " and "))."
    return edge.refusals.map {
      Cause(step: [edge.source, edge.destination], reason: $0, correction: correction)
    }
  }

  /// Returns the causes for which the app does not open a version: only Waystone's own files lead on from it,
  /// or the app takes at once several steps that are possible one by one.
  private func causesInApp(
    from source: VersionGroup,
    to target: VersionGroup,
    _ survey: EdgeCache
  ) -> [Cause] {
    let history = graph.historyEdges(from: source.index, to: target.index)
    guard !history.contains(where: \.isRefused) else { return [] }
    let outcome = app.outcome(from: source, to: target, survey: survey)
    guard outcome.kind == .fails else { return [] }
    let steps = history.filter { step in step.origins.contains { !$0.form.isCoreData } }
    guard !steps.isEmpty else {
      let failure = outcome.findings.first { $0.code == .appFails }
      return outcome.findings.filter { $0.code != .appFails && $0.severity == .error }.map {
        Cause(
          step: [target.index],
          reason: $0,
          isApps: true,
          correction: failure?.advice.naming(source.name, as: .mappingModel(from: Self.each))
        )
      }
    }
    return steps.flatMap { step -> [Cause] in
      let files = step.origins.filter { !$0.form.isCoreData }.map(\.fileName)
      let cause = Cause(step: [step.source, step.destination], files: files)
      let own = app.inferred(step)
      let reasons = own.refusals + own.findings.filter { $0.effectInApp == .fails }
      return reasons.map { reason in
        var cause = cause
        cause.reason = reason
        return cause
      }
    }
  }

  // MARK: Words

  private func finding(_ group: Stranded.Group, _ survey: EdgeCache?) -> Finding {
    let (cause, target) = (group.cause, group.target)
    let sources = group.sources.sorted { $0.index < $1.index }
    let to = names.name(of: target.version)
    let ends = (cause.isApps ? [sources[0].index] : []) + cause.step
    guard let reason = cause.reason, ends.count == 2 else {
      let last = sources.last.map { names.name(of: $0.version) } ?? ""
      var finding = Finding(
        .shippedVersionStranded,
        .error,
        at: Finding.Place(file: target.version.contentsPath, version: to),
        message: "No path leads from \(list(sources)) to \(version: to). \(cause.words)",
        advice: "Look at `waystone explain \(argument: last) \(argument: to)`."
      )
      finding.change = Finding.noPath
      return finding
    }
    let (first, last) = (graph.nodes[ends[0]], graph.nodes[ends[1]])
    let version = last.arrivalVersion(from: first)
    let step = [names.name(of: first.version), names.name(of: version)]
    let fails = sources.contains {
      app.outcome(from: $0, to: target, survey: survey).kind == .fails
    }
    // Where the app computes a default, it has a path and Waystone has none.
    var finding = Finding(
      .shippedVersionStranded,
      reason.code == .defaultComputed ? .warning : .error,
      at: Finding.Place(
        file: version.contentsPath,
        version: step[1],
        entity: reason.place.entity,
        property: reason.place.property
      ),
      message: "\(reason.statement) "
        + (cause.isApps
          ? "The app cannot open stores of \(list(sources)): Core Data infers no mapping to \(version: to)."
          : cause.files.isEmpty
            ? "No path leads from \(list(sources)) to \(version: to): the step from \(version: step[0]) to "
              + "\(version: step[1]) is not possible."
            : "The app cannot open stores of \(list(sources)): Core Data infers no mapping to \(version: to), "
              + "and does not read \(cause.files.joined(separator: ", "))."),
      advice: cause.correction.map {
        sources.count > 1 ? $0 : $0.naming(Self.each, as: .mappingModel(from: first.name))
      }
        ?? (reason.code == .defaultComputed ? reason.advice : nil)
        ?? remedy(
          reason,
          isEditable: isNew(version),
          cause.files,
          needsApp: fails,
          step,
          needingDefault: nodes(needing: reason, from: last, to: target)
        )
    )
    if cause.files.isEmpty, !cause.isApps { finding.change = Finding.noPath }
    return finding
  }

  /// The words for several versions in advice on each of them.
  private static let each = "each of these versions"

  /// Returns the advice on a step: an edit of its version, as long as that may be edited, then a mapping.
  private func remedy(
    _ reason: Finding,
    isEditable: Bool,
    _ files: [String],
    needsApp: Bool,
    _ step: [String],
    needingDefault nodes: [VersionGroup]
  ) -> Finding.Text {
    guard files.isEmpty else {
      return
        "Give the app a mapping model. If Waystone migrates the stores, set `relies-on: waystone` in "
        + "waystone.yml."
    }
    let framework = graph.nodes.last?.model.framework ?? .coreData
    let place: Finding.Text =
      nodes.count > 1 ? "each of \(list(nodes))" : "\(framework.placeOfDefault)"
    // No version hash sees a default, so that a version which users have may get one.
    let lockedDefault: Finding.Text? =
      Self.needsDefault(reason)
      ? "Give it a default in \(place): no version hash changes, and "
        + "`waystone lock --accept \(argument: step[1]) --reason \"...\"` takes it into the lock."
      : nil
    if framework == .swiftData {
      let stage = framework.mapping()
      if !isEditable {
        return lockedDefault.map { "\($0) Or \(stage)." } ?? "For the app, \(stage)."
      }
      let edit = Self.edit(for: reason, defaultIn: place)
      return edit.givesMapping ? edit : "\(edit) Or \(stage)."
    }
    let change = isEditable ? Self.edit(for: reason, defaultIn: place) : lockedDefault
    let edit: Finding.Text = change.map { "\($0) Or give" } ?? "Give"
    if needsApp {
      return
        "\(edit) the app \(mappingModelFrom: step[0]) to \(version: step[1]); Waystone reads it too. The app "
        + "reads no hop file."
    }
    return
      "\(edit) the app a mapping model for the step. Where Waystone migrates the stores, a hop file "
      + "will do: `waystone init --hop \(argument: step[0]) \(argument: step[1])`."
  }

  /// Returns the step's version and the later ones in which an attribute lacks a value: the app, which takes
  /// several steps at once, looks at the last alone.
  private func nodes(
    needing reason: Finding,
    from first: VersionGroup,
    to target: VersionGroup
  ) -> [VersionGroup] {
    guard let entity = reason.place.entity, let name = reason.place.property else { return [] }
    return graph.nodes.filter { node in
      (node == first || graph.order.precedes(first.index, node.index))
        && (node == target || graph.order.precedes(node.index, target.index))
        && node.version.model.property(name, of: entity)?.property.attribute?.needsValue == true
    }
  }

  /// Returns whether an attribute lacks nothing but a default.
  private static func needsDefault(_ reason: Finding) -> Bool {
    reason.code == .requiredWithoutDefault && reason.advice.givesDefault
  }

  /// Returns the edit that corrects the version itself, the simplest first.
  private static func edit(for reason: Finding, defaultIn place: Finding.Text) -> Finding.Text {
    switch reason.code {
    case .typeConverted: "Keep the old type."
    case _ where needsDefault(reason):
      "Make it optional, or give it a default in \(place) (no version hash changes)."
    case _ where reason.advice.makesOptional: "Make it optional."
    default: reason.advice
    }
  }

  /// Returns the names of versions as a text, shortened where there are many.
  private func list(_ nodes: [VersionGroup]) -> Finding.Text {
    let all = nodes.map { names.name(of: $0.version) }
    return all.count > 4
      ? "\(Finding.Text(versions: Array(all.prefix(2)))) … \(version: all[all.count - 1]) (\(all.count) versions)"
      : Finding.Text(versions: all)
  }

  /// The shipped versions after the current one.
  private var laterNodes: [VersionGroup] {
    guard let current = graph.currentNode else { return [] }
    return graph.nodes[(current.index + 1)...].filter { node in
      node.versions.contains { shipped.contains($0.qualifiedName) }
    }
  }

  /// The finding on shipped versions after the current one, from which no path leads back.
  private var later: [Finding] {
    let nodes = laterNodes
    guard let current = graph.currentNode, let first = nodes.first else { return [] }
    let to = names.name(of: current.version)
    let all = nodes.map { names.name(of: $0.version) }
    return [
      Finding(
        .shippedVersionStranded,
        .error,
        at: Finding.Place(file: first.version.contentsPath, version: all[0]),
        message: "\(Finding.Text(versions: all)) \(all.count == 1 ? "is" : "are") shipped and "
          + "\(all.count == 1 ? "stands" : "stand") after the current version \(version: to), so that no path "
          + "leads to it.",
        advice:
          "If \(all.count == 1 ? "it is" : "they are") older than \(to), say so by `order:` in "
          + "waystone.yml; if not, make the newest the current version. If the app went back to \(to) on "
          + "purpose, add a copy of \(to) as a new last version, and make the copy the current one."
      )
    ]
  }

  /// Returns whether each step of the history is possible and has no more loss than is accepted; false where
  /// versions branched, so that the planner decides.
  private func historyIsSafe(from source: Int, to target: Int) -> Bool {
    graph.order.isLine
      && graph.historyEdges(from: source, to: target).allSatisfy { edge in
        !edge.isRefused && edge.risk < (options.acceptLoss == .none ? .unknown : .undeclared)
      }
  }
}

extension Finding {
  /// The ``change`` of a finding on a shipped version without any path.
  ///
  /// It differs from the change of one that only the app cannot open, so that an acceptance of the latter
  /// does not cover it.
  static let noPath = "no path"
}
