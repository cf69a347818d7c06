import ObjectModel
import StoreAccess

/// The joins that lead from a row along a key path, and the rows at its end.
struct SQLRoute {
  /// The rows of to-one relationships before the first to-many one; each has one row or none.
  var leading: [(row: String, condition: String)] = []
  /// The rows of to-many relationships.
  var members: [(row: String, condition: String)] = []
  /// The rows of to-one relationships behind them, which may be missing.
  var joins = ""
  /// The row at the end.
  var end: ExpressionTranslation.Row
  /// The number of to-many relationships.
  var manyCount = 0
  /// The condition on members.
  var filter: String?

  /// Whether each member is one row that exists, and different from the others.
  var isPlain: Bool { manyCount == 1 && joins.isEmpty }

  /// Returns a value at the end of a path of to-one relationships.
  func scalar(_ sql: String) -> String {
    guard !leading.isEmpty else { return sql }
    return "(SELECT \(sql) FROM \(leading.map(\.row).joined(separator: ", ")) WHERE "
      + leading.map(\.condition).joined(separator: " AND ") + ")"
  }

  /// Returns an aggregate of all members in SQL; NULL where the path does not get there.
  func aggregate(_ sql: String) -> String {
    let conditions = members.map(\.condition) + (filter.map { [$0] } ?? [])
    return scalar(
      "(SELECT \(sql) FROM \(members.map(\.row).joined(separator: ", "))\(joins) WHERE "
        + conditions.joined(separator: " AND ") + ")"
    )
  }

  /// Returns the condition that a member meets a condition.
  func exists(_ condition: String) -> String {
    let rows = leading + members
    let conditions = rows.map(\.condition) + (filter.map { [$0] } ?? []) + [condition]
    return "EXISTS (SELECT 1 FROM \(rows.map(\.row).joined(separator: ", "))\(joins) WHERE "
      + conditions.joined(separator: " AND ") + ")"
  }
}

// Key paths.
extension ExpressionTranslation {
  /// Translates a path without a to-many relationship, or with an operator over one.
  mutating func term(ofPath path: [String], from operand: Expression) -> SQLTerm? {
    if let place = path.firstIndex(where: { $0.hasPrefix("@") }) {
      let inner = place == 0 ? operand : .keyPath(operand, Array(path[..<place]))
      guard let route = collection(inner) else { return nil }
      return operation(path[place], Array(path[(place + 1)...]), of: route)
    }
    guard let start = row(operand) else {
      // A key of a value is a method of it.
      guard var term = term(operand), operand != .evaluatedObject else { return nil }
      for key in path {
        guard let next = SQLMethods.term(key, [term]) else { return nil }
        term = next
      }
      return term
    }
    guard let (route, value) = walk(path[...], from: start), route.manyCount == 0 else {
      return nil
    }
    return SQLTerm(
      sql: route.scalar(value.sql),
      kind: value.kind,
      canFail: value.canFail,
      mayBeDigits: value.mayBeDigits
    )
  }

  /// Returns the members that a path to a to-many relationship, or a subquery over one, leads to.
  mutating func collection(_ expression: Expression) -> SQLRoute? {
    switch expression {
    case .keyPath(let operand, let path):
      guard let start = row(operand), let (route, value) = walk(path[...], from: start),
        route.isPlain, case .object = value.kind
      else { return nil }
      return route
    case .subquery(let collection, let variable, let predicate):
      guard var route = self.collection(collection) else { return nil }
      let outer = variables[variable]
      variables[variable] = route.end
      defer { variables[variable] = outer }
      guard let condition = condition(predicate) else { return nil }
      route.filter = route.filter.map { "\($0) AND \(condition)" } ?? condition
      return route
    default: return nil
    }
  }

  /// Returns the members' values of a path through to-many relationships.
  mutating func members(_ expression: Expression) -> (route: SQLRoute, value: SQLTerm)? {
    switch expression {
    case .keyPath(let operand, let path):
      guard let start = row(operand), let (route, value) = walk(path[...], from: start),
        route.manyCount > 0, !value.canFail
      else { return nil }
      return (route, value)
    case .subquery: return collection(expression).map { ($0, object($0.end)) }
    default: return nil
    }
  }

  private func row(_ expression: Expression) -> Row? {
    switch expression {
    case .evaluatedObject: origin
    case .variable(let name): variables[name]
    default: nil
    }
  }

  /// Returns a collection operator over members.
  mutating func operation(_ name: String, _ path: [String], of members: SQLRoute) -> SQLTerm? {
    if name == "@count" { return SQLTerm(sql: members.aggregate("COUNT(*)"), kind: .integer) }
    guard !path.isEmpty, let (route, value) = walk(path[...], from: members.end, on: members),
      route.manyCount == members.manyCount, !value.canFail, !value.mayBeDigits
    else { return nil }
    switch (name, value.kind) {
    // Sums of doubles depend on their order, those of 64 bits overflow, and decimals are no doubles.
    case ("@sum", .integer) where isNarrow(path, of: members.end):
      return SQLTerm(sql: route.aggregate("COALESCE(SUM(\(value.sql)), 0)"), kind: .integer)
    case ("@avg", .integer) where isNarrow(path, of: members.end):
      let average = "CASE COUNT(*) WHEN 0 THEN 0.0 ELSE TOTAL(\(value.sql)) / COUNT(*) END"
      return SQLTerm(sql: route.aggregate(average), kind: .real)
    case ("@max", .integer), ("@max", .real), ("@max", .decimal), ("@max", .date),
      ("@max", .string), ("@max", .boolean):
      return SQLTerm(sql: route.aggregate("MAX(\(value.sql))"), kind: value.kind)
    case ("@min", .integer), ("@min", .real), ("@min", .decimal), ("@min", .date),
      ("@min", .string), ("@min", .boolean):
      return SQLTerm(sql: route.aggregate("MIN(\(value.sql))"), kind: value.kind)
    default: return nil
    }
  }

