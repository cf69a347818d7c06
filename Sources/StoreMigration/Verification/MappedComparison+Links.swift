import ObjectModel
import StoreAccess

extension MappedComparison {
  /// The links of a relationship that is carried, object by object, are there.
  func compareLinks(
    _ index: Int,
    _ entity: EntityMapping,
    _ property: PropertyMapping,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout Checks
  ) throws {
    guard property.valueExpression != nil, property.valueExpression != .constant(nil),
      let old = entity.sourceEntityName, let new = entity.destinationEntityName,
      let there = LinkSet(
        database: "result",
        schema: result,
        entity: new,
        relationship: property.name,
        isFlipped: false
      ).query()
    else { return }
    guard let carried = carried(property, entity),
      let here = LinkSet(
        database: "main",
        schema: source,
        entity: old,
        relationship: carried.relationship,
        isFlipped: false
      ).query(), hasSameShape(carried.relationship, of: old, property.name, of: new)
    else {
      checks.leaveOut(new, property.name, "is not carried as it is by \(entity.name)")
      return
    }
    let makers = mapping.entityMappings.enumerated().filter { _, other in
      other.destinationEntityName.map {
        result.model.isKind($0, of: carried.destination)
      } ?? false && (carried.mapping.map { $0 == other.name } ?? true)
    }
    guard entity.isOneToOne, makers.allSatisfy(\.element.isOneToOne) else {
      checks.leaveOut(new, property.name, "leads from or to objects that are no pairs with rows")
      return
    }
    let others = makers.map { String($0.offset) }.joined(separator: ", ")
    let expected =
      "SELECT ao.destination_key, ax.destination_key FROM (\(here)) l "
      + "JOIN scratch.association ao ON ao.mapping = \(index) AND ao.source_key = l.owner "
      + "JOIN scratch.association ax ON ax.mapping IN (\(others)) AND ax.source_key = l.other"
    let missing = "\(expected) EXCEPT SELECT owner, other FROM (\(there))"
    checks.links.count += try connection.integer("SELECT COUNT(*) FROM (\(expected))") ?? 0
    let count = try connection.integer("SELECT COUNT(*) FROM (\(missing))") ?? 0
    guard count > 0 else { return }
    checks.links.fail(
      .init(
        entity: new,
        property: property.name,
        "\(count) links that \(entity.name) carries are missing",
        count: count,
        primaryKeys: try StoreVerifier.keys(connection, "\(missing) LIMIT 5")
      )
    )
  }

  /// What a relationship mapping carries, if it does just that.
  private func carried(
    _ property: PropertyMapping,
    _ entity: EntityMapping
  ) -> (relationship: String, mapping: String?, destination: String)? {
    guard let new = entity.destinationEntityName, let expression = property.valueExpression,
      let destination = result.model.property(property.name, of: new)?.property.relationship?
        .destinationEntityName
    else { return nil }
    if let name = expression.carriedSourcePropertyName { return (name, nil, destination) }
    guard
      case .function(
        .variable("manager"),
        Expression.destinationInstancesForEntityMapping,
        let arguments
      ) = expression, arguments.count == 2,
      case .constant(.string(let mapping)?) = arguments[0],
      let name = arguments[1].carriedSourcePropertyName
    else { return nil }
    return (name, mapping, destination)
  }

  /// Whether a relationship has as many objects at either end as before.
  private func hasSameShape(
    _ name: String,
    of entity: String,
    _ newName: String,
    of newEntity: String
  ) -> Bool {
    func shape(_ model: ManagedObjectModel, _ name: String, _ entity: String) -> [Bool]? {
      guard let relationship = model.property(name, of: entity)?.property.relationship else {
        return nil
      }
      let inverse = model.inverse(of: relationship)?.property.relationship
      return [relationship.isToMany, inverse?.isToMany ?? !relationship.isToMany]
    }
    guard let old = shape(source.model, name, entity) else { return false }
    return old == shape(result.model, newName, newEntity)
  }
}
