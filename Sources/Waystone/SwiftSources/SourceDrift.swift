internal import ObjectModel
internal import SwiftDataImport

/// The faults in the history that an app's sources declare: frozen schemas that are not frozen, and
/// plans that do not join them.
struct SourceDrift {
  let sources: SourceVersions
  /// The folder from which paths are shown.
  let folder: WorkingFolder

  /// The findings on the sources as they are; none where only commits are read.
  var findings: [Finding] {
    guard let archive = sources.working else { return [] }
    let all =
      liveTypes(in: archive) + equalSchemas(in: archive) + identifiers(in: archive)
      + (archive.plan.map { stages(of: $0, in: archive) } ?? [])
    return all.map { finding in
      var finding = sources.placed(finding)
      finding.place.file = finding.place.file.map(folder.shortened)
      return finding
    }
  }

  // MARK: Types of the history that live on

  /// Returns findings on historical schemas that share a type with the current one, or refer to a type
  /// outside of all schemas where it is not known which ones the current schema has.
  ///
  /// A type that the current schema does not use is frozen, wherever it is declared.
  private func liveTypes(in archive: SourceArchive) -> [Finding] {
    guard let current = archive.current, archive.schemas.count > 1 else { return [] }
    let schemaPaths = archive.schemas.map(\.path).filter { !$0.isEmpty }
    return archive.schemas.dropLast().flatMap { schema in
      let live = schema.types.values.filter { type in
        let isOfHistory = schemaPaths.contains { path in
          path != current.path && type.path.starts(with: path)
        }
        return !isOfHistory && (current.isIncomplete || current.types[type.path] != nil)
      }
      // A copy exists already of the models that another live model leads to: that one is to be copied.
      let paths = Set(live.map(\.path))
      let led = live.filter { $0.hasCopy && $0.leader.map(paths.contains) == true }
      return live.filter { !led.contains($0) }.sorted { $0.path.joined() < $1.path.joined() }.map {
        type in
        let names = led.filter { $0.leader == type.path }.map { $0.path.joined(separator: ".") }
        let isCurrent = current.types[type.path] != nil
        return liveType(type, of: schema, isCurrent: isCurrent, leadsTo: names.sorted())
      }
    }
  }

  private func liveType(
    _ type: SourceSchema.OutsideType,
    of schema: SourceSchema,
    isCurrent: Bool,
    leadsTo others: [String]
  ) -> Finding {
    let name = type.path.joined(separator: ".")
    let own = schema.name ?? "the schema"
    let kind = type.isModel ? "the live model" : "the live type"
    let use = type.isModel ? "refers to" : "depends by \(type.entity) on"
    let more =
      others.isEmpty
      ? ""
      : " \(name) leads to the live \(others.joined(separator: ", ")), although \(own) has its own."
    let remedy =
      type.hasCopy
      ? "Name \(own).\(type.path.last ?? name) in place of \(name)"
        + (type.leader.map { " in \($0.joined(separator: "."))." } ?? " among the models of \(own).")
      : "Copy \(name) into \(own), as it was when that was shipped: `waystone freeze "
        + "\(own.shellWord)` writes \(own) with copies of all its models."
    return Finding(
      .historyNamesLiveType,
      type.isModel ? .error : .warning,
      at: schema.place(entity: type.entity).finding(entity: type.entity),
      message:
        "\(schema.name ?? "A schema") \(use) \(kind) \(name) (\(sources.path(of: type.place)))"
        + (isCurrent ? ", which the current schema uses too" : "")
        + ": the next edit of \(name) changes \(own), and its stores will not open."
        + more,
      remedy: remedy
    )
  }

  // MARK: Schemas that cannot be distinguished

  private func equalSchemas(in archive: SourceArchive) -> [Finding] {
    var known: [String: SourceSchema] = [:]
    return archive.schemas.compactMap { schema in
      guard schema.isKnown, let checksum = schema.model?.versionChecksum else { return nil }
      guard let other = known.updateValue(schema, forKey: checksum) else { return nil }
      return Finding(
        .schemasHashAlike,
        .error,
        at: schema.place.finding(),
        message:
          "\(other.name ?? "") and \(schema.name ?? "") have the same hashes: the app cannot tell "
          + "their stores apart.",
        remedy:
          "Remove \(schema.name ?? "one") with its stage, unless it is to change: then let it differ."
      )
    }
  }

