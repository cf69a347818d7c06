package import MigrationPlanning
package import ObjectModel

/// The Swift source of an `NSStagedMigrationManager` that migrates an app's stores along a plan's path.
///
/// Core Data makes one inference of consecutive lightweight stages, straight from a store's version to
/// where the next custom stage begins. Where that inference is not equivalent to the history, a custom
/// stage without work of its own stops it at the version in between. A custom stage's own change of the
/// model is inferred, too; its handlers must do the rest of a mapping.
package struct StagedSwift {
  private let plan: MigrationPlan
  private let graph: VersionGraph
  private let name: (ModelVersion) -> String

  /// A stage with its comments.
  private struct Stage {
    /// The positions among the plan's versions.
    var lightweight: [Int] = []
    var custom: (from: Int, to: Int)?
    var comments: [String] = []
    var willMigrate: [MigrationAction] = []
    var didMigrate: [MigrationAction] = []
    var hasHandlers = false
  }

  /// A plan of a graph, with the versions called as the archive calls them.
  package init(_ plan: MigrationPlan, graph: VersionGraph, name: @escaping (ModelVersion) -> String)
  {
    self.plan = plan
    self.graph = graph
    self.name = name
  }

  /// The source file.
  package var text: String {
    let stages = stages
    let nodes = nodes
    var lines = [
      "// Written by `waystone plan \(name(plan.source.version).shellWord) --to "
        + "\(name(plan.destination.version).shellWord) --emit staged-swift`.",
      "//",
      "// Give it to the store: options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager,",
      "// with NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption.",
      "import CoreData",
      "",
      "/// The stages that take stores from \(name(plan.source.version)) to "
        + "\(name(plan.destination.version)).",
      "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)",
      "func makeStagedMigrationManager(",
      "  modelURL: (_ version: String) -> URL",
      ") -> NSStagedMigrationManager {",
    ]
    if stages.contains(where: { $0.custom != nil }) {
      lines += [
        "  func reference(_ version: String, _ checksum: String) -> NSManagedObjectModelReference {",
        "    NSManagedObjectModelReference(fileURL: modelURL(version), versionChecksum: checksum)",
        "  }",
        "",
      ]
    }
    for (index, stage) in stages.enumerated() {
      lines += self.lines(stage, index + 1, nodes) + [""]
    }
    let list = (1...max(stages.count, 1)).prefix(stages.count).map { "stage\($0)" }
    lines += ["  return NSStagedMigrationManager([\(list.joined(separator: ", "))])", "}", ""]
    return lines.joined(separator: "\n")
  }

  private var nodes: [VersionGroup] {
    plan.hops.isEmpty ? [plan.source] : [plan.source] + plan.hops.map(\.destination)
  }

  // MARK: - Stages

  private var stages: [Stage] {
    var stages: [Stage] = []
    // The versions that no stage names yet; an inferred step is to lead on from each.
    var run: [Int] = [0]
    var isFirstNamed = false
    func flush(upTo last: Int) {
      let names = run.dropFirst(isFirstNamed ? 1 : 0).filter { $0 < last }
      if !names.isEmpty { stages.append(Stage(lightweight: names)) }
    }
    for (index, hop) in plan.hops.enumerated() {
      let reason = stop(at: hop, after: run)
      if reason.isEmpty {
        run.append(index + 1)
        continue
      }
      flush(upTo: index)
      var stage = Stage(custom: (index, index + 1), comments: reason)
      if hop.kind == .authored {
        stage.willMigrate = hop.mapping.actionsBefore
        stage.didMigrate = hop.mapping.actionsAfter
        stage.hasHandlers = true
      }
      stages.append(stage)
      run = [index + 1]
      isFirstNamed = true
    }
    flush(upTo: .max)
    return stages
  }

  /// Returns comment lines on why a hop is a stage of its own; empty where an inference may skip it.
  private func stop(at hop: Hop, after run: [Int]) -> [String] {
    let first = name(hop.source.version)
    let last = name(hop.destination.version)
    switch hop.kind {
    case .authored:
      let files = hop.origins.map(\.fileName).joined(separator: ", ")
      let refusals = MappingInference.infer(from: hop.source.model, to: hop.destination.model)
        .refusals
      guard !refusals.isEmpty else {
        return ["\(first) to \(last) is written by hand: \(files)."]
      }
      return ["\(first) to \(last) is written by hand: \(files).", "Core Data refuses this stage:"]
        + refusals.map { "  \($0.message)" }
        + ["Put a version between the two that has both, and carry the values there."]
    case .extended:
      return [
        "Core Data may not infer \(first) to \(last).",
        "Where it refuses the stage, change the model in two steps.",
      ]
    case .inferred: break
    }
    for position in run.dropLast() {
      let edge = graph.edge(from: nodes[position], to: hop.destination)
      let start = name(nodes[position].version)
      if edge.kind == .inferred, graph.verdict(on: edge) == .equivalent { continue }
      return [
        "Stops the inference from \(start) at \(first): straight to \(last) it "
          + (edge.isRefused ? "is refused." : "would not mean what the steps mean.")
      ]
    }
    return []
  }

  // MARK: - Text

  private func lines(_ stage: Stage, _ number: Int, _ nodes: [VersionGroup]) -> [String] {
    var lines: [String] = []
    guard let (from, to) = stage.custom else {
      let checksums = stage.lightweight.map {
        "    \(Self.quoted(nodes[$0].model.versionChecksum)),  // \(name(nodes[$0].version))"
      }
      let versions = stage.lightweight.map { name(nodes[$0].version) }.joined(separator: ", ")
      return ["  let stage\(number) = NSLightweightMigrationStage(["] + checksums + [
        "  ])", "  stage\(number).label = \(Self.quoted("Lightweight: \(versions)"))",
      ]
    }
    lines += stage.comments.map { "  // \($0)" }
    lines += [
      "  let stage\(number) = NSCustomMigrationStage(",
      "    migratingFrom: \(reference(nodes[from])),",
      "    to: \(reference(nodes[to]))",
      "  )",
      "  stage\(number).label = "
        + Self.quoted("\(name(nodes[from].version)) to \(name(nodes[to].version))"),
    ]
    guard stage.hasHandlers else { return lines }
    let mapping = plan.hops[from].mapping
    lines += handler("willMigrate", number, stage.willMigrate, [])
    lines += handler("didMigrate", number, stage.didMigrate, Self.work(of: mapping))
    return lines
  }

  private func handler(
    _ name: String,
    _ number: Int,
    _ actions: [MigrationAction],
    _ work: [String]
  ) -> [String] {
    guard !actions.isEmpty || !work.isEmpty else { return [] }
    var lines = ["  stage\(number).\(name)Handler = { manager, stage in"]
    for action in actions {
      switch action {
      case .handler(let name): lines.append("    try \(Self.identifier(name))(manager, stage)")
      case .sql(let text):
        lines += ["    // TODO: Waystone runs this SQL here; do the same with objects:"]
        lines += text.split(whereSeparator: \.isNewline).map { "    //   \($0)" }
      }
    }
    if !work.isEmpty {
      lines.append("    // TODO: The mapping does this beyond what Core Data infers:")
      lines += work.map { "    //   \($0)" }
    }
    return lines + ["  }"]
  }

  /// Returns lines on the parts of a mapping that no inference makes, one each.
  private static func work(of mapping: MappingModel) -> [String] {
    mapping.entityMappings.flatMap { entity -> [String] in
      guard let source = entity.sourceEntityName, let made = entity.destinationEntityName else {
        return []
      }
      var words: [String] = []
      if let policy = entity.entityMigrationPolicyClassName { words.append("policy \(policy)") }
      if let predicate = entity.sourcePredicate { words.append("where \(predicate)") }
      if let pieces = entity.pieces { words.append("for each piece of \(pieces.value)") }
      if !entity.deduplicationKeys.isEmpty {
        words.append("one for each \(entity.deduplicationKeys.joined(separator: ", "))")
      }
      let values = (entity.attributeMappings + entity.relationshipMappings).compactMap {
        property -> String? in
        guard let value = property.valueExpression, !isCarried(value, property.name) else {
          return nil
        }
        return "  \(property.name) = \(value)"
      }
      guard !words.isEmpty || !values.isEmpty || source != made else { return [] }
      let head = ["\(source) to \(made)"] + words
      return [head.joined(separator: ", ")] + values
    }
  }

  /// Returns whether an expression carries the property of the same name as it is.
  private static func isCarried(_ expression: Expression, _ name: String) -> Bool {
    if expression.carriedSourcePropertyName == name { return true }
    guard case .function(.variable("manager"), _, let arguments) = expression else { return false }
    return arguments.last == .source(name)
  }

  private func reference(_ node: VersionGroup) -> String {
    "reference(\(Self.quoted(node.version.name)), \(Self.quoted(node.model.versionChecksum)))"
  }

  /// Returns a name of any characters as a Swift identifier.
  private static func identifier(_ name: String) -> String {
    let text = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return text.first.map { $0.isNumber } ?? true ? "_\(text)" : text
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case _ where scalar.value < 0x20: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
