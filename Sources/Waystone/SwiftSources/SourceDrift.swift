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
    let all = archive.models.flatMap { model in
      liveTypes(in: model, beside: archive.models) + equalSchemas(in: model)
        + identifiers(in: model)
        + (model.plan.map { stages(of: $0, in: model) } ?? [])
    }
    return all.map { finding in
      var finding = sources.placed(finding)
      finding.place.file = finding.place.file.map(folder.shortened)
      return finding
    }
  }

  // MARK: Types of the history that live on

  /// A live type on which historical schemas depend, and the further ones to which it leads there.
  private struct LiveType {
    let type: SourceSchema.OutsideType
    /// The schemas, the oldest first.
    var schemas: [SourceSchema]
    /// The names of the live types to which it leads, with whether the schema has its own of that name.
    let led: [String: Bool]

    /// Whether the list of a schema is all that leads to it, and no copy is there to name instead.
    var isListed: Bool {
      type.isModel && !type.hasCopy && type.leader == nil && !led.values.contains(true)
    }

    /// Returns whether another one has the same cause, in another schema.
    func hasSameCause(as other: LiveType) -> Bool {
      type.path == other.type.path && type.isModel == other.type.isModel && led == other.led
        && type.hasCopy == other.type.hasCopy && type.leader?.last == other.type.leader?.last
    }
  }

  /// Returns the findings on historical schemas that share a type with the current one, or refer to a type
  /// outside of all schemas where it is not known which ones the current schema has; one finding for each
  /// such type, with all schemas that depend on it.
  ///
  /// A type that no current schema uses is frozen, wherever it is declared.
  private func liveTypes(in archive: SourceModel, beside models: [SourceModel]) -> [Finding] {
    guard let current = archive.current, archive.schemas.count > 1 else { return [] }
    let all = models.compactMap(\.current)
    func isLive(_ type: SourceSchema.OutsideType) -> Bool {
      all.contains { $0.types[type.path] != nil }
    }
    let past = models.flatMap(\.past).map(\.path)
    var causes: [LiveType] = []
    for schema in archive.past {
      let live = schema.types.values.filter { type in
        let isOfHistory = past.contains { type.path.starts(with: $0) }
        return !isOfHistory && (current.isIncomplete || isLive(type))
      }
      for cause in Self.causes(among: live, of: schema) {
        if let same = causes.firstIndex(where: { $0.hasSameCause(as: cause) }) {
          causes[same].schemas.append(schema)
        } else {
          causes.append(cause)
        }
      }
    }
    // One edit of a schema's list mends all live models that it names.
    var lists: [[LiveType]] = []
    for cause in causes {
      let list = lists.firstIndex { list in
        list[0].isListed && cause.isListed
          && list[0].schemas.map(\.path) == cause.schemas.map(\.path)
      }
      if let list { lists[list].append(cause) } else { lists.append([cause]) }
    }
    return lists.map { list in
      let isCurrent = list.allSatisfy { isLive($0.type) }
      return list.count == 1
        ? finding(on: list[0], isCurrent: isCurrent) : finding(onAll: list, isCurrent: isCurrent)
    }
  }

  /// Returns the finding on several live models that the same schemas list.
  private func finding(onAll list: [LiveType], isCurrent: Bool) -> Finding {
    let schemas = list[0].schemas
    let (own, isOne) = (schemas[0].name ?? "the schema", schemas.count == 1)
    let names = list.map { $0.type.path.joined(separator: ".") }.joined(separator: ", ")
    let led = Set(list.flatMap(\.led.keys)).subtracting(
      list.map { $0.type.path.joined(separator: ".") }
    )
    let more = led.isEmpty ? "" : " They lead to the live \(led.sorted().joined(separator: ", "))."
    let others = isOne ? "" : ", and so for the others"
    return Finding(
      .historyNamesLiveType,
      .error,
      at: schemas[0].place.finding(),
      message:
        "\(Self.list(schemas)) \(isOne ? "refers" : "refer") to \(list.count) live models"
        + (isCurrent ? ", which the current schema uses too" : "")
        + ": the next edit of one changes \(isOne ? own : "them"), and \(isOne ? "its" : "their") stores "
        + "will not open. They are \(names).\(more)",
      remedy:
        "Copy them into \(isOne ? own : "each"), as they were when that was shipped: `waystone freeze "
        + "\(own.shellWord)` writes \(own) with copies of all its models\(others)."
    )
  }

  /// Returns the names of schemas, shortened where there are many.
  private static func list(_ schemas: [SourceSchema]) -> String {
    let names = schemas.map { $0.name ?? "the schema" }
    return names.count > 4
      ? "\(names[0]), \(names[1]) … \(names[names.count - 1]) (\(names.count) schemas)"
      : names.joined(separator: ", ")
  }

  /// Returns the live types of a schema that no other of them leads to, in the order of their names.
  private static func causes(
    among live: [SourceSchema.OutsideType],
    of schema: SourceSchema
  ) -> [LiveType] {
    let known = Dictionary(live.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    func isLed(_ type: SourceSchema.OutsideType) -> Bool {
      type.leader.map { $0 != type.path && known[$0] != nil } ?? false
    }
    /// Returns the first of the types that lead to one, itself where none does.
    func first(_ type: SourceSchema.OutsideType) -> SourceSchema.OutsideType {
      var type = type
      for _ in live {
        guard isLed(type), let leader = type.leader.flatMap({ known[$0] }) else { break }
        type = leader
      }
      return type
    }
    let led = Dictionary(grouping: live.filter(isLed)) { first($0).path }
    return live.filter { !isLed($0) }.sorted { $0.path.joined() < $1.path.joined() }.map { type in
      let own = (led[type.path] ?? []).map { ($0.path.joined(separator: "."), $0.hasCopy) }
      return LiveType(
        type: type,
        schemas: [schema],
        led: Dictionary(own, uniquingKeysWith: { first, _ in first })
      )
    }
  }

  private func finding(on cause: LiveType, isCurrent: Bool) -> Finding {
    let type = cause.type
    let name = type.path.joined(separator: ".")
    let schemas = cause.schemas.map { $0.name ?? "the schema" }
    let isOne = schemas.count == 1
    let own = schemas[0]
    let list = Self.list(cause.schemas)
    let kind = type.isModel ? "the live model" : "the live type"
    let use =
      type.isModel
      ? (isOne ? "refers to" : "refer to")
      : "\(isOne ? "depends" : "depend") by \(type.entity) on"
    func leading(_ hasCopy: Bool) -> String? {
      let names = cause.led.filter { $0.value == hasCopy }.keys.sorted()
      return names.isEmpty ? nil : "the live \(names.joined(separator: ", "))"
    }
    let leads = [
      leading(false),
      leading(true).map {
        "\($0), although \(isOne ? "\(own) has" : "they have") \(isOne ? "its" : "their") own"
      },
    ].compactMap(\.self)
    let more = leads.isEmpty ? "" : " \(name) leads to \(leads.joined(separator: ", and to "))."
    let copy = type.path.last ?? name
    let remedy =
      type.hasCopy
      ? (isOne
        ? "Name \(own).\(copy) in place of \(name)"
        : "Name the \(copy) of each schema in place of \(name), as \(own).\(copy)")
        + (type.leader.map { " in \($0.joined(separator: "."))." } ?? " among the models of \(own).")
      : isOne
        ? "Copy \(name) into \(own), as it was when that was shipped: `waystone freeze "
          + "\(own.shellWord)` writes \(own) with copies of all its models."
        : "Copy \(name) into each of them, as it was when that was shipped: `waystone freeze "
          + "\(own.shellWord)` writes \(own) with copies of all its models, and so for the others."
    return Finding(
      .historyNamesLiveType,
      type.isModel ? .error : .warning,
      at: cause.schemas[0].place(entity: type.entity).finding(entity: type.entity),
      message:
        "\(list) \(use) \(kind) \(name) (\(sources.path(of: type.place)))"
        + (isCurrent ? ", which the current schema uses too" : "")
        + ": the next edit of \(name) changes \(isOne ? own : "them"), and "
        + "\(isOne ? "its" : "their") stores will not open." + more,
      remedy: remedy
    )
  }

  // MARK: Schemas that cannot be distinguished

  private func equalSchemas(in archive: SourceModel) -> [Finding] {
    var known: [String: SourceSchema] = [:]
    return archive.schemas.compactMap { schema in
      guard let checksum = schema.knownChecksum else { return nil }
      guard let other = known.updateValue(schema, forKey: checksum) else { return nil }
      let names = "\(other.name ?? "") and \(schema.name ?? "")"
      if let plan = archive.plan, let planned = plan.only(of: other, schema) {
        let spare = planned.path == schema.path ? other : schema
        return Finding(
          .schemasHashAlike,
          .note,
          at: spare.place.finding(),
          message:
            "\(names) have the same hashes. \(plan.name) has \(planned.name ?? "") alone, so that "
            + "the app opens the stores of both.",
          remedy: "Nothing needs to be done. \(spare.name ?? "") can go where no code uses it."
        )
      }
      if let plan = archive.plan, plan.hasNeither(of: other, schema) {
        return Finding(
          .schemasHashAlike,
          .note,
          at: schema.place.finding(),
          message: "\(names) have the same hashes, and \(plan.name) has neither.",
          remedy: "One of them can go where no code uses it."
        )
      }
      return Finding(
        .schemasHashAlike,
        // Without a plan the app migrates by inference, which no name decides.
        archive.plan == nil ? .warning : .error,
        at: schema.place.finding(),
        message: archive.plan.map {
          "\(names) have the same hashes, and the framework refuses \($0.name) with both."
        } ?? "\(names) have the same hashes: no migration plan could have both.",
        remedy:
          "Remove \(schema.name ?? "one") with its stage, unless it is to change: then let it differ."
      )
    }
  }

  private func identifiers(in archive: SourceModel) -> [Finding] {
    var known: [String: SourceSchema] = [:]
    let majors = archive.schemas.compactMap { schema in
      schema.identifier?.split(separator: ".").first.flatMap { Int($0) }
    }
    var free = (majors.max() ?? 0) < Int.max ? (majors.max() ?? 0) + 1 : 0
    return archive.schemas.compactMap { schema in
      guard let identifier = schema.identifier,
        let other = known.updateValue(schema, forKey: identifier)
      else { return nil }
      defer { free = free < Int.max ? free + 1 : free }
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
    in archive: SourceModel
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
    // A store has hashes and no name: one schema of the plan opens those of all with its hashes.
    var opened = Set(
      archive.schemas.filter { plan.schemas.contains($0.name ?? "") }.compactMap(\.knownChecksum)
    )
    for schema in archive.schemas {
      guard let name = schema.name, !plan.schemas.contains(name),
        !(schema.knownChecksum.map(opened.contains) ?? false)
      else { continue }
      add(
        "\(plan.name) lacks \(name): the app cannot open stores of it, NSCocoaErrorDomain 134504.",
        "Add \(name).self to its `schemas`, and a stage.",
        at: schema.place
      )
      // A plan can have one of two schemas with the same hashes.
      if let checksum = schema.knownChecksum { opened.insert(checksum) }
    }
    var schemas: [String] = []
    for name in plan.schemas {
      guard schemas.contains(name) else {
        schemas.append(name)
        continue
      }
      add("\(plan.name) lists \(name) twice.", "Keep it once.", at: plan.place)
    }
    if plan.stages.isEmpty, schemas.count > 1 {
      findings.append(
        Finding(
          .stagesSkipVersion,
          .warning,
          at: plan.place.finding(),
          message:
            "\(plan.name) has no stages: the app infers each step, as a public app says of its own; Apple "
            + "does not document it.",
          remedy:
            "List a stage for each step, `.lightweight(fromVersion: \(schemas[0]).self, toVersion: "
            + "\(schemas[1]).self)` or a custom one."
        )
      )
    }
    for (from, to) in zip(schemas, schemas.dropFirst())
    where !plan.stages.isEmpty && !plan.stages.contains(where: { $0.from == from && $0.to == to }) {
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

extension MigrationPlanDeclaration {
  /// Returns whether the plan lists neither of two schemas, and no more than is known.
  fileprivate func hasNeither(of first: SourceSchema, _ second: SourceSchema) -> Bool {
    !isIncomplete && ![first, second].contains { schemas.contains($0.name ?? "") }
  }

  /// Returns the one of two schemas that the plan has; nil where it has both or none, or may have more
  /// than is known.
  fileprivate func only(of first: SourceSchema, _ second: SourceSchema) -> SourceSchema? {
    let planned = [first, second].filter { schemas.contains($0.name ?? "") }
    return planned.count == 1 && !isIncomplete ? planned[0] : nil
  }
}
