package import MigrationPlanning
import ObjectModel
package import StoreAccess

/// The queries in SQL that answer preconditions from a database's rows.
///
/// The one place that knows how: a plan asks the store with it, and a run asks each checkpoint.
/// A row's value never leaves the database.
package struct PreconditionQueries {
  let schema: PhysicalSchema
  let database: String
  /// The columns that the database really has, by table; nil where they are those of the schema.
  let columns: [String: Set<String>]?
  /// The folder of external files.
  let externalData: String
  /// The proof that was read from the pages already.
  var proof: PageVerification?
  /// The evaluator of what SQL cannot express, where the rows of a store are asked.
  var evaluator: RowEvaluator?
  /// The counts of questions that were answered together.
  var counts: [RowQuestion: RowCount] = [:]

  /// Questions to a database that is laid out as its model predicts.
  ///
  /// - Parameters:
  ///   - database: `main`, or the name of an attached database. Nothing is written.
  ///   - columns: The columns that the database has, where it may lack some.
  ///   - proof: The proof of the rows, where they were read already.
  package init(
    schema: PhysicalSchema,
    database: String,
    externalData: String,
    columns: [String: Set<String>]? = nil,
    proof: PageVerification? = nil
  ) {
    self.schema = schema
    self.database = database
    self.columns = columns
    self.externalData = externalData
    self.proof = proof
  }

  /// The reason why a question cannot be answered.
  struct Doubt: Error {
    let reason: String
  }

  /// Answers a precondition for a plan; where rows cannot be read, the answer is unknown.
  ///
  /// - Complexity: As ``ask(_:on:)``.
  package func answer(
    to precondition: Precondition,
    on connection: borrowing SQLiteConnection
  ) -> Precondition.Answer {
    do { return try ask(precondition, on: connection) } catch { return unknown(error) }
  }

  /// Returns the answer where rows cannot be queried.
  func unknown(_ error: any Error) -> Precondition.Answer {
    if let error = error as? SQLiteError {
      return .unknown("SQLite cannot answer, \(error.message)")
    }
    return .unknown("the store cannot be read")
  }

  /// Answers a precondition for a run, which must not go on where the rows cannot be read.
  ///
  /// Predicates need ``ExpressionFunctions`` on the connection.
  ///
  /// - Complexity: One reading of the rows of each entity that is asked, and as many over links; one
  ///   more where rows violate it, for their keys.
  /// - Throws: `SQLiteError` where the database cannot be read; a question that its layout or the
  ///   mapping leaves open has an answer: unknown.
  package func ask(
    _ precondition: Precondition,
    on connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    do {
      let parts = try parts(of: precondition)
      let answer =
        switch precondition.kind {
        case .unique: try unique(parts, connection)
        case .alike(let keys): try unique(parts, of: keys, connection)
        case .sameLinks(let entity, let property):
          try sameLinks(parts, entity, property, connection)
        case .noSharedObjects: try sharedObjects(parts, connection)
        case .distinctLinks(let owners, let others):
          try distinctLinks(parts, owners, others, connection)
        case .room(let owners, let others, let isToOne):
          try room(parts, owners, others, isToOne: isToOne, connection)
        case .filesPresent(let isLeaving):
          try filesPresent(parts, isLeaving: isLeaving, connection)
        case .computable: try computable(parts, connection)
        case .linksExist: try wholeLinks(parts, connection)
        default: try counted(parts, precondition.kind, connection)
        }
      let isSome = parts.contains(where: \.isSome)
      return isSome ? answer.ofSome(because: "not all of the rows are concerned") : answer
    } catch let doubt as Doubt {
      return .unknown(doubt.reason)
    } catch let error as SQLiteError {
      // A question of its own counts such rows.
      guard let cause = connection.takeFunctionError() else { throw error }
      guard evaluator == nil else {
        // Some answers do not depend on what an expression gives.
        var plain = self
        plain.evaluator = nil
        return try plain.ask(precondition, on: connection)
      }
      let reason = (cause as? EvaluationError)?.message ?? (cause as? MigrationError)?.message
      return .unknown("an expression cannot be computed\(reason.map { ", \($0)" } ?? "")")
    }
  }

  // MARK: Rows

  /// The rows of entities of one table to which the same question applies.
  struct Part {
    let entity: String
    let table: String
    var numbers: [Int]
    /// The values in SQL, over the row `s`.
    let values: [String]
    /// The relationships among them, which are no values of their own.
    let relationships: [String?]
    /// A further condition on the rows, in SQL.
    let condition: String?
    /// The parts of each row, as `p`, in SQL; empty where the rows themselves are asked.
    let pieces: String
    /// Whether only some of the rows are meant, and it is not known which.
    let isSome: Bool

    /// The table as row `s`, and the condition that a row is meant.
    var source: String { joined(to: "") }

    /// The table as row `s`, and the condition that a row is of the entities.
    var everyRow: String { rows(joinedTo: "") }

    /// Returns the rows that are meant, joined to something.
    func joined(to other: String) -> String {
      rows(joinedTo: pieces + other) + (condition.map { " AND \($0)" } ?? "")
    }

    private func rows(joinedTo other: String) -> String {
      let list = numbers.sorted().map(String.init).joined(separator: ", ")
      return "\(table) s\(other) WHERE s.Z_ENT IN (\(list))"
    }
  }

  func parts(of precondition: Precondition) throws -> [Part] {
    let isExact =
      switch precondition.kind {
      case .holds, .keepsDigits: true
      default: false
      }
    var subjects = precondition.subjects
    // Every row is read, also where several become one object.
    if case .readable = precondition.kind {
      for place in subjects.indices { subjects[place].isShared = false }
    }
    return try parts(
      of: subjects,
      isAboutLinks: precondition.kind.isAboutLinks,
      isExact: isExact
    )
  }

  /// - Parameter isExact: Whether decimal numbers that no column keeps exactly are the text of their digits.
  func parts(
    of subjects: [Precondition.Subject],
    isAboutLinks: Bool,
    isExact: Bool = false
  ) throws -> [Part] {
    var parts: [Part] = []
    for subject in subjects {
      let part = try part(of: subject, isAboutLinks: isAboutLinks, isExact: isExact)
      let place = parts.firstIndex {
        $0.table == part.table && $0.values == part.values && $0.condition == part.condition
          && $0.isSome == part.isSome && $0.pieces == part.pieces
          && $0.relationships == part.relationships
          && !$0.numbers.contains(part.numbers[0])
          && (part.relationships.isEmpty || $0.entity == part.entity)
      }
      if let place { parts[place].numbers += part.numbers } else { parts.append(part) }
    }
    return parts
  }

  private func part(
    of subject: Precondition.Subject,
    isAboutLinks: Bool,
    isExact: Bool
  ) throws -> Part {
    guard let table = schema.table(of: subject.entity)?.name,
      let number = schema.entityNumber(subject.entity)
    else { throw Doubt(reason: "the store has no table of \(subject.entity)") }
    try check(table, ["Z_PK", "Z_ENT"])
    var isSome = subject.isShared
    var conditions: [String] = []
    let compiler = compiler(for: subject.entity)
    for predicate in subject.predicates {
      if let sql = compiler.compile(predicate) ?? evaluator?.sql(predicate) {
        conditions.append("(\(sql))")
      } else {
        isSome = true
      }
    }
    var pieces = ""
    if let parted = subject.pieces {
      if !subject.values.contains(where: \.readsPiece), let separator = parted.separator,
        let text = compiler.compile(parted.value)?.sql
      {
        conditions.append(ExpressionFunctions.hasParts(text, separator, trims: parted.trimsBlanks))
      } else if let sql = evaluator?.sql(partsOf: parted) {
        pieces = " JOIN json_each(\(sql)) p"
      } else {
        isSome = true
      }
    }
    return Part(
      entity: subject.entity,
      table: SQL.identifier(database, table),
      numbers: [number],
      values: isAboutLinks
        ? []
        : try subject.values.map {
          try sql(
            $0,
            of: subject.entity,
            isExact: isExact,
            pieces: pieces.isEmpty ? nil : subject.pieces
          )
        },
      relationships: isAboutLinks ? subject.values.map(\.carriedProperty) : [],
      condition: conditions.isEmpty ? nil : conditions.joined(separator: " AND "),
      pieces: pieces,
      isSome: isSome
    )
  }

  private func compiler(for entity: String) -> ExpressionCompiler {
    ExpressionCompiler(schema: schema, database: database, entity: entity, alias: "s")
  }

  /// Refuses to ask for columns that are not there.
  func check(_ table: String, _ names: [String]) throws {
    guard let columns else { return }
    guard let present = columns[table] else {
      throw Doubt(reason: "the store has no table \(table)")
    }
    for name in names where !present.contains(name) {
      throw Doubt(reason: "the store has no column \(table).\(name)")
    }
  }

  // MARK: Values

  /// Returns a value of the row `s` in SQL.
  ///
  /// - Parameter pieces: The parts of the row, as `p`, that the value may read.
  private func sql(
    _ value: ValueOrigin,
    of entity: String,
    isExact: Bool = false,
    pieces: EntityMapping.Pieces? = nil
  ) throws -> String {
    switch value {
    case .carried(let path) where path.count == 1: return try column(path[0], of: entity)
    case .constant(let value):
      return value.map { ValueConversion.literal($0, isExternal: false) } ?? "NULL"
    case .filled(let inner, let fill):
      let literal = ValueConversion.literal(fill, isExternal: false)
      return "COALESCE(\(try sql(inner, of: entity)), \(literal))"
    case .converted(let inner, let from, let to):
      return ValueConversion.number(try sql(inner, of: entity), from: from, to: to)
    // The time of the run is always a value.
    case .computed(.call("now", []), []): return "0.0"
    case .computed(let expression, []):
      if let compiled = compiler(for: entity).compile(expression) {
        return isExact ? compiled.exactSQL : compiled.sql
      }
      guard let sql = evaluator?.sql(expression, isExact: isExact, pieces: pieces) else {
        throw Doubt(reason: "only the run knows what an expression gives")
      }
      return sql
    case .carried, .first, .unordered, .cut, .chosen, .without, .owners, .partly, .computed,
      .opaque:
      throw Doubt(reason: value.description)
    }
  }

  private func column(_ name: String, of entity: String) throws -> String {
    let table = schema.table(of: entity)?.name ?? ""
    if let column = schema.column(of: name, in: entity)?.name {
      try check(table, [column])
      return "s.\(SQL.identifier(column))"
    }
    guard case .key(_, let key, _, _)? = schema.storage(of: name, in: entity) else {
      throw Doubt(reason: "the store keeps \(entity).\(name) in no column of its own")
    }
    try check(table, [key])
    return "s.\(SQL.identifier(key))"
  }
}

extension ValueOrigin {
  /// Whether it reads the part of an object, or the part's place.
  fileprivate var readsPiece: Bool {
    switch self {
    case .computed(let expression, _): expression.readsPiece
    case .converted(let inner, _, _), .filled(let inner, _): inner.readsPiece
    default: false
    }
  }
}
