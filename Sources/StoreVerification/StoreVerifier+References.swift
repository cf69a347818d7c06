import ObjectModel
import StoreAccess

extension StoreVerifier {
  /// A column with the keys of another table's rows.
  private struct Reference {
    var entity: String
    var property: String
    var table: String
    var key: String
    var entityColumn: String?
    /// The entity to which it leads.
    var target: String
  }

  /// Checks for keys that lead nowhere, or to a row of another entity than recorded.
  func referenceChecks(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [VerificationReport.Check] {
    var dangling = VerificationReport.Check(
      "references",
      "each reference leads to a row",
      code: .danglingReference,
      isFatal: false
    )
    var entities = VerificationReport.Check(
      "reference-entities",
      "each reference leads to a row of the entity that the model and the store name",
      code: .danglingReference,
      isFatal: false
    )
    for reference in references {
      guard let target = schema.table(of: reference.target)?.name,
        has(reference.table, reference.key, reference.entityColumn), has(target, "Z_PK", "Z_ENT")
      else { continue }
      let key = "s.\(SQL.identifier(reference.key))"
      let from =
        "\(scan(reference.table, as: "s")) LEFT JOIN \(scan(target, as: "d")) ON d.Z_PK = \(key)"
      let wrong = wrongEntity(reference)
      let sum = wrong.map { ", COALESCE(SUM(CASE WHEN \($0) THEN s.n END), 0)" } ?? ""
      // Keys come in order, so that the table to which they lead is read once, too.
      let columns = [reference.key, reference.entityColumn].compactMap { $0 }
        .map { SQL.identifier($0) }.joined(separator: ", ")
      let keys =
        "SELECT \(columns), COUNT(*) AS n FROM \(scan(reference.table)) GROUP BY \(columns)"
      let row = try connection.counts(
        "SELECT COALESCE(SUM(s.n), 0), COALESCE(SUM(CASE WHEN d.Z_PK IS NULL THEN s.n END), 0)\(sum) "
          + "FROM (\(keys)) s LEFT JOIN \(scan(target, as: "d")) ON d.Z_PK = \(key) WHERE \(key) IS NOT NULL"
      )
      let count = row[0]
      dangling.count += count
      let missing = row[1]
      if missing > 0 {
        let keys = try Self.keys(
          connection,
          "SELECT s.Z_PK FROM \(from) WHERE \(key) IS NOT NULL AND d.Z_PK IS NULL LIMIT 5"
        )
        dangling.fail(
          .init(
            entity: reference.entity,
            property: reference.property,
            "\(missing) references lead to no row",
            count: missing,
            primaryKeys: keys
          )
        )
      }
      guard let wrong else { continue }
      entities.count += count
      let others = row[2]
      if others > 0 {
        let keys = try Self.keys(connection, "SELECT s.Z_PK FROM \(from) WHERE \(wrong) LIMIT 5")
        entities.fail(
          .init(
            entity: reference.entity,
            property: reference.property,
            "\(others) references lead to a row of another entity",
            count: others,
            primaryKeys: keys
          )
        )
      }
    }
    try checkJoins(connection, &dangling)
    return [dangling, entities]
  }

  /// Returns the condition that an existing row `d` has another entity than the row `s` records.
  private func wrongEntity(_ reference: Reference) -> String? {
    var conditions: [String] = []
    if schema.model[reference.target]?.superentityName != nil {
      let numbers = schema.entityNumbers(below: reference.target).map(String.init)
      conditions.append("d.Z_ENT NOT IN (\(numbers.joined(separator: ", ")))")
    }
    if let column = reference.entityColumn {
      conditions.append("s.\(SQL.identifier(column)) IS NOT d.Z_ENT")
    }
    guard !conditions.isEmpty else { return nil }
    return "d.Z_PK IS NOT NULL AND (\(conditions.joined(separator: " OR ")))"
  }

  private var references: [Reference] {
    schema.tables.flatMap { table in
      table.columns.compactMap { column -> Reference? in
        switch column.role {
        case .toOneKey(let entity, let name):
          guard let target = relationship(name, of: entity)?.destinationEntityName,
            case .key(_, let key, let number, _)? = schema.storage(of: name, in: entity)
          else { return nil }
          return Reference(
            entity: entity,
            property: name,
            table: table.name,
            key: key,
            entityColumn: number,
            target: target
          )
        case .oneSidedOwner(let entity, let name):
          return Reference(
            entity: entity,
            property: name,
            table: table.name,
            key: column.name,
            entityColumn: nil,
            target: entity
          )
        default: return nil
        }
      }
    }
  }

  private func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    schema.model.property(name, of: entity)?.property.relationship
  }

