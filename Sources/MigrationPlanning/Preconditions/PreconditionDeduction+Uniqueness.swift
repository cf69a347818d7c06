import ObjectModel

extension PreconditionDeduction {
  /// Whether the rows are unique that must be from now on, for constraints that no earlier one
  /// implies.
  func uniquenessPreconditions() -> [Precondition] {
    destination.entities.flatMap { entity -> [Precondition] in
      let below = Set(destination.hierarchyNames(below: entity.name))
      let rows = rows.filter { below.contains($0.destination) }
      return entity.uniquenessConstraints.compactMap { names in
        guard !names.isEmpty, !rows.isEmpty,
          !rows.allSatisfy({ $0.isShared(by: names) })
        else { return nil }
        let subjects = rows.map { row in row.subject(names.map { value(of: $0, row) }) }
        guard !isImplied(subjects) else { return nil }
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

  /// Whether one constraint of the source already holds for all these rows.
  private func isImplied(_ subjects: [Precondition.Subject]) -> Bool {
    // A row that becomes several is one for the source.
    guard Set(subjects.map(\.entity)).count == subjects.count else { return false }
    let kept = subjects.map { Set($0.values.compactMap(\.propertyName)) }
    return source.entities.contains { entity in
      subjects.allSatisfy { source.isKind($0.entity, of: entity.name) }
        && entity.uniquenessConstraints.contains { constraint in
          !constraint.isEmpty && kept.allSatisfy { $0.isSuperset(of: constraint) }
        }
    }
  }

  /// What a property of a new row holds.
  private func value(of name: String, _ row: Row) -> Precondition.Value {
    guard let new = destination.property(name, of: row.destination)?.property else {
      return .constant(nil)
    }
    if row.isOpaque || new.attribute?.derivationExpression != nil {
      return .opaque("code or the store gives \(row.destination).\(name) its value")
    }
    guard let expression = row.expression(name) else {
      guard new.attribute != nil else {
        return .opaque("the links of \(row.destination).\(name) follow from its inverse")
      }
      return .constant(new.attribute?.defaultValue)
    }
    if case .constant(let value) = expression { return .constant(value) }
    guard let carried = expression.carriedSourcePropertyName,
      let old = source.property(carried, of: row.source)?.property
    else {
      return .opaque("an expression of a mapping gives \(row.destination).\(name) its value")
    }
    var value = Precondition.Value.property(carried)
    guard let before = old.attribute, let after = new.attribute else { return value }
    if before.attributeType != after.attributeType, before.attributeType.isNumeric {
      value = .converted(value, from: before.attributeType, to: after.attributeType)
    }
    if before.isOptional, !after.isOptional, let fill = after.defaultValue {
      value = .filled(value, fill)
    }
    return value
  }
}

extension Precondition.Value {
  /// The property, where the value is that of one as it is.
  package var propertyName: String? {
    if case .property(let name) = self { name } else { nil }
  }
}
