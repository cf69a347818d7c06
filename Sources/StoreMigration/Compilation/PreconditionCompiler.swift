import ObjectModel
import StoreAccess

/// The conditions on a source's data without which a hop would lose or change values.
struct PreconditionCompiler {
  let source: PhysicalSchema
  let destination: PhysicalSchema
  let entities: EntityCorrespondence

  /// All conditions, in byte order of the destination's entities.
  func preconditions() -> [LegProgram.Precondition] {
    destination.model.entities.flatMap { entity -> [LegProgram.Precondition] in
      guard let mapping = entities.byDestination[entity.name],
        let old = mapping.sourceEntityName
      else { return [] }
      return attributeConditions(from: old, to: entity, mapping)
        + countConditions(from: old, to: entity, mapping)
        + uniquenessConditions(from: old, to: entity)
        + abstractCondition(from: old, to: entity)
    } + memberConditions()
  }

  /// Where a to-many becomes a to-one, no owner may have more than one link.
  private func countConditions(
    from old: String,
    to entity: EntityDescription,
    _ mapping: EntityMapping
  ) -> [LegProgram.Precondition] {
    mapping.relationshipMappings.compactMap { property in
      guard let name = property.valueExpression?.carriedSourcePropertyName,
        source.model.property(name, of: old)?.property.relationship?.isToMany == true,
        let after = destination.model.property(property.name, of: entity.name),
        after.property.relationship?.isToMany == false,
        let links = RelationshipLinks(schema: source).query(of: name, in: old),
        let rows = rows(of: old)
      else { return nil }
      return LegProgram.Precondition(
        code: .becomesToOne,
        entity: old,
        property: name,
        countQuery: "SELECT COUNT(*) FROM (SELECT owner FROM (\(links)) WHERE owner IN "
          + "(SELECT s.Z_PK FROM \(rows.table) WHERE \(rows.condition)) "
          + "GROUP BY owner HAVING COUNT(*) > 1)",
        complaint: "lead to more than one object, and the next version allows one"
      )
    }
  }

  /// Where a table's rows do not all arrive, or get other numbers, each must be of a known entity.
  private func memberConditions() -> [LegProgram.Precondition] {
    source.tables.compactMap { table in
      let members = source.model.hierarchyNames(below: table.rootEntityName).filter {
        source.model[$0]?.isAbstract == false
      }
      let isKept = members.allSatisfy { name in
        entities.destination(of: name).flatMap { destination.entityNumber($0) }
          == source.entityNumber(name)
      }
      guard !isKept else { return nil }
      let numbers = members.compactMap { source.entityNumber($0).map(String.init) }
      return LegProgram.Precondition(
        code: .schemaDiffers,
        entity: table.rootEntityName,
        property: "",
        countQuery:
          "SELECT COUNT(*) FROM old.\(SQL.identifier(table.name)) s WHERE s.Z_ENT IS NULL "
          + "OR s.Z_ENT NOT IN (\(numbers.joined(separator: ", ")))",
        complaint: "are of no entity of their table"
      )
    }
  }

  private func attributeConditions(
    from old: String,
    to entity: EntityDescription,
    _ mapping: EntityMapping
  ) -> [LegProgram.Precondition] {
    mapping.attributeMappings.compactMap { property in
      guard let name = property.valueExpression?.carriedSourcePropertyName,
        let before = source.model.property(name, of: old)?.property.attribute,
        let after = destination.model.property(property.name, of: entity.name)?.property.attribute,
        let column = source.column(of: name, in: old)?.name,
        let rows = rows(of: old)
      else { return nil }
      let value = "s.\(SQL.identifier(column))"
      if before.isOptional, !after.isOptional, after.defaultValue == nil {
        return LegProgram.Precondition(
          code: .requiredWithoutDefault,
          entity: old,
          property: name,
          countQuery: "SELECT COUNT(*) FROM \(rows.table) WHERE \(rows.condition) "
            + "AND \(value) IS NULL",
          complaint: "have no value, which the next version requires"
        )
      }
      guard before.attributeType != after.attributeType,
        let changes = ValueConversion.changes(
          value,
          from: before.attributeType,
          to: after.attributeType
        )
      else { return nil }
      return LegProgram.Precondition(
        code: .typeNarrowed,
        entity: old,
        property: name,
        countQuery: "SELECT COUNT(*) FROM \(rows.table) WHERE \(rows.condition) AND \(changes)",
        complaint: "have a value that the next version's type cannot hold"
      )
    }
  }

  private func uniquenessConditions(
    from old: String,
    to entity: EntityDescription
  ) -> [LegProgram.Precondition] {
    let before = Set(
      ([old] + source.model.ancestorNames(of: old)).flatMap {
        source.model[$0]?.uniquenessConstraints ?? []
      }
    )
    return entity.uniquenessConstraints.compactMap { constraint in
      let carried = constraint.map {
        entities.sourceProperty(of: $0, in: entity.name)
      }
      let names = carried.compactMap { $0 }
      let columns = names.compactMap { name -> String? in
        if case .key(_, let key, _, _)? = source.storage(of: name, in: old) { return key }
        return source.column(of: name, in: old)?.name
      }
      guard columns.count == constraint.count, !before.contains(names),
        let table = source.table(of: old)
      else { return nil }
      // A unique index of SQLite lets any number of rows be NULL in one of its columns.
      let members = source.model.hierarchyNames(below: old).compactMap {
        source.entityNumber($0).map(String.init)
      }
      let fills = zip(constraint, names).map { fill(of: $0, from: $1, in: entity.name, old) }
      let list = zip(columns, fills).map { column, fill in
        let value = "s.\(SQL.identifier(column))"
        return fill.map { "COALESCE(\(value), \($0))" } ?? value
      }
      let present = list.map { " AND \($0) IS NOT NULL" }.joined()
      return LegProgram.Precondition(
        code: .uniquenessAdded,
        entity: old,
        property: names.joined(separator: ", "),
        countQuery: "SELECT COALESCE(SUM(n), 0) FROM (SELECT COUNT(*) AS n FROM "
          + "old.\(SQL.identifier(table.name)) s WHERE s.Z_ENT IN "
          + "(\(members.joined(separator: ", ")))\(present) "
          + "GROUP BY \(list.joined(separator: ", ")) HAVING COUNT(*) > 1)",
        complaint: "share a value that the next version wants to be unique"
      )
    }
  }

  /// The literal that rows without a value get, where an attribute becomes required.
  private func fill(
    of name: String,
    from carried: String,
    in entity: String,
    _ old: String
  ) -> String? {
    guard let after = destination.model.property(name, of: entity)?.property.attribute,
      source.model.property(carried, of: old)?.property.attribute?.isOptional == true,
      !after.isOptional, let value = after.defaultValue
    else { return nil }
    return ValueConversion.literal(value, isExternal: false)
  }

  private func abstractCondition(
    from old: String,
    to entity: EntityDescription
  ) -> [LegProgram.Precondition] {
    guard entity.isAbstract, source.model[old]?.isAbstract == false, let rows = rows(of: old) else {
      return []
    }
    return [
      LegProgram.Precondition(
        code: .becomesAbstract,
        entity: old,
        property: "",
        countQuery: "SELECT COUNT(*) FROM \(rows.table) WHERE \(rows.condition)",
        complaint: "belong to an entity that the next version makes abstract"
      )
    ]
  }

  private func rows(of entity: String) -> (table: String, condition: String)? {
    guard let table = source.table(of: entity), let number = source.entityNumber(entity) else {
      return nil
    }
    return ("old.\(SQL.identifier(table.name)) s", "s.Z_ENT = \(number)")
  }
}
