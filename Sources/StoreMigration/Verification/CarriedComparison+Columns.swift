import ObjectModel
import StoreAccess

extension CarriedComparison {
  /// What a column of the result should hold for the rows of one entity.
  private enum Expectation: Hashable {
    /// The row's entity has no such property, or a comparison of link sets sees to it.
    case anything
    /// The condition that it holds something else.
    case unless(String)
  }

  /// The columns to compare between two tables, and what must be compared as link sets.
  func columns(
    of table: EntityTable,
    rows: [Row],
    origin: EntityTable
  ) -> (columns: [ColumnComparison], links: [LinkComparison]) {
    var columns: [ColumnComparison] = []
    var links: [LinkComparison] = []
    func add(
      _ check: WritableKeyPath<CarriedChecks, VerificationReport.Check>,
      _ entity: String,
      _ property: String,
      _ expectations: [(Row, Expectation)]
    ) {
      guard let difference = Self.difference(expectations) else { return }
      columns.append(
        ColumnComparison(check: check, entity: entity, property: property, difference: difference)
      )
    }
    for column in table.columns {
      let place = "d.\(SQL.identifier(column.name))"
      switch column.role {
      case .primaryKey: continue
      case .optimisticLock:
        add(
          \.entities,
          table.rootEntityName,
          "Z_OPT",
          [(rows[0], .unless("\(place) IS NOT s.Z_OPT"))]
        )
      case .entityNumber:
        add(
          \.entities,
          table.rootEntityName,
          "Z_ENT",
          rows.map { row in
            (row, .unless("\(place) IS NOT \(row.finalNumber)"))
          }
        )
      case .attribute(let entity, let name):
        let owners = rows.filter { isKind($0.final, of: entity) }
        var groups: [WritableKeyPath<CarriedChecks, VerificationReport.Check>: [Row: Expectation]] =
          [:]
        for row in owners {
          let (check, expectation) = attribute(name, row: row, place: place)
          groups[check, default: [:]][row] = expectation
        }
        for (check, group) in groups {
          add(check, entity, name, rows.map { ($0, group[$0] ?? .anything) })
        }
      case .toOneKey(let entity, let name):
        let expectations = rows.map { row -> (Row, Expectation) in
          guard isKind(row.final, of: entity) else { return (row, .anything) }
          return (row, key(name, row: row, origin: origin, place: place))
        }
        let isCompared = rows.contains { row in
          isKind(row.final, of: entity) && storedKey(name, row: row, origin: origin) == nil
            && lineage.relationship(name, of: row.final) != nil
        }
        add(\.references, entity, name, expectations)
        if isCompared { links += linkComparison(name, of: entity) }
      case .toOneEntity(let entity, let name):
        add(
          \.references,
          entity,
          name,
          rows.map { row in
            guard isKind(row.final, of: entity) else { return (row, .anything) }
            return (row, entityNumber(name, row: row, origin: origin, place: place))
          }
        )
      case .orderKey(let entity, let name):
        add(
          \.order,
          entity,
          name,
          rows.map { row in
            guard isKind(row.final, of: entity) else { return (row, .anything) }
            return (row, order(name, row: row, origin: origin, place: place))
          }
        )
      case .oneSidedOwner(let entity, let name):
        let stored = oneSided(name, of: entity, origin: origin)
        if stored == nil { links += linkComparison(name, of: entity) }
        let target = relationship(name, of: entity)?.destinationEntityName
        add(
          \.references,
          entity,
          name,
          rows.map { row in
            guard let target, isKind(row.final, of: target), let stored else {
              return (row, .anything)
            }
            return (row, .unless("\(place) IS NOT \(stored.key)"))
          }
        )
      case .oneSidedOrder(let entity, let name):
        guard let stored = oneSided(name, of: entity, origin: origin)?.order else { continue }
        add(\.order, entity, name, [(rows[0], .unless("\(place) IS NOT \(stored)"))])
      case .joinKey, .joinOrder: continue
      }
    }
    return (columns, links)
  }

  private func isKind(_ entity: String, of other: String) -> Bool {
    result.schema.model.isKind(entity, of: other)
  }

