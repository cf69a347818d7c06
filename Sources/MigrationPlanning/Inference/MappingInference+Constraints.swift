import ObjectModel

extension MappingInference {
  /// Reports constraints that rows may violate because no earlier one implies them.
  mutating func checkConstraints(of pair: EntityPair) {
    guard hasRows(pair) else { return }
    let old = constraints(of: pair.source.name, in: source)
    for (entity, names) in constraints(of: pair.destination.name, in: destination) {
      let kept = Set(names.compactMap { unchangedSource(of: $0, in: pair) })
      let sources = destination.hierarchyNames(below: entity).compactMap { name in
        entities.pair(destination: name).flatMap { hasRows($0) ? $0.source.name : nil }
      }
      let isImplied = old.contains { constraint in
        constraint.names.allSatisfy { kept.contains($0) }
          && sources.allSatisfy { source.isKind($0, of: constraint.entity) }
      }
      guard !isImplied, !names.contains(where: { isEmpty($0, in: pair) }) else { continue }
      collector.add(
        .uniquenessAdded,
        .warning,
        .conditional,
        at: Finding.Place(entity: entity, property: names.joined(separator: ",")),
        "\(subject: "\(entity).\(names.joined(separator: ","))") \(.must) be unique among all rows from now on.",
        remedy:
          "Make sure that no two rows share them, or \(framework.mapping(" that merges such rows"))."
      )
    }
  }

  /// Returns whether an entity that stays as it is comes under a constraint of an ancestor that does
  /// not.
  func comesUnderConstraints(_ pair: EntityPair) -> Bool {
    destination.ancestorNames(of: pair.destination.name).contains { name in
      destination[name]?.uniquenessConstraints.isEmpty == false
        && entities.pair(destination: name)?.isEqual != true
    }
  }

  /// Returns whether no row has a value of an attribute: a row without one equals no other.
  private func isEmpty(_ name: String, in pair: EntityPair) -> Bool {
    guard let new = destination.property(name, of: pair.destination.name)?.property.attribute else {
      return false
    }
    if new.isTransient { return true }
    guard pair.sourceProperty(of: name) == nil else { return false }
    if let derivation = new.derivationExpression { return !derivation.isComputed }
    return new.isPersistent && new.defaultValue == nil && !new.hasComputedDefault
  }

  /// Returns the source property whose values a property has, where none of them changes.
  private func unchangedSource(of name: String, in pair: EntityPair) -> String? {
    guard let old = pair.sourceProperty(of: name) else { return nil }
    let new = destination.property(name, of: pair.destination.name)?.property
    if let before = old.attribute, let after = new?.attribute {
      if after.derivationExpression != nil {
        // It keeps what it holds until it is computed anew.
        guard before.derivationExpression != nil, before.attributeType == after.attributeType else {
          return nil
        }
      } else if ValueOrigin.carrying(before, into: after).carriedProperty == nil {
        return nil
      }
    }
    return old.name
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
