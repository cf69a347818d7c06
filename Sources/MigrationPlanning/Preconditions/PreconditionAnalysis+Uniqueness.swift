import ObjectModel

extension PreconditionAnalysis {
  /// Returns the questions whether rows are unique by new constraints that no earlier one implies.
  func uniquenessPreconditions() -> [Precondition] {
    destination.entities.filter { !$0.uniquenessConstraints.isEmpty }.flatMap {
      entity -> [Precondition] in
      let below = Set(destination.hierarchyNames(below: entity.name))
      let rows = rows.filter { below.contains($0.destination) }
      return entity.uniquenessConstraints.compactMap { names in
        guard !names.isEmpty, !rows.isEmpty,
          !rows.allSatisfy({ $0.isShared(by: names) })
        else { return nil }
        // A row that lacks a value is like no other.
        let subjects = rows.map { row in row.made(names.map { value(of: $0, row) }) }
          .filter { !$0.values.contains(.nothing) }
        guard !subjects.isEmpty, !isImplied(subjects) else { return nil }
        return Precondition(
          .uniquenessAdded,
          entity: entity.name,
          property: names.joined(separator: ","),
          .unique,
          subjects
        )
      }
    }
  }

  /// Returns whether one constraint of the source already holds for all these rows.
  private func isImplied(_ subjects: [Precondition.Subject]) -> Bool {
    // A row that becomes several is one for the source.
    guard subjects.allSatisfy({ $0.pieces == nil }),
      Set(subjects.map(\.entity)).count == subjects.count
    else { return false }
    let kept = subjects.map { Set($0.values.compactMap(\.carriedProperty)) }
    return source.entities.contains { entity in
      subjects.allSatisfy { source.isKind($0.entity, of: entity.name) }
        && entity.uniquenessConstraints.contains { constraint in
          !constraint.isEmpty && kept.allSatisfy { $0.isSuperset(of: constraint) }
        }
    }
  }

  /// Returns whether rows that code makes were unique in the source by the same names.
  ///
  /// Code may give them other values, so the rows are asked nevertheless; the step has no new finding.
  func wasUniqueBefore(_ precondition: Precondition) -> Bool {
    let names = precondition.property?.split(separator: ",").map(String.init) ?? []
    let below = Set(destination.hierarchyNames(below: precondition.entity))
    let rows = rows.filter { below.contains($0.destination) }
    guard !rows.isEmpty, rows.allSatisfy(\.isOpaque),
      Set(rows.map(\.source)).count == rows.count
    else { return false }
    return source.entities.contains { entity in
      rows.allSatisfy { source.isKind($0.source, of: entity.name) }
        && entity.uniquenessConstraints.contains { constraint in
          !constraint.isEmpty
            && rows.allSatisfy { row in
              Set(names.map { row.carried($0) ?? $0 }).isSuperset(of: constraint)
            }
        }
    }
  }

  /// Returns whether several objects may become one of an entity, or one becomes several.
  private func areJoined(_ entity: String) -> Bool {
    let names = destination.hierarchyNames(below: entity)
    return rows.contains {
      names.contains($0.destination)
        && (!$0.mapping.deduplicationKeys.isEmpty || $0.mapping.pieces != nil)
    }
  }

  /// Returns the origin of a property of a new row.
  private func value(of name: String, _ row: Row) -> ValueOrigin {
    let place = "\(row.destination).\(name)"
    guard let property = destination.property(name, of: row.destination)?.property,
      property.isPersistent
    else { return .nothing }
    if row.hasPolicy { return .opaque("code gives \(place) its value") }
    if property.attribute?.derivationExpression?.isComputed == true,
      row.resolution.attributes[name] == .nothing
    {
      return .opaque("\(place) is computed from other values")
    }
    if let value = row.resolution.attributes[name] {
      // An expression over the row alone is asked as its other values are.
      return value.isOfStoredValue || value.isComputed && !value.isOpaque
        ? value : .opaque("an expression of a mapping gives \(place) its value")
    }
    guard let value = row.resolution.relationships[name] else {
      return .opaque("the links of \(place) follow from its inverse")
    }
    // Links to several objects that become one are equal, and their keys were not.
    if let destination = property.relationship?.destinationEntityName, areJoined(destination) {
      return .opaque("objects to which \(place) leads may become one")
    }
    return value.unchanged.carriedProperty.map { .carried([$0]) }
      ?? .opaque("an expression of a mapping gives \(place) its value")
  }
}
