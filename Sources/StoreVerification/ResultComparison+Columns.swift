import ObjectModel
import StoreAccess

extension ResultComparison {
  /// The expected value of a column of the result, for the rows of one entity.
  private enum Expectation: Hashable {
    /// The row's entity has no such property, or a comparison of link sets sees to it.
    case anything
    /// The value of this column of the source, and the condition that the result has another.
    case column(String, unless: String)
    /// An empty column, with the condition that the result has a value.
    case nothing(unless: String)
    /// The condition that it holds something else.
    case unless(String)

    /// Returns the value of a column of the source, unchanged.
    static func carried(_ column: String, at place: String) -> Expectation {
      .column(column, unless: "\(place) IS NOT s.\(SQL.identifier(column))")
    }

    /// Returns the expectation that a column is empty.
    static func empty(_ place: String) -> Expectation { .nothing(unless: "\(place) IS NOT NULL") }

    /// The condition that something else is there; nil where anything may be.
    var difference: String? {
      switch self {
      case .anything: nil
      case .column(_, let condition), .nothing(let condition), .unless(let condition): condition
      }
    }
  }

  /// Returns the columns to compare between two tables, and the relationships to compare as link sets.
  func columns(
    of table: EntityTable,
    rows: [Row],
    origin: EntityTable
  ) -> (columns: [ColumnComparison], links: [LinkComparison]) {
    var columns: [ColumnComparison] = []
    var links: [LinkComparison] = []
    for column in table.columns {
      func add(
        _ check: WritableKeyPath<CarriedChecks, VerificationReport.Check>,
        _ entity: String,
        _ property: String,
        _ expectations: [(Row, Expectation)]
      ) {
        guard let difference = Self.difference(expectations) else { return }
        columns.append(
          ColumnComparison(
            check: check,
            entity: entity,
            property: property,
            difference: difference,
            isProven: isProven(expectations.map(\.1), column.name, of: table, from: origin)
          )
        )
      }
      let place = "d.\(SQL.identifier(column.name))"
      switch column.role {
      case .primaryKey: continue
      case .optimisticLock:
        add(
          \.entities,
          table.rootEntityName,
          "Z_OPT",
          rows.map { ($0, .carried("Z_OPT", at: place)) }
        )
      case .entityNumber:
        add(
          \.entities,
          table.rootEntityName,
          "Z_ENT",
          rows.map { row in
            let isKept = rows.allSatisfy { $0.sourceNumber == $0.finalNumber }
            let condition = "\(place) IS NOT \(row.finalNumber)"
            return (row, isKept ? .column("Z_ENT", unless: condition) : .unless(condition))
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
        let stored = oneSided(name, of: entity, origin: origin, place: place)
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
            return (row, stored.owner)
          }
        )
      case .oneSidedOrder(let entity, let name):
        let stored = oneSided(name, of: entity, origin: origin, place: place)?.order
        guard let stored else { continue }
        add(\.order, entity, name, rows.map { ($0, .carried(stored, at: place)) })
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

  /// Returns one condition made of those of several entities, each for its own rows.
  private static func difference(_ expectations: [(Row, Expectation)]) -> String? {
    var groups: [String: [Int]] = [:]
    for (row, expectation) in expectations {
      guard let condition = expectation.difference else { continue }
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

  /// Returns whether the proofs of both stores show that a column has its expected values.
  private func isProven(
    _ expectations: [Expectation],
    _ column: String,
    of table: EntityTable,
    from origin: EntityTable
  ) -> Bool {
    guard let proven else { return false }
    return expectations.allSatisfy { expectation in
      switch expectation {
      case .anything: true
      case .nothing: proven.isEmpty(column, of: table.name)
      case .column(let name, _): proven.isSame(name, of: origin.name, column, of: table.name)
      case .unless: false
      }
    }
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
    func convert(_ sql: String, _ conversions: [ExpectedConversion]) -> String {
      conversions.reduce(sql) { $1.sql($0) }
    }
    switch lineage.attribute(name, of: row.final) {
    case .computed: return (\.derived, .anything)
    case .introduced(let value, let isExternal, let conversions):
      if value == nil, conversions.isEmpty { return (\.introduced, .empty(place)) }
      let literal = value.map { ExpectedConversion.literal($0, isExternal: isExternal) } ?? "NULL"
      return (\.introduced, .unless("\(place) IS NOT \(convert(literal, conversions))"))
    case .carried(let attribute, let conversions):
      guard let column = source.schema.column(of: attribute, in: row.source)?.name else {
        return (\.introduced, .unless("\(place) IS NOT \(convert("NULL", conversions))"))
      }
      if conversions.isEmpty { return (\.attributes, .carried(column, at: place)) }
      let value = convert("s.\(SQL.identifier(column))", conversions)
      return (\.attributes, .unless("\(place) IS NOT \(value)"))
    }
  }

  // MARK: Relationships

  /// The source's columns of the key, in the same row, that a to-one of the result holds.
  struct StoredKey {
    var column: String
    /// The column of the entity's number beside the key.
    var entity: String?
    var order: String?
    /// The concrete source entities to which the key may lead.
    var referents: [String]
  }

  /// Returns the columns of a to-one relationship's key; nil where the source keeps it in another form.
  private func storedKey(_ name: String, row: Row, origin: EntityTable) -> StoredKey? {
    guard let place = lineage.relationship(name, of: row.final), !place.isNarrowed,
      let storage = source.schema.storage(of: place.relationship, in: place.entity),
      let declared = source.schema.model.property(place.relationship, of: place.entity),
      let description = declared.property.relationship
    else { return nil }
    switch storage {
    case .key(origin.name, let key, let entity, let order) where !place.isFlipped:
      return StoredKey(
        column: key,
        entity: entity,
        order: order,
        referents: concrete(description.destinationEntityName)
      )
    case .inverseKey(origin.name, let key, let order) where place.isFlipped,
      .ownerKey(origin.name, let key, let order) where place.isFlipped:
      return StoredKey(
        column: key,
        entity: nil,
        order: order,
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

  /// Returns the key of the source, unless it led to an entity that is dropped.
  private func expectedKey(_ stored: StoredKey) -> String {
    let key = "s.\(SQL.identifier(stored.column))"
    let kept = stored.referents.filter { lineage.finalEntity(of: $0) != nil }
    if kept.count == stored.referents.count { return key }
    let numbers = kept.compactMap { source.schema.entityNumber($0).map(String.init) }
      .joined(separator: ", ")
    guard let table = source.schema.table(of: stored.referents[0])?.name else { return "NULL" }
    return "CASE WHEN \(key) IN (SELECT Z_PK FROM \(source.scan(table)) "
      + "WHERE Z_ENT IN (\(numbers))) THEN \(key) END"
  }

  /// Returns the key of the source, unless it led to an entity that is dropped.
  private func expectation(_ stored: StoredKey, _ place: String) -> Expectation {
    let isKept = stored.referents.allSatisfy { lineage.finalEntity(of: $0) != nil }
    return isKept
      ? .carried(stored.column, at: place) : .unless("\(place) IS NOT \(expectedKey(stored))")
  }

  private func key(
    _ name: String,
    row: Row,
    origin: EntityTable,
    place: String
  ) -> Expectation {
    if let stored = storedKey(name, row: row, origin: origin) {
      return expectation(stored, place)
    }
    return lineage.relationship(name, of: row.final) == nil ? .empty(place) : .anything
  }

  /// Returns the entity number beside a key: that of the entity that the source's number became.
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
    guard lineage.relationship(name, of: row.final) != nil else { return .empty(place) }
    guard let stored = storedKey(name, row: row, origin: origin),
      stored.referents.allSatisfy({ lineage.finalEntity(of: $0) != nil })
    else {
      // Only an existing row proves its entity.
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
    let expected = cases.isEmpty ? "NULL" : "CASE s.\(SQL.identifier(entity)) \(cases) END"
    let condition = "\(place) IS NOT \(expected)"
    let isKept = pairs.count == stored.referents.count && pairs.allSatisfy { $0.0 == $0.1 }
    return isKept ? .column(entity, unless: condition) : .unless(condition)
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
    return .column(
      order,
      unless: "d.\(SQL.identifier(key)) IS NOT NULL AND "
        + "\(place) IS NOT s.\(SQL.identifier(order))"
    )
  }

  /// Returns the source's columns, in the same row, for the owner in a to-many without inverse: its
  /// key, and the column of its order.
  ///
  /// - Parameter place: The column of the key in the result.
  private func oneSided(
    _ name: String,
    of entity: String,
    origin: EntityTable,
    place: String
  ) -> (owner: Expectation, order: String?)? {
    guard let links = lineage.declaredRelationship(name, of: entity) else {
      return (.empty(place), nil)
    }
    guard !links.isNarrowed,
      let storage = source.schema.storage(of: links.relationship, in: links.entity)
    else { return nil }
    switch storage {
    case .inverseKey(origin.name, let key, let order) where !links.isFlipped,
      .ownerKey(origin.name, let key, let order) where !links.isFlipped,
      .key(origin.name, let key, _, let order) where links.isFlipped:
      let owners = endEntities(links).first.map(concrete) ?? []
      let stored = StoredKey(column: key, referents: owners)
      return (expectation(stored, place), links.keepsOrder ? order : nil)
    default: return nil
    }
  }
}

extension Lineage {
  /// Returns the lineage of a relationship by the first entity, from the declaring one down, that has
  /// one.
  func declaredRelationship(_ name: String, of entity: String) -> RelationshipLineage? {
    guard let result else { return nil }
    return result.hierarchyNames(below: entity).lazy.compactMap { relationship(name, of: $0) }.first
  }
}
