import ObjectModel
package import StoreAccess
import StoreVerification

/// A validation of a store's objects by the rules of its model, as Core Data does when it saves.
///
/// SQL decides all rules over whole tables, so that memory does not grow with the rows; only regular
/// expressions and some lengths call back into Swift. Values never leave the store.
///
/// Transient properties are not stored, and derived ones are computed by the store after validation;
/// neither is validated.
package struct StoreValidator {
  let schema: PhysicalSchema
  let database: String
  /// Whether values are checked against their attribute's type.
  let looksAtTypes: Bool
  /// The part of the rows that is validated; nil for all.
  let scope: Scope?

  /// A part of a store's rows: those that a context is about to save.
  struct Scope {
    /// The names of the entities that have any of them.
    let entities: Set<String>
    /// Returns the condition that the row `s` of a table is one of them.
    let condition: (_ table: String) -> String
    /// The columns of the tables, by the tables' names.
    let columns: [String: Set<String>]
  }

  /// A validator of a store that is laid out as its model predicts.
  ///
  /// - Parameters:
  ///   - schema: The layout, whose model gives the rules.
  ///   - database: `main`, or the name of an attached database. Nothing is written.
  ///   - looksAtTypes: Whether values are checked against their attribute's type too: values that a
  ///     hop only carries stay as they are.
  package init(schema: PhysicalSchema, database: String = "main", looksAtTypes: Bool = true) {
    self.schema = schema
    self.looksAtTypes = looksAtTypes
    self.database = database
    scope = nil
  }

  /// A validator of some rows, by every rule but uniqueness, which indexes hold.
  init(schema: PhysicalSchema, database: String, scope: Scope) {
    self.schema = schema
    self.database = database
    self.scope = scope
    looksAtTypes = false
  }

  /// Returns the rules that objects break, in order of entity, property and rule.
  ///
  /// - Throws: As ``report(on:)`` does.
  package func violations(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [ValidationReport.Violation] {
    try report(on: connection).violations
  }

  /// Validates all objects.
  ///
  /// Registers two SQL functions on the connection, under names that begin with `waystone_`.
  ///
  /// - Throws: `SQLiteError` where a query fails, as when it is interrupted.
  /// - Complexity: One reading of each entity's rows, and one of the links of each to-many relationship
  ///   that has bounds.
  package func report(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> ValidationReport {
    let patterns = try ValidationFunctions.register(on: connection)
    do throws(SQLiteError) {
      return try report(on: connection, patterns)
    } catch {
      throw patterns.explained(error)
    }
  }

  private func report(
    on connection: borrowing SQLiteConnection,
    _ patterns: ValidationFunctions
  ) throws(SQLiteError) -> ValidationReport {
    let columns: [String: Set<String>]
    if let scope {
      columns = scope.columns
    } else {
      columns = try StoreSchema(of: connection, in: database).columnNames.mapValues(Set.init)
    }
    var report = ValidationReport()
    for entity in schema.model.entities where scope?.entities.contains(entity.name) != false {
      if !entity.isAbstract,
        let rows = Rows(of: entity.name, in: schema, database: database, scope: scope)
      {
        try checkObjects(rows, columns, patterns, connection, &report)
      }
      guard scope == nil else { continue }
      try checkUniqueness(entity, columns, connection, &report)
    }
    return report
  }

  /// The rows of exactly one entity.
  struct Rows {
    let entity: String
    let number: Int
    let table: String
    /// The table as row `s`, and the condition that a row is the entity's.
    let source: String

    init?(of entity: String, in schema: PhysicalSchema, database: String, scope: Scope?) {
      guard let number = schema.entityNumber(entity), let table = schema.table(of: entity)?.name
      else { return nil }
      self.entity = entity
      self.number = number
      self.table = table
      source =
        "\(SQL.identifier(database, table)) s WHERE s.Z_ENT = \(number)"
        + (scope.map { " AND \($0.condition(table))" } ?? "")
    }
  }

  /// A rule whose breach one row shows on its own.
  struct RowRule {
    var code: FindingCode
    var property: String
    var message: String
    /// The condition that the row `s` breaks it; never NULL.
    var condition: String
  }

  private func checkObjects(
    _ rows: Rows,
    _ columns: [String: Set<String>],
    _ patterns: ValidationFunctions,
    _ connection: borrowing SQLiteConnection,
    _ report: inout ValidationReport
  ) throws(SQLiteError) {
    guard let present = columns[rows.table], present.isSuperset(of: ["Z_PK", "Z_ENT"]) else {
      report.unchecked.append(
        .init(entity: rows.entity, property: "", reason: "the store has no table of it")
      )
      return
    }
    var rules: [RowRule] = []
    var found: [ValidationReport.Violation] = []
    for declared in schema.model.properties(of: rows.entity) where declared.property.isPersistent {
      switch declared.property {
      case .attribute(let attribute) where attribute.derivationExpression == nil:
        rules += attributeRules(attribute, rows, present, patterns, &report)
      case .relationship(let relationship) where relationship.isToMany:
        found += try countViolations(relationship, rows, columns, connection, &report)
      case .relationship(let relationship) where !relationship.isOptional:
        rules += toOneRules(relationship, rows, columns, &report)
      case .attribute, .relationship, .fetchedProperty: break
      }
    }
    report.ruleCount += rules.count
    found += try broken(rules, rows, connection, &report)
    // A property's rules stay in the order in which they were made.
    let order = found.indices.sorted { first, second in
      found[first].property == found[second].property
        ? first < second : ByteOrder.precedes(found[first].property, found[second].property)
    }
    report.violations += order.map { found[$0] }
  }

  /// Returns the violated rules of one entity; one query tries many rules, and the first query counts
  /// the rows.
  private func broken(
    _ rules: [RowRule],
    _ rows: Rows,
    _ connection: borrowing SQLiteConnection,
    _ report: inout ValidationReport
  ) throws(SQLiteError) -> [ValidationReport.Violation] {
    var found: [ValidationReport.Violation] = []
    for start in stride(from: 0, to: max(rules.count, 1), by: Self.rulesInOnePass) {
      let part = rules[start..<min(start + Self.rulesInOnePass, rules.count)]
      // Nearly always no rule is broken, which is found in two thirds of the time that it takes to count each.
      let isBroken = part.map { "(\($0.condition))" }.joined(separator: " OR ")
      let totals = try connection.rows(
        "SELECT COUNT(*), COUNT(CASE WHEN \(part.isEmpty ? "0" : isBroken) THEN 1 END) "
          + "FROM \(rows.source)"
      ).first?.compactMap(\.integer)
      let (rowCount, brokenCount) = (totals?.first ?? 0, totals?.last ?? 0)
      if start == 0 { report.objectCount += rowCount }
      guard rowCount > 0 else { break }
      guard brokenCount > 0 else { continue }
      let asked = part.map { "SUM(\($0.condition))" }.joined(separator: ", ")
      let counts = try connection.rows("SELECT \(asked) FROM \(rows.source)").first ?? []
      for (rule, value) in zip(part, counts) {
        guard let count = value.integer, count > 0 else { continue }
        let keys = try StoreVerifier.keys(
          connection,
          "SELECT s.Z_PK FROM \(rows.source) AND (\(rule.condition)) ORDER BY s.Z_PK LIMIT 5"
        )
        found.append(
          .init(
            code: rule.code,
            entity: rows.entity,
            property: rule.property,
            message: rule.message,
            count: count,
            primaryKeys: keys
          )
        )
      }
    }
    return found
  }

  /// Few enough for SQLite's limits on the columns and the depth of a statement.
  private static let rulesInOnePass = 100
}