  /// Returns whether a path of to-one relationships ends at an integer of at most 32 bits.
  private func isNarrow(_ path: [String], of row: Row) -> Bool {
    var entity = row.entity
    for key in path.dropLast() {
      guard let next = schema.model.property(key, of: entity)?.property.relationship else {
        return false
      }
      entity = next.destinationEntityName
    }
    let attribute = path.last.flatMap { schema.model.property($0, of: entity)?.property.attribute }
    return attribute?.attributeType == .integer16 || attribute?.attributeType == .integer32
  }

  /// Returns the joins of a key path and the value at its end, which is an object or an attribute's
  /// value.
  private mutating func walk(
    _ path: ArraySlice<String>,
    from start: Row,
    on given: SQLRoute? = nil
  ) -> (SQLRoute, SQLTerm)? {
    // SQLite joins 64 tables at most.
    guard path.count <= 16 else { return nil }
    var route = given ?? SQLRoute(end: start)
    var rest = path
    while let key = rest.popFirst() {
      guard let property = schema.model.property(key, of: route.end.entity)?.property else {
        return nil
      }
      if let attribute = property.attribute {
        guard var value = column(of: attribute, in: route.end) else { return nil }
        for method in rest {
          guard let next = SQLMethods.term(method, [value]) else { return nil }
          value = next
        }
        return (route, value)
      }
      guard let relationship = property.relationship, follow(relationship, &route) else {
        return nil
      }
    }
    return (route, object(route.end))
  }

  private mutating func follow(
    _ relationship: RelationshipDescription,
    _ route: inout SQLRoute
  ) -> Bool {
    let destination = relationship.destinationEntityName
    guard let storage = schema.storage(of: relationship.name, in: route.end.entity),
      let table = schema.table(of: destination)
    else { return false }
    let next = Row(entity: destination, alias: freshAlias())
    let row = "\(self.table(table.name)) AS \(next.alias)"
    let owner = route.end.alias
    // A missing object has no to-many relationship, but counts as a member.
    if relationship.isToMany, !route.joins.isEmpty { return false }
    switch storage {
    case .key(_, let key, _, _):
      guard !relationship.isToMany else { return false }
      let condition =
        "\(next.alias).Z_PK = \(owner).\(SQL.identifier(key))" + isKind(next)
      if route.manyCount == 0 {
        route.leading.append((row, condition))
      } else {
        route.joins += " LEFT JOIN \(row) ON \(condition)"
      }
    case .inverseKey(_, let key, _), .ownerKey(_, let key, _):
      route.members.append((row, "\(next.alias).\(SQL.identifier(key)) = \(owner).Z_PK"))
      route.manyCount += 1
    case .join(let join, let own, let other, _):
      let link = freshAlias()
      route.members.append(
        (
          "\(self.table(join.name)) AS \(link)",
          "\(link).\(SQL.identifier(own)) = \(owner).Z_PK"
        )
      )
      route.members.append((row, "\(next.alias).Z_PK = \(link).\(SQL.identifier(other))"))
      route.manyCount += 1
    }
    route.end = next
    return true
  }

  /// Returns the condition that a row is of its entity or one below it, where its table has others too.
  private func isKind(_ row: Row) -> String {
    guard schema.model[row.entity]?.superentityName != nil else { return "" }
    let numbers = schema.entityNumbers(below: row.entity).map { String($0) }
    return " AND \(row.alias).Z_ENT IN (\(numbers.joined(separator: ", ")))"
  }

  /// Returns the value of a row's attribute.
  private func column(of attribute: AttributeDescription, in row: Row) -> SQLTerm? {
    guard let column = schema.column(of: attribute.name, in: row.entity) else { return nil }
    let sql = "\(row.alias).\(SQL.identifier(column.name))"
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: return SQLTerm(sql: sql, kind: .integer)
    case .boolean: return SQLTerm(sql: sql, kind: .boolean)
    case .decimal: return SQLTerm(sql: sql, kind: .decimal)
    case .date: return SQLTerm(sql: "CAST(\(sql) AS REAL)", kind: .date)
    case .double: return SQLTerm(sql: sql, kind: .real)
    case .float: return SQLTerm(sql: "\(ExpressionFunctions.float)(\(sql))", kind: .real)
    case .string: return SQLTerm(sql: sql, kind: .string)
    case .uri: return SQLTerm(sql: sql, kind: .uri)
    case .uuid: return SQLTerm(sql: sql, kind: .uuid)
    case .binary, .transformable:
      return attribute.allowsExternalBinaryDataStorage ? nil : SQLTerm(sql: sql, kind: .binary)
    case .undefined, .objectID, .composite: return nil
    }
  }
}
