package import ObjectModel
package import StoreAccess

/// A translator of expressions and predicates over one row into SQL, where SQL gives the same answer.
///
/// `SELF` and `$source` are the row. Not compiled, since the evaluator and SQLite might differ:
/// methods of the program, sums of doubles (whose order matters) and decimals, collections as
/// values, paths to properties that only subentities have, bytes beside the store. The statement
/// needs ``ExpressionFunctions`` on its connection.
package struct ExpressionCompiler: Sendable {
  /// The layout of the database.
  package let schema: PhysicalSchema
  /// The name under which the database is attached.
  package let database: String
  /// The entity whose row it is.
  package let entity: String
  /// The row's name in the statement.
  package let alias: String
  /// The value of `now()`, in seconds since 2001; nil leaves it uncompiled.
  package var now: Double?

  /// A compiler for the rows of an entity, under a name that the statement gives them.
  package init(
    schema: PhysicalSchema,
    database: String,
    entity: String,
    alias: String,
    now: Double? = nil
  ) {
    self.schema = schema
    self.database = database
    self.entity = entity
    self.alias = alias
    self.now = now
  }

  /// Returns the expression in SQL; nil where SQL cannot express it, or would answer differently.
  package func compile(_ expression: Expression) -> CompiledExpression? {
    var translation = ExpressionTranslation(self)
    return translation.unsettledTerm(expression).map {
      CompiledExpression(
        sql: $0.storedSQL,
        exactSQL: $0.settled.sql,
        type: $0.type,
        canFail: $0.canFail
      )
    }
  }

  /// Returns the condition in SQL, which is 1 or 0 and never NULL and never makes the statement fail;
  /// nil where SQL cannot express it, or would answer differently.
  package func compile(_ predicate: Predicate) -> String? {
    var translation = ExpressionTranslation(self)
    return translation.condition(predicate)
  }

  /// Returns the terms of an order by values, and then by the key of the row; nil where SQL cannot express it, or a
  /// row could make the statement fail.
  func order(by keys: [(expression: Expression, isAscending: Bool)]) -> String? {
    var terms: [String] = []
    for (expression, isAscending) in keys {
      guard let compiled = compile(expression), !compiled.canFail, compiled.type != .objectID,
        compiled.type != .binary
      else { return nil }
      terms.append("(\(compiled.sql))\(isAscending ? "" : " DESC")")
    }
    return (terms + ["\(alias).Z_PK"]).joined(separator: ", ")
  }
}

/// A run of an ``ExpressionCompiler``, which numbers the rows that it joins.
struct ExpressionTranslation {
  /// A row that a path has reached.
  struct Row: Hashable {
    var entity: String
    var alias: String
  }

  let schema: PhysicalSchema
  private let database: String
  private let now: Double?
  let origin: Row
  /// The row of each variable, by the variable's name.
  var variables: [String: Row]
  private var rowCount = 0
  private let prefix: String
  private var nesting = 0

  /// SQL that is longer, or deeper by so many expressions, is none that SQLite should be given: its
  /// parser keeps no more than 100 open parts in most of its versions.
  private static let maximumLength = 100_000
  private static let maximumDepth = 14

  init(_ compiler: ExpressionCompiler) {
    schema = compiler.schema
    database = compiler.database
    now = compiler.now
    origin = Row(entity: compiler.entity, alias: compiler.alias)
    variables = ["source": origin]
    prefix = compiler.alias + "_"
  }

  /// Returns a name for one more row.
  mutating func freshAlias() -> String {
    rowCount += 1
    return prefix + String(rowCount)
  }

  func table(_ name: String) -> String { SQL.identifier(database, name) }

  /// Returns the object of a row.
  func object(_ row: Row) -> SQLTerm {
    SQLTerm(
      sql: "\(row.alias).Z_PK",
      kind: .object(root: schema.model.rootEntityName(of: row.entity))
    )
  }

  /// Returns the value of an expression.
  mutating func term(_ expression: Expression) -> SQLTerm? {
    guard let term = unsettledTerm(expression)?.settled, Self.isShort(term.sql) else { return nil }
    return term
  }

  /// Returns the value of an expression, for callers that compute with it or compare it by SQLite's own
  /// means where whole numbers do not overflow.
  mutating func unsettledTerm(_ expression: Expression) -> SQLTerm? {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumDepth, let term = anyTerm(expression),
      Self.isShort(term.settled.sql)
    else {
      return nil
    }
    return term
  }

  mutating func condition(_ predicate: Predicate) -> String? {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumDepth, let sql = anyCondition(predicate), Self.isShort(sql) else {
      return nil
    }
    return sql
  }

  /// Returns whether a text may occur so many times in a statement.
  static func isShort(_ sql: String, times: Int = 1) -> Bool {
    sql.utf8.count * max(1, times) <= maximumLength
  }

  /// Returns conditions with a word between each two, in a tree that is not deep; nil for too many.
  static func joined(_ parts: [String], _ word: String) -> String? {
    guard parts.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else { return nil }
    return SQL.joined(parts, word)
  }

  private mutating func anyTerm(_ expression: Expression) -> SQLTerm? {
    switch expression {
    case .constant(let value): return SQLTerm(value)
    case .evaluatedObject: return object(origin)
    case .variable(let name): return variables[name].map(object)
    case .keyPath(let operand, let path): return term(ofPath: path, from: operand)
    case .function(let target, let selector, let arguments):
      guard let target = term(target) else { return nil }
      var terms = [target]
      for argument in arguments {
        guard let term = term(argument) else { return nil }
        terms.append(term)
      }
      return SQLMethods.term(selector, terms)
    case .className: return nil
    case .call("now", _): return now.flatMap { SQLTerm(.date($0)) }
    case .call("count:", let arguments):
      return arguments.first.flatMap { collection($0) }.flatMap { operation("@count", [], of: $0) }
    case .call(let selector, let arguments):
      var terms: [SQLTerm] = []
      for argument in arguments {
        guard let term = unsettledTerm(argument) else { return nil }
        terms.append(term)
      }
      if let sign = SQLCalls.signs[selector] { return SQLCalls.arithmetic(selector, sign, terms) }
      terms = terms.map(\.settled)
      if selector == "castObject:toType:", case .constant(.string(let type))? = arguments.last {
        return terms.first.flatMap { SQLCalls.cast($0, to: type) }
      }
      return SQLCalls.term(selector, terms)
    case .conditional(let predicate, let first, let second):
      guard let condition = condition(predicate), let first = term(first),
        let second = term(second), let kind = Self.common(first, second)
      else { return nil }
      return SQLTerm(
        sql: "CASE WHEN \(condition) THEN \(first.sql) ELSE \(second.sql) END",
        kind: kind,
        canFail: first.canFail || second.canFail,
        mayBeDigits: first.mayBeDigits || second.mayBeDigits
      )
    case .aggregate, .subquery, .setOperation, .fetch: return nil
    }
  }

  /// Returns the kind of a value that is one of two.
  private static func common(_ first: SQLTerm, _ second: SQLTerm) -> SQLTerm.Kind? {
    if first.kind == second.kind || second.kind == .nothing { return first.kind }
    if first.kind == .nothing { return second.kind }
    switch (first.kind, second.kind) {
    // SQLite's storage class shows which of the two it is.
    case (.integer, .real), (.real, .integer): return .real
    default: return nil
    }
  }
}
