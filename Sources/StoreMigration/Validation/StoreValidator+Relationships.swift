import ObjectModel
import StoreAccess
import StoreVerification

extension StoreValidator {
  // MARK: To-one

  /// Returns the rules of a required to-one: each row's key leads to an object of its entity.
  func toOneRules(
    _ relationship: RelationshipDescription,
    _ rows: Rows,
    _ columns: [String: Set<String>],
    _ report: inout ValidationReport
  ) -> [RowRule] {
    let target = relationship.destinationEntityName
    guard case .key(_, let key, _, _)? = schema.storage(of: relationship.name, in: rows.entity),
      columns[rows.table]?.contains(key) == true, let table = schema.table(of: target)?.name,
      columns[table]?.isSuperset(of: ["Z_PK", "Z_ENT"]) == true
    else {
      report.unchecked.append(unkept(relationship, rows))
      return []
    }
    let value = "s.\(SQL.identifier(key))"
    let numbers = schema.entityNumbers(below: target).map(String.init).joined(separator: ", ")
    let isThere =
      "EXISTS (SELECT 1 FROM \(SQL.identifier(database, table)) d "
      + "WHERE d.Z_PK = \(value) AND d.Z_ENT IN (\(numbers)))"
    return [
      RowRule(
        code: .requiredValueMissing,
        property: relationship.name,
        message: "lack a destination that is required",
        condition: "\(value) IS NULL"
      ),
      RowRule(
        code: .requiredDestinationMissing,
        property: relationship.name,
        message: "lead to an object that is not there, where one is required",
        condition: "\(value) IS NOT NULL AND NOT \(isThere)"
      ),
    ]
  }

  // MARK: To-many

  /// Returns the violations of a to-many's bounds on the number of its destinations.
  ///
  /// Bounds and being optional are independent: an optional relationship may be empty, for any
  /// minimum. A required one may be empty where its minimum is 0, despite Apple's guide: stores of
  /// public apps, which Core Data saved, are full of them.
  func countViolations(
    _ relationship: RelationshipDescription,
    _ rows: Rows,
    _ columns: [String: Set<String>],
    _ connection: borrowing SQLiteConnection,
    _ report: inout ValidationReport
  ) throws(SQLiteError) -> [ValidationReport.Violation] {
    let least = relationship.minCount
    let greatest = relationship.maxCount
    guard least > (relationship.isOptional ? 1 : 0) || greatest > 0 else { return [] }
    let query = LinkQuery(
      of: relationship.name,
      in: rows.entity,
      schema,
      database: database,
      scansTables: false
    )
    guard let query, query.isKept(in: columns) else {
      report.unchecked.append(unkept(relationship, rows))
      return []
    }
    let links = "SELECT owner FROM (\(query.sql))"
    let owners = "(SELECT owner, COUNT(*) AS n FROM (\(links)) GROUP BY owner HAVING"
    func having(_ condition: String) -> String {
      "s.Z_PK IN (SELECT owner FROM \(owners) \(condition)))"
    }
    var rules: [RowRule] = []
    func add(_ code: FindingCode, _ message: String, _ condition: String) {
      rules.append(
        RowRule(code: code, property: relationship.name, message: message, condition: condition)
      )
    }
    let isEmpty = "s.Z_PK NOT IN (SELECT owner FROM (\(links)))"
    let isShort = having("n < \(least)")
    if least > 0, !relationship.isOptional {
      let message = "have fewer than \(least) destinations"
      add(.tooFewDestinations, message, least > 1 ? "(\(isEmpty) OR \(isShort))" : isEmpty)
    } else if least > 1 {
      let message = "have fewer than \(least) destinations, but not none"
      add(.tooFewDestinations, message, isShort)
    }
    if greatest > 0 {
      let condition = having("n > \(greatest)")
      add(.tooManyDestinations, "have more than \(greatest) destinations", condition)
    }
    report.ruleCount += rules.count
    var found: [ValidationReport.Violation] = []
    for rule in rules {
      let source = "\(rows.source) AND \(rule.condition)"
      guard let count = try connection.integer("SELECT COUNT(*) FROM \(source)"), count > 0 else {
        continue
      }
      found.append(
        .init(
          code: rule.code,
          entity: rows.entity,
          property: rule.property,
          message: rule.message,
          count: count,
          primaryKeys: try StoreVerifier.keys(
            connection,
            "SELECT s.Z_PK FROM \(source) ORDER BY s.Z_PK LIMIT 5"
          )
        )
      )
    }
    return found
  }

  private func unkept(
    _ relationship: RelationshipDescription,
    _ rows: Rows
  ) -> ValidationReport.Unchecked {
    .init(
      entity: rows.entity,
      property: relationship.name,
      reason: "the store does not keep it where its model says"
    )
  }

  // MARK: Uniqueness

  /// Checks the uniqueness constraints of an entity, over its objects and those of all below it.
  ///
  /// As in the unique indexes that Core Data makes, an object that lacks one of the values is like
  /// no other, and text is compared byte by byte.
  func checkUniqueness(
    _ entity: EntityDescription,
    _ columns: [String: Set<String>],
    _ connection: borrowing SQLiteConnection,
    _ report: inout ValidationReport
  ) throws(SQLiteError) {
    guard let table = schema.table(of: entity.name)?.name, let present = columns[table] else {
      return
    }
    let numbers = schema.entityNumbers(below: entity.name).map(String.init)
    for constraint in entity.uniquenessConstraints where !constraint.isEmpty {
      let names = constraint.compactMap { name -> String? in
        if case .key(_, let key, _, _)? = schema.storage(of: name, in: entity.name) { return key }
        return schema.column(of: name, in: entity.name)?.name
      }
      let property = constraint.joined(separator: ", ")
      guard names.count == constraint.count, present.isSuperset(of: names) else {
        report.unchecked.append(
          .init(
            entity: entity.name,
            property: property,
            reason: "the store does not keep what is to be unique where its model says"
          )
        )
        continue
      }
      report.ruleCount += 1
      let values = names.map { "s.\(SQL.identifier($0))" }
      let isMember = "s.Z_ENT IN (\(numbers.joined(separator: ", ")))"
      let rows =
        "\(SQL.identifier(database, table)) s WHERE \(isMember)"
        + values.map { " AND \($0) IS NOT NULL" }.joined()
      let list = values.joined(separator: ", ")
      let columns = values.enumerated().map { "\($1) AS v\($0)" }.joined(separator: ", ")
      let groups = "SELECT \(columns), COUNT(*) AS n FROM \(rows) GROUP BY \(list) HAVING n > 1"
      guard let count = try connection.integer("SELECT SUM(n) FROM (\(groups))"), count > 0 else {
        continue
      }
      let match = values.enumerated().map { "d.v\($0) = \($1)" }.joined(separator: " AND ")
      let keys = try StoreVerifier.keys(
        connection,
        "SELECT s.Z_PK FROM \(SQL.identifier(database, table)) s JOIN (\(groups)) d ON \(match) "
          + "WHERE \(isMember) ORDER BY s.Z_PK LIMIT 5"
      )
      report.violations.append(
        .init(
          code: .valueNotUnique,
          entity: entity.name,
          property: property,
          message: "share what a uniqueness constraint wants to be unique",
          count: count,
          primaryKeys: keys
        )
      )
    }
  }
}
