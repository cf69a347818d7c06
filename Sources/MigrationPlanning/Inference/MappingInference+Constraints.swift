import ObjectModel

extension MappingInference {
  /// Reports constraints that rows may violate because no earlier one implies them.
  mutating func checkConstraints(of pair: EntityPair) {
    let old = constraints(of: pair.source.name, in: source).map(\.names)
    for (entity, names) in constraints(of: pair.destination.name, in: destination) {
      let wanted = Set(names.map { pair.sourceProperty(of: $0)?.name })
      let isImplied = old.contains { constraint in
        constraint.allSatisfy { wanted.contains($0) }
      }
      guard !isImplied, hasRows(pair) else { continue }
      collector.add(
        .uniquenessAdded,
        .warning,
        .conditional,
        entity: entity,
        property: names.joined(separator: ","),
        "\(names.joined(separator: ", ")) must be unique among the rows of \(entity) from now on.",
        remedy: "Make sure that no two rows share them, or write a mapping that merges such rows."
      )
    }
  }

  private func constraints(
    of entityName: String,
    in model: ManagedObjectModel
  ) -> [(entity: String, names: [String])] {
    ([entityName] + model.ancestorNames(of: entityName)).flatMap { name in
      (model[name]?.uniquenessConstraints ?? []).map { (name, $0) }
    }
  }
}
