/// A derived attribute as stores keep it: a column, triggers, and the SQL that computes it anew.
package struct DerivedAttribute: Hashable, Sendable {
  /// The derivations whose triggers are known, measured on stores of public apps.
  enum Form: Hashable {
    /// The value in `column` of the row of `table` whose key is in `key`.
    case keyPath(key: String, table: String, column: String)
    /// The number of rows of `table` with this row's key in `key`.
    case count(table: String, key: String)
    /// The number of rows of a join table with this row's key in `key`; Core Data's triggers for it were
    /// never measured.
    case joinCount(table: String, key: String)
    /// The time of the save.
    case now
  }

  /// The attribute, with the entity that declares it.
  package let attribute: PropertyReference
  /// The table with the value.
  package let tableName: String
  /// The column with the value.
  package let columnName: String
  /// The numbers of the entities that have the attribute.
  package let entityNumbers: [Int]
  let form: Form

  /// Returns the expression of the value for a row of its table, or nil where only saving sets it.
  ///
  /// - Parameter row: The name of the row in the statement; `o` is taken.
  package func valueSQL(in schema: String, row: String) -> String? {
    func name(_ text: String) -> String { SchemaName.sql(text) }
    let schema = name(schema)
    switch form {
    case .now: return nil
    case .keyPath(let key, let table, let column):
      return "SELECT o.\(name(column)) FROM \(schema).\(name(table)) AS o "
        + "WHERE o.Z_PK = \(row).\(name(key))"
    case .count(let table, let key), .joinCount(let table, let key):
      return "SELECT COUNT(*) FROM \(schema).\(name(table)) AS o "
        + "WHERE o.\(name(key)) = \(row).Z_PK"
    }
  }

  /// The table whose rows have the value, and the column that leads to them; nil where the value is a count, or
  /// the time of a save.
  package var source: (table: String, key: String)? {
    if case .keyPath(let key, let table, _) = form { (table, key) } else { nil }
  }

  /// Returns the statement that computes the value of all rows, or nil where only saving sets it.
  package func updateSQL(in schema: String) -> String? {
    guard let value = valueSQL(in: schema, row: "t") else { return nil }
    func name(_ text: String) -> String { SchemaName.sql(text) }
    let numbers = entityNumbers.map(String.init).joined(separator: ", ")
    return "UPDATE \(name(schema)).\(name(tableName)) AS t SET \(name(columnName)) = (\(value)) "
      + "WHERE t.Z_ENT IN (\(numbers))"
  }
}

extension DerivedAttribute {
  /// Whether triggers would keep the value up to date, but their form is not known.
  package var lacksTriggers: Bool { if case .joinCount = form { true } else { false } }

  /// The triggers; none for `now()` and where their form is not known.
  package var triggers: [SchemaTrigger] {
    let (t, c) = (SchemaName.sql(tableName), SchemaName.sql(columnName))
    switch form {
    case .now, .joinCount: return []
    case .keyPath(let key, let table, let column):
      let (r, d, s) = (SchemaName.sql(key), SchemaName.sql(table), SchemaName.sql(column))
      let pull =
        "UPDATE \(t) SET \(c) = (SELECT \(s) FROM \(d) WHERE Z_PK = NEW.\(r)) "
        + "WHERE Z_PK = NEW.Z_PK;"
      let push = "UPDATE \(t) SET \(c) = NEW.\(s) WHERE \(r) = NEW.Z_PK;"
      let (own, theirs) = ("Z_PK = NEW.Z_PK", "\(r) = NEW.Z_PK")
      return [
        trigger("SOURCE_INSERT", on: tableName, "INSERT", pull + tell(true, own)),
        trigger("SOURCE_UPDATE", on: tableName, "UPDATE OF \(r)", pull + tell(false, own)),
        trigger("PARAMETER_INSERT", on: table, "INSERT", push + tell(true, theirs)),
        trigger("PARAMETER_UPDATE", on: table, "UPDATE OF \(s)", push + tell(false, theirs)),
      ]
    case .count(let table, let key):
      let (r, d) = (SchemaName.sql(key), SchemaName.sql(table))
      func step(_ value: String, _ row: String) -> String {
        "UPDATE \(t) SET \(c) = \(value) WHERE Z_PK = \(row).\(r);"
          + tell(false, "Z_PK = \(row).\(r)")
      }
      let (new, old) = ("(NEW.\(r) NOT NULL)", "(OLD.\(r) NOT NULL)")
      let count =
        "UPDATE \(t) SET \(c) = (SELECT IFNULL(COUNT(\(r)), 0) FROM \(d) "
        + "WHERE \(r) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK;"
      return [
        trigger(
          "PARAMETER_INSERT",
          on: table,
          "INSERT",
          when: new,
          step("IFNULL(\(c), 0) + 1", "NEW")
        ),
        trigger(
          "PARAMETER_UPDATE_INCREMENT",
          on: table,
          "UPDATE OF \(r)",
          when: new,
          step("\(c) + 1", "NEW")
        ),
        trigger(
          "PARAMETER_UPDATE_DECREMENT",
          on: table,
          "UPDATE OF \(r)",
          when: old,
          step("\(c) - 1", "OLD")
        ),
        trigger("PARAMETER_DELETE", on: table, "DELETE", when: old, step("\(c) - 1", "OLD")),
        trigger(
          "SOURCE_INSERT",
          on: tableName,
          "INSERT",
          count + tell(true, "Z_PK = NEW.Z_PK")
        ),
      ]
    }
  }

  /// Returns the call by which a trigger notifies Core Data of a row that it changed.
  private func tell(_ isInsert: Bool, _ condition: String) -> String {
    let function = "NSCoreDataDATrigger\(isInsert ? "Insert" : "")UpdatedAffectedObjectValue"
    let (t, c) = (SchemaName.sql(tableName), SchemaName.sql(columnName))
    return " SELECT \(function)(\(SQL.literal(tableName)), Z_ENT, Z_PK, "
      + "\(SQL.literal(attribute.propertyName)), \(c)) FROM \(t) WHERE \(condition);"
  }

  private func trigger(
    _ role: String,
    on table: String,
    _ event: String,
    when condition: String? = nil,
    _ body: String
  ) -> SchemaTrigger {
    let name = "Z_DA_\(table)_\(attribute.entityName)_\(attribute.propertyName)_\(role)"
    let condition = condition.map { "WHEN \($0) " } ?? ""
    return SchemaTrigger(
      name: name,
      tableName: table,
      statement: SchemaStatement(
        verb: "CREATE TRIGGER",
        rest: "\(SchemaName.sql(name)) AFTER \(event) ON \(SchemaName.sql(table)) FOR EACH ROW "
          + "\(condition)BEGIN \(body) END"
      )
    )
  }
}