  /// Checks for pairs with an end that is no row.
  private func checkJoins(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws(SQLiteError) {
    for join in schema.joinTables {
      let master = join.master
      let other = relationship(master.propertyName, of: master.entityName)?.destinationEntityName
      let ends = [
        (join.ownerColumn.name, master.entityName),
        (join.destinationColumn.name, other ?? master.entityName),
      ]
      for (column, entity) in ends {
        guard let target = schema.table(of: entity)?.name, has(join.name, column),
          has(target, "Z_PK")
        else { continue }
        let key = "s.\(SQL.identifier(column))"
        let missing = "NOT EXISTS (SELECT 1 FROM \(scan(target, as: "d")) WHERE d.Z_PK = \(key))"
        let row = try connection.counts(
          "SELECT COALESCE(SUM(s.n), 0), COALESCE(SUM(CASE WHEN \(missing) THEN s.n END), 0) FROM "
            + "(SELECT \(SQL.identifier(column)), COUNT(*) AS n FROM \(scan(join.name)) GROUP BY 1) s"
        )
        check.count += row[0]
        let count = row[1]
        guard count > 0 else { continue }
        check.fail(
          .init(
            entity: master.entityName,
            property: master.propertyName,
            "\(count) links have no row of \(entity)",
            count: count,
            primaryKeys: try Self.keys(
              connection,
              "SELECT DISTINCT \(key) FROM \(scan(join.name, as: "s")) WHERE \(missing) LIMIT 5"
            )
          )
        )
      }
    }
  }

  // MARK: Inverses

  /// Checks that both sides of a one-to-one hold the other's key; the other kinds are kept once.
  func inverseCheck(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "inverses",
      "the two sides of each one-to-one agree",
      code: .inverseDisagrees,
      isFatal: false
    )
    for entity in schema.model.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let inverse = schema.model.inverse(of: relationship),
          inverse.property.relationship?.isToMany == false,
          case .key(let table, let key, _, _)? = schema.storage(
            of: relationship.name,
            in: entity.name
          ),
          case .key(let other, let back, _, _)? = schema.storage(
            of: inverse.property.name,
            in: inverse.entityName
          ),
          has(table, key), has(other, back)
        else { continue }
        let from =
          "\(scan(table, as: "s")) CROSS JOIN \(scan(other, as: "d")) ON d.Z_PK = s.\(SQL.identifier(key))"
        let differs = "d.\(SQL.identifier(back)) IS NOT s.Z_PK"
        let row = try connection.counts(
          "SELECT COUNT(*), COALESCE(SUM(\(differs)), 0) FROM \(from)"
        )
        check.count += row[0]
        let count = row[1]
        guard count > 0 else { continue }
        check.fail(
          .init(
            entity: entity.name,
            property: relationship.name,
            "\(count) rows are not named by the row that they name",
            count: count,
            primaryKeys: try Self.keys(
              connection,
              "SELECT s.Z_PK FROM \(from) WHERE \(differs) LIMIT 5"
            )
          )
        )
      }
    }
    return check
  }

  // MARK: Order

  /// Returns the check that within one owner each place is taken once.
  func orderCheck(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "order-keys",
      "each place in an ordered relationship is taken once",
      code: .duplicateOrderKey,
      isFatal: false
    )
    for list in LinkQuery.ordered(in: schema, database: database) {
      guard list.isKept(in: columns), has(list.table, list.orderColumn) else { continue }
      try list.checkOrder(connection, &check)
    }
    return check
  }
}