  private func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    result.schema.model.property(name, of: entity)?.property.relationship
  }

  /// One condition out of those of several entities, each for its own rows.
  private static func difference(_ expectations: [(Row, Expectation)]) -> String? {
    var groups: [String: [Int]] = [:]
    for case (let row, .unless(let condition)) in expectations {
      groups[condition, default: []].append(row.sourceNumber)
    }
    guard let first = groups.first else { return nil }
    if groups.count == 1, first.value.count == expectations.count { return first.key }
    let parts = groups.sorted { ($0.value.min() ?? 0) < ($1.value.min() ?? 0) }.map {
      let numbers = $0.value.sorted().map(String.init).joined(separator: ", ")
      return "(s.Z_ENT IN (\(numbers)) AND (\($0.key)))"
    }
    return SQL.joined(parts, "OR")
  }

  // MARK: Attributes

  private func attribute(
    _ name: String,
    row: Row,
    place: String
  ) -> (WritableKeyPath<CarriedChecks, VerificationReport.Check>, Expectation) {
    if let declared = result.schema.model.property(name, of: row.final),
      let derived = result.schema.derivedAttributes.first(where: {
        $0.attribute.entityName == declared.entityName && $0.attribute.propertyName == name
      }), let value = derived.valueSQL(in: result.database, row: "d")
    {
      // Computed anew in the result, out of the result.
      return (
        \.derived, lineage.models.count > 1 ? .unless("\(place) IS NOT (\(value))") : .anything
      )
    }
    func convert(_ sql: String, _ conversions: [ValueConversion]) -> String {
      conversions.reduce(sql) { $1.sql($0) }
    }
    switch lineage.attribute(name, of: row.final) {
    case .computed: return (\.derived, .anything)
    case .introduced(let value, let isExternal, let conversions):
      let literal = value.map { ValueConversion.literal($0, isExternal: isExternal) } ?? "NULL"
      return (\.introduced, .unless("\(place) IS NOT \(convert(literal, conversions))"))
    case .carried(let attribute, let conversions):
      guard let column = source.schema.column(of: attribute, in: row.source)?.name else {
        return (\.introduced, .unless("\(place) IS NOT \(convert("NULL", conversions))"))
      }
      let value = convert("s.\(SQL.identifier(column))", conversions)
      return (\.attributes, .unless("\(place) IS NOT \(value)"))
    }
  }

  // MARK: Relationships

  /// The source's columns that hold, in the same row, what a to-one of the result holds.
  struct StoredKey {
    var key: String
    var entity: String?
    var order: String?
    /// The concrete source entities to which the key may lead.
    var referents: [String]
  }

  /// The columns of a to-one relationship's key; nil where the source keeps it in another way.
  private func storedKey(_ name: String, row: Row, origin: EntityTable) -> StoredKey? {
    guard let place = lineage.relationship(name, of: row.final), !place.isNarrowed,
      let storage = source.schema.storage(of: place.relationship, in: place.entity),
      let declared = source.schema.model.property(place.relationship, of: place.entity),
      let description = declared.property.relationship
    else { return nil }
    func column(_ name: String) -> String { "s.\(SQL.identifier(name))" }
    switch storage {
    case .key(origin.name, let key, let entity, let order) where !place.isFlipped:
      return StoredKey(
        key: column(key),
        entity: entity.map(column),
        order: order.map(column),
        referents: concrete(description.destinationEntityName)
      )
    case .inverseKey(origin.name, let key, let order) where place.isFlipped,
      .ownerKey(origin.name, let key, let order) where place.isFlipped:
      return StoredKey(
        key: column(key),
        entity: nil,
        order: order.map(column),
        referents: concrete(declared.entityName)
      )
    default: return nil
    }
  }

  private func concrete(_ entity: String) -> [String] {
    source.schema.model.hierarchyNames(below: entity).filter {
      source.schema.model[$0]?.isAbstract == false
    }
  }

  /// The key of the source, unless it led to an entity that is dropped.
  private func expectedKey(_ stored: StoredKey) -> String {
    let kept = stored.referents.filter { lineage.finalEntity(of: $0) != nil }
    if kept.count == stored.referents.count { return stored.key }
    let numbers = kept.compactMap { source.schema.entityNumber($0).map(String.init) }
      .joined(separator: ", ")
    guard let table = source.schema.table(of: stored.referents[0])?.name else { return "NULL" }
    return "CASE WHEN \(stored.key) IN (SELECT Z_PK FROM \(source.scan(table)) "
      + "WHERE Z_ENT IN (\(numbers))) THEN \(stored.key) END"
  }

  private func key(
    _ name: String,
    row: Row,
    origin: EntityTable,
    place: String
  ) -> Expectation {
    if let stored = storedKey(name, row: row, origin: origin) {
      return .unless("\(place) IS NOT \(expectedKey(stored))")
    }
    return lineage.relationship(name, of: row.final) == nil
      ? .unless("\(place) IS NOT NULL") : .anything
  }

  /// The entity number beside a key: that of the entity that the source's number became.
  private func entityNumber(
    _ name: String,
    row: Row,
    origin: EntityTable,
    place: String
  ) -> Expectation {
    guard case .key(_, let key, _, _)? = result.schema.storage(of: name, in: row.final),
      let target = relationship(name, of: row.final)?.destinationEntityName,
      let table = result.schema.table(of: target)?.name
    else { return .anything }
    let own = "d.\(SQL.identifier(key))"
    guard lineage.relationship(name, of: row.final) != nil else {
      return .unless("\(place) IS NOT NULL")
    }
    guard let stored = storedKey(name, row: row, origin: origin),
      stored.referents.allSatisfy({ lineage.finalEntity(of: $0) != nil })
    else {
      // Only a row that is there can say what it is.
      return .unless(
        "\(own) IS NULL AND \(place) IS NOT NULL OR \(place) <> "
          + "(SELECT t.Z_ENT FROM \(result.scan(table, as: "t")) WHERE t.Z_PK = \(own))"
      )
    }
    let pairs = stored.referents.compactMap { name -> (Int, Int)? in
      guard let number = source.schema.entityNumber(name),
        let new = lineage.finalEntity(of: name).flatMap(result.schema.entityNumber)
      else { return nil }
      return (number, new)
    }
    guard let entity = stored.entity else {
      return pairs.count == 1
        ? .unless("\(own) IS NOT NULL AND \(place) IS NOT \(pairs[0].1)") : .anything
    }
    let cases = pairs.map { "WHEN \($0.0) THEN \($0.1)" }.joined(separator: " ")
    return .unless("\(place) IS NOT \(cases.isEmpty ? "NULL" : "CASE \(entity) \(cases) END")")
  }

  private func order(
    _ name: String,
    row: Row,
    origin: EntityTable,
    place: String
  ) -> Expectation {
    guard let stored = storedKey(name, row: row, origin: origin), let order = stored.order,
      lineage.relationship(name, of: row.final)?.keepsInverseOrder == true,
      case .key(_, let key, _, _)? = result.schema.storage(of: name, in: row.final)
    else { return .anything }
    return .unless("d.\(SQL.identifier(key)) IS NOT NULL AND \(place) IS NOT \(order)")
  }

  /// The source's columns, in the same row, of the owner in a to-many without inverse.
  private func oneSided(
    _ name: String,
    of entity: String,
    origin: EntityTable
  ) -> (key: String, order: String?)? {
    guard let place = lineage.declaredRelationship(name, of: entity) else { return ("NULL", nil) }
    guard !place.isNarrowed,
      let storage = source.schema.storage(of: place.relationship, in: place.entity)
    else { return nil }
    func column(_ name: String) -> String { "s.\(SQL.identifier(name))" }
    switch storage {
    case .inverseKey(origin.name, let key, let order) where !place.isFlipped,
      .ownerKey(origin.name, let key, let order) where !place.isFlipped,
      .key(origin.name, let key, _, let order) where place.isFlipped:
      let owners = endEntities(place).first.map(concrete) ?? []
      let stored = StoredKey(key: column(key), referents: owners)
      return (expectedKey(stored), place.keepsOrder ? order.map(column) : nil)
    default: return nil
    }
  }
}

extension Lineage {
  /// The lineage of a relationship by the first entity, from the declaring one down, that has one.
  func declaredRelationship(_ name: String, of entity: String) -> RelationshipLineage? {
    guard let result else { return nil }
    return result.hierarchyNames(below: entity).lazy.compactMap { relationship(name, of: $0) }.first
  }
}
