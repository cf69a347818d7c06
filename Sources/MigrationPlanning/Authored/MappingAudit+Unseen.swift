package import ObjectModel

extension MappingAudit {
  /// Returns findings on changes between the two versions that affect no rows, and on copied values that
  /// the app will read differently.
  ///
  /// A policy may convert values as it likes, so its objects' values get no finding.
  /// - Complexity: As of a `ModelDifference`.
  static func unseenFindings(
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [Finding] {
    let collector = FindingCollector()
    UnhashedChanges(from: source, to: destination).report(to: collector)
    for entity in ResolvedMapping(mapping, from: source, to: destination).entities {
      guard let entity, entity.mapping.entityMigrationPolicyClassName == nil else { continue }
      for attribute in entity.mapping.attributeMappings {
        guard let name = entity.attributes[attribute.name]?.unchanged.carriedProperty,
          let old = source.property(name, of: entity.source)?.property.attribute,
          let declared = destination.property(attribute.name, of: entity.destination),
          let new = declared.property.attribute
        else { continue }
        collector.addTransformer(from: old, to: new, entity: declared.entityName)
      }
    }
    return collector.findings
  }
}

extension MappingAudit {
  /// Returns findings on effects that only a run shows: SQL, handlers and policies that change the data.
  package static func unseenEffects(of mapping: MappingModel) -> [Finding] {
    let collector = FindingCollector()
    let actions = mapping.actionsBefore + mapping.actionsAfter
    let handlers = actions.compactMap { action -> String? in
      if case .handler(let name) = action { name } else { nil }
    }
    let parts =
      (handlers.count < actions.count ? ["SQL"] : []) + handlers.map { "the handler \($0)" }
    if !parts.isEmpty {
      collector.add(
        .unseenEffect,
        .note,
        .unknown,
        at: Finding.Place(),
        "The hop runs \(parts.joined(separator: " and ")): only the run shows what changes.",
        remedy: remedy
      )
    }
    for entity in mapping.entityMappings {
      guard let policy = entity.entityMigrationPolicyClassName, let source = entity.sourceEntityName
      else { continue }
      collector.add(
        .unseenEffect,
        .note,
        .unknown,
        at: Finding.Place(entity: source),
        "\(subject: source) is mapped by the policy \(policy): only the run shows what it makes.",
        remedy: remedy
      )
    }
    return collector.findings
  }

  private static let remedy: Finding.Text =
    "Try it on a copy of a store, and look at what the result holds."
}