  private func identifiers(in archive: SourceArchive) -> [Finding] {
    var known: [String: SourceSchema] = [:]
    let majors = archive.schemas.compactMap { schema in
      schema.identifier?.split(separator: ".").first.flatMap { Int($0) }
    }
    let free = (majors.max() ?? 0) < Int.max ? (majors.max() ?? 0) + 1 : 0
    return archive.schemas.compactMap { schema in
      guard let identifier = schema.identifier,
        let other = known.updateValue(schema, forKey: identifier)
      else { return nil }
      return Finding(
        .versionIdentifierRepeats,
        .warning,
        at: schema.place.finding(),
        message: "\(other.name ?? "") and \(schema.name ?? "") both have the version identifier "
          + "\(identifier).",
        remedy: "Give \(schema.name ?? "one") another: Schema.Version(\(free), 0, 0)."
      )
    }
  }

  // MARK: Stages

  /// Returns findings on stages that do not lead from each schema of a plan to the next, and schemas
  /// that it lacks.
  private func stages(
    of plan: MigrationPlanDeclaration,
    in archive: SourceArchive
  ) -> [Finding] {
    var findings: [Finding] = plan.stages.filter(\.runsCode).map { stage in
      Finding(
        .stageRunsCode,
        .note,
        at: stage.place.finding(),
        message:
          "The stage from \(stage.from) to \(stage.to) runs code of the app. Waystone cannot see what "
          + "it does to data.",
        remedy:
          "Try it in the app. For stores that Waystone migrates, write a hop file: `waystone init "
          + "--hop \(stage.from.shellWord) \(stage.to.shellWord)`."
      )
    }
    // A list that is not understood may have what seems to lack.
    guard !plan.isIncomplete else { return findings }
    func add(_ message: String, _ remedy: String, at place: SourcePlace) {
      findings.append(
        Finding(.stagesSkipVersion, .error, at: place.finding(), message: message, remedy: remedy)
      )
    }
    for schema in archive.schemas {
      guard let name = schema.name, !plan.schemas.contains(name) else { continue }
      add(
        "\(plan.name) lacks \(name): the app cannot open stores of it, NSCocoaErrorDomain 134504.",
        "Add \(name).self to its `schemas`, and a stage.",
        at: schema.place
      )
    }
    var schemas: [String] = []
    for name in plan.schemas {
      guard schemas.contains(name) else {
        schemas.append(name)
        continue
      }
      add("\(plan.name) lists \(name) twice.", "Keep it once.", at: plan.place)
    }
    for (from, to) in zip(schemas, schemas.dropFirst())
    where !plan.stages.contains(where: { $0.from == from && $0.to == to }) {
      let skipping = plan.stages.first { $0.from == from }
      add(
        skipping.map { "A stage of \(plan.name) leads from \(from) to \($0.to) and skips \(to)." }
          ?? "No stage of \(plan.name) leads from \(from) to \(to).",
        "Add `.lightweight(fromVersion: \(from).self, toVersion: \(to).self)`, or a custom stage.",
        at: skipping?.place ?? plan.place
      )
    }
    let places = plan.stages.map { plan.schemas.firstIndex(of: $0.from) ?? plan.schemas.count }
    let pairs = zip(places, places.dropFirst()).enumerated()
    if let index = pairs.first(where: { $1.0 > $1.1 })?.offset {
      let (stage, next) = (plan.stages[index], plan.stages[index + 1])
      add(
        "The stage of \(plan.name) from \(next.from) to \(next.to) stands behind that from "
          + "\(stage.from) to \(stage.to).",
        "List the stages in the order of the schemas.",
        at: next.place
      )
    }
    var seen: Set<String> = []
    for stage in plan.stages {
      if let from = plan.schemas.firstIndex(of: stage.from),
        let to = plan.schemas.firstIndex(of: stage.to), to <= from
      {
        add(
          "A stage of \(plan.name) leads from \(stage.from) back to \(stage.to).",
          "Remove it: SwiftData migrates no store to an older schema.",
          at: stage.place
        )
      }
      for name in [stage.from, stage.to] where !plan.schemas.contains(name) {
        add(
          "A stage of \(plan.name) names \(name), which its `schemas` lack.",
          "Add \(name).self to them.",
          at: stage.place
        )
      }
      if !seen.insert(stage.from).inserted {
        add(
          "Two stages of \(plan.name) leave \(stage.from).",
          "Keep one.",
          at: stage.place
        )
      }
    }
    return findings
  }
}

extension SourceVersions {
  /// Returns a place in the sources, for messages: the file's path below the folder, and the line.
  func path(of place: SourcePlace) -> String { "\(place.file):\(place.line)" }
}
