import ObjectModel

extension FindingCollector {
  /// Notes that a relationship leads to objects that are dropped.
  ///
  /// - Parameters:
  ///   - targets: The entities of those objects.
  ///   - isNeeded: Whether an owner must have a link, and can have one only.
  func addDroppedTargets(
    _ targets: [String],
    entity: String,
    property: String,
    isNeeded: Bool
  ) {
    let names = targets.joined(separator: " and ")
    add(
      .linksDropped,
      .warning,
      .conditional,
      at: Finding.Place(entity: entity, property: property),
      isNeeded
        ? "\(subject: "\(entity).\(property)") loses its links to \(names) objects, which are dropped; it is "
          + "required, and a run refuses rows that would have none."
        : "\(subject: "\(entity).\(property)") \(.loses) \(.its) links to \(names) objects, which are dropped.",
      remedy: "Carry those objects too, or give these links other targets with the app first.",
      change: "without \(names)"
    )
  }
}

extension MappingInference {
  /// Reports relationships that are carried and can lead to objects of entities that are dropped.
  ///
  /// Where nothing is left to which one can lead, it is dropped as a whole, and that is reported where
  /// its destination is compared.
  mutating func reportDroppedTargets() {
    let gone = entities.removed.filter { !$0.isAbstract }.map(\.name)
    guard !gone.isEmpty else { return }
    let reached = Set(gone.flatMap { [$0] + source.ancestorNames(of: $0) })
    for pair in entities.pairs where isReported(pair) {
      guard pair.source.destinationNames.contains(where: reached.contains) else { continue }
      for declared in pair.destination.properties {
        guard let new = declared.property.relationship, new.isPersistent,
          let old = pair.sourceProperty(of: new.name)?.relationship, old.isPersistent,
          reached.contains(old.destinationEntityName)
        else { continue }
        let below = source.hierarchyNames(below: old.destinationEntityName)
          .filter { source[$0]?.isAbstract == false }
        let targets = below.filter { entities.counterpart(ofSource: $0) == nil }
        let isNeeded = !new.isToMany && new.leastCount > 0
        let isReported =
          targets.count == below.count
          && entities.counterpart(ofSource: old.destinationEntityName)
            != new.destinationEntityName
        guard !targets.isEmpty, !isReported || isNeeded else { continue }
        collector.addDroppedTargets(
          targets,
          entity: declared.entityName,
          property: new.name,
          isNeeded: isNeeded
        )
      }
    }
  }
}
