import ObjectModel

/// A test of whether two mappings between the same versions may run in either order.
struct MappingOrderDependency {
  private let first: MappingBinding.Bound
  private let second: MappingBinding.Bound
  /// The names of the two files in messages.
  private let names: (first: String, second: String)

  /// Compares two mappings whose order no list gives.
  init(_ first: MappingBinding.Bound, _ second: MappingBinding.Bound) {
    self.first = first
    self.second = second
    let shown = AuthoredEdge.shownNames([first.mapping.path, second.mapping.path])
    names = (shown[0], shown[1])
  }

  /// A refusal to run both mappings, because their order matters; nil where it does not.
  var refusal: Finding? {
    guard let reason = reason ?? MappingOrderDependency(second, first).reason else { return nil }
    return Finding(
      .ambiguousMapping,
      .error,
      at: Finding.Place(file: first.mapping.path, version: second.destination.name),
      message:
        "\(reason). Nothing says which of the two runs first between "
        + "\(version: first.source.name) and \(version: second.destination.name).",
      advice: "List the files in the order in which the app runs them: `mappings: [\(names.first), "
        + "\(names.second)]` in waystone.yml, or --mappings \(names.first) --mappings \(names.second)."
    )
  }

  /// The dependency of the first mapping on objects of the second, as a sentence; nil where there is
  /// none.
  private var reason: String? {
    let (own, other) = (first.mapping.mapping, second.mapping.mapping)
    let others = Set(other.entityMappings.map(\.name)).subtracting(own.entityMappings.map(\.name))
    for mapping in own.entityMappings {
      if let policy = mapping.entityMigrationPolicyClassName {
        return "\(names.first) has the policy \(policy), which may read what \(names.second) "
          + "makes"
      }
      if let read = mapping.reads.first(where: { $0.isMade(by: other, others, second.destination) })
      {
        return "\(names.first) reads what \(names.second) makes (\(read.name))"
      }
      let shared = other.entityMappings.contains {
        $0.destinationEntityName == mapping.destinationEntityName
      }
      if !mapping.deduplicationKeys.isEmpty, shared, let entity = mapping.destinationEntityName {
        return
          "\(names.first) and \(names.second) share objects of \(entity), which have the "
          + "values that come first"
      }
    }
    let isBoth =
      !own.actionsBefore.isEmpty && !other.actionsBefore.isEmpty
      || !own.actionsAfter.isEmpty && !other.actionsAfter.isEmpty
    return isBoth ? "\(names.first) and \(names.second) both run SQL or handlers" : nil
  }
}

/// A group of destination objects that an expression looks up.
private enum DestinationRead {
  /// The objects that an entity mapping of this name makes.
  case mapping(String)
  /// The objects of an entity of this name.
  case entity(String)

  var name: String {
    switch self {
    case .mapping(let name), .entity(let name): name
    }
  }

  /// Returns whether another mapping makes them.
  func isMade(by other: MappingModel, _ names: Set<String>, _ version: ModelVersion) -> Bool {
    switch self {
    case .mapping(let name): names.contains(name)
    case .entity(let name):
      other.entityMappings.contains { mapping in
        mapping.destinationEntityName.map { version.model.isKind($0, of: name) } ?? false
      }
    }
  }
}

extension EntityMapping {
  /// The destination objects that the expressions look up.
  fileprivate var reads: [DestinationRead] {
    var reads: [DestinationRead] = []
    let properties = attributeMappings + relationshipMappings
    for expression in properties.compactMap(\.valueExpression) + (pieces.map { [$0.value] } ?? []) {
      expression.forEachPart { part in
        guard case .function(.variable("manager"), let selector, let arguments) = part,
          case .constant(.string(let name))? = arguments.first
        else { return }
        if selector.contains("ForEntityMappingNamed:") { reads.append(.mapping(name)) }
        if selector == Expression.destinationInstanceForKey { reads.append(.entity(name)) }
      }
    }
    return reads
  }
}
