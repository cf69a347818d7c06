internal import MigrationPlanning
internal import ModelCoding
internal import ObjectModel

/// What a journal keeps of the command's options, so that `resume` makes the same plan again.
enum PlanningMemory {
  private static let acceptLoss = "accept-loss"
  private static let acceptUndecided = "accept-undecided"
  private static let walk = "walk"
  private static let downgrade = "downgrade"
  private static let via = "via"
  private static let avoided = "avoid"
  private static let preferredVersions = "prefer-version"
  private static let preferredEdges = "prefer-edge"
  private static let acceptedShortcuts = "accept-shortcut"
  private static let path = "path"
  private static let configuration = "configuration"
  private static let mappings = "mappings"
  private static let recovered = "recovered-model"
  private static let partName = "part-configuration"
  private static let partEntities = "part-entities"

  /// The options as the journal keeps them.
  ///
  /// - Parameters:
  ///   - plan: The plan, whose path the data of the store chose.
  ///   - cache: The bytes from which the store's version was recovered, if it was.
  ///   - part: The part of its model that the store holds, where it is not all of it.
  static func remember(
    _ options: PlanningOptions,
    plan: MigrationPlan,
    configuration file: String?,
    mappings paths: [String] = [],
    recovered cache: [UInt8]? = nil,
    part: StorePart? = nil
  ) -> [String: String] {
    var memory = [
      acceptLoss: options.acceptLoss.rawValue,
      acceptUndecided: "\(options.acceptUndecided)",
      walk: "\(options.walksEveryVersion)",
      downgrade: "\(options.allowDowngrade)",
    ]
    memory[via] = list(options.via)
    memory[avoided] = list(options.avoided)
    memory[preferredVersions] = list(options.preferredVersions)
    memory[preferredEdges] = list(options.preferredEdges)
    memory[acceptedShortcuts] = list(options.acceptedShortcuts)
    memory[path] = list(
      plan.hops.isEmpty ? [] : [plan.source.name] + plan.hops.map(\.destination.name)
    )
    memory[configuration] = file
    if !paths.isEmpty { memory[mappings] = paths.joined(separator: "\n") }
    memory[recovered] = cache.map { Hexadecimal.string($0) }
    memory[partName] = part?.configuration
    memory[partEntities] = part?.entities.joined(separator: "\n")
    return memory
  }

  /// The planner's options that the journal keeps.
  static func options(_ memory: [String: String]) -> PlanningOptions {
    var options = PlanningOptions()
    options.acceptLoss =
      memory[acceptLoss].flatMap(PlanningOptions.AcceptedLoss.init(rawValue:)) ?? .declared
    options.acceptUndecided = memory[acceptUndecided] == "true"
    options.walksEveryVersion = memory[walk] == "true"
    options.allowDowngrade = memory[downgrade] == "true"
    options.via = names(memory[via])
    options.avoided = names(memory[avoided])
    options.preferredVersions = names(memory[preferredVersions])
    options.preferredEdges = pairs(memory[preferredEdges])
    options.acceptedShortcuts = pairs(memory[acceptedShortcuts])
    return options
  }

  /// The names of the versions on the way, where the run's plan has hops.
  static func path(_ memory: [String: String]) -> [String] { names(memory[path]) }

  /// The part of its model that the run's store holds, where it is not all of it.
  static func part(_ memory: [String: String]) -> StorePart? {
    memory[partEntities].map {
      StorePart(
        configuration: memory[partName],
        entities: $0.split(separator: "\n").map(String.init)
      )
    }
  }

  /// The absolute paths of the mappings that the run's command line named.
  static func mappingPaths(_ memory: [String: String]) -> [String] {
    memory[mappings]?.split(separator: "\n").map(String.init) ?? []
  }

  /// The configuration that the run's models came with.
  static func configurationPath(_ memory: [String: String]) -> String? { memory[configuration] }

  /// The model of the version that was recovered from the store, where the run began with one.
  static func recoveredModel(_ memory: [String: String]) throws -> ManagedObjectModel? {
    try memory[recovered].flatMap { Hexadecimal.bytes($0) }.map {
      try ModelCache.decode($0).model
    }
  }

  private static func list(_ names: [String]) -> String? {
    names.isEmpty ? nil : names.joined(separator: "\n")
  }

  private static func list(_ pairs: [PlanningOptions.VersionPair]) -> String? {
    list(pairs.flatMap { [$0.source, $0.destination] })
  }

  private static func names(_ text: String?) -> [String] {
    (text ?? "").split(separator: "\n").map(String.init)
  }

  private static func pairs(_ text: String?) -> [PlanningOptions.VersionPair] {
    let names = names(text)
    return stride(from: 0, to: names.count - 1, by: 2).map {
      PlanningOptions.VersionPair(source: names[$0], destination: names[$0 + 1])
    }
  }
}
