import ObjectModel
import StoreAccess

/// An evaluator of expressions that SQL cannot express, for the rows of a store.
///
/// SQL calls it as `waystone_evaluate(number, isExact, Z_ENT, Z_PK, place)`, where the place is that of one of
/// the row's parts, or `NULL`; `waystone_parts(number, Z_ENT, Z_PK)` is a JSON array with an element for each
/// part. It reads the rows through a connection of its own, which it opens for the first of them.
final class RowEvaluator {
  /// A value that no column keeps, such as a list: what a run makes of it is not asked.
  struct Unasked: Error {}

  /// An expression over a row, or over one of its parts.
  private struct Question: Hashable {
    var expression: Expression
    var pieces: EntityMapping.Pieces?
  }

  private static let function = "waystone_evaluate"
  private static let partsFunction = "waystone_parts"

  private let path: String
  private let schema: PhysicalSchema
  private let externalData: String
  private let cancellation: Cancellation
  private var context: ManagedObjectContext?
  /// The run's own functions, without a manager: an expression that names one is not asked.
  private var evaluator = ExpressionEvaluator(functions: MigrationFunctions())
  private var questions: [Question] = []
  private var numbers: [Question: Int] = [:]
  /// The parts of the last row that was asked for them.
  private var parted:
    (pieces: EntityMapping.Pieces, end: AssociationTable.End, parts: [ExpressionValue])?
  private var count = 0
  /// The names of attributes that a transformer decodes.
  private let transformed: Set<String>

  /// An evaluator for a store that no other process has open.
  ///
  /// - Parameters:
  ///   - path: The store's absolute path.
  ///   - externalData: The folder of external files.
  init(
    path: String,
    schema: PhysicalSchema,
    externalData: String,
    cancellation: Cancellation
  ) {
    self.path = path
    self.schema = schema
    self.externalData = externalData
    self.cancellation = cancellation
    transformed = Set(
      schema.model.entities.flatMap(\.attributes).filter { $0.attributeType == .transformable }
        .map(\.name)
    )
  }

  /// Registers the SQL functions on the connection that asks.
  ///
  /// - Throws: ``SQLiteError``.
  func register(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.createFunction(Self.function, argumentCount: 5) { [unowned self] arguments in
      let number = Int(arguments.int64(0))
      guard questions.indices.contains(number),
        let object = try object(number: arguments.int64(2), key: arguments.int64(3))
      else { return .null }
      let question = questions[number]
      evaluator.variables["source"] = .object(object)
      if let pieces = question.pieces {
        let parts = try parts(of: object, pieces)
        let place = Int(arguments.int64(4))
        guard parts.indices.contains(place) else { return .null }
        evaluator.variables[EntityMapping.Pieces.variable] = parts[place]
        evaluator.variables[EntityMapping.Pieces.indexVariable] = .scalar(.integer(Int64(place)))
      }
      let value = try evaluator.evaluate(question.expression, with: .object(object))
      return try Self.column(value, isExact: arguments.int64(1) != 0)
    }
    try connection.createFunction(Self.partsFunction, argumentCount: 3) {
      [unowned self] arguments in
      let number = Int(arguments.int64(0))
      guard questions.indices.contains(number), let pieces = questions[number].pieces,
        let object = try object(number: arguments.int64(1), key: arguments.int64(2))
      else { return .text("[]") }
      let count = try parts(of: object, pieces).count
      return .text("[" + Array(repeating: "0", count: count).joined(separator: ",") + "]")
    }
  }

  /// Returns the SQL of an expression's value for the row `s`; nil where it is not made of the row and the
  /// store alone: the time, and what the program's transformers decode, only the run knows.
  ///
  /// - Parameters:
  ///   - isExact: Whether decimal numbers are the text of their digits.
  ///   - pieces: The parts of the row, as `p`, that the expression may read.
  func sql(
    _ expression: Expression,
    isExact: Bool,
    pieces: EntityMapping.Pieces? = nil
  ) -> String? {
    number(of: expression, pieces).map { number in
      "\(Self.function)(\(number), \(isExact ? 1 : 0), s.Z_ENT, s.Z_PK, "
        + "\(pieces == nil ? "NULL" : "p.key"))"
    }
  }

  /// Returns the SQL of a JSON array with an element for each part of the row `s`; nil where the parts are not
  /// made of the row and the store alone.
  func sql(partsOf pieces: EntityMapping.Pieces) -> String? {
    number(of: pieces.value, nil).flatMap { _ in number(of: pieces.value, pieces) }
      .map { "\(Self.partsFunction)(\($0), s.Z_ENT, s.Z_PK)" }
  }

  /// Returns the number by which SQL asks for an expression; nil where only the run knows its value.
  private func number(of expression: Expression, _ pieces: EntityMapping.Pieces?) -> Int? {
    var known: Set<String> = ["source"]
    if pieces != nil {
      known.formUnion([EntityMapping.Pieces.variable, EntityMapping.Pieces.indexVariable])
    }
    var used: Set<String> = []
    var isOfRow = true
    expression.forEachPart { part in
      switch part {
      case .variable(let name): used.insert(name)
      case .subquery(_, let variable, _): known.insert(variable)
      case .keyPath(_, let path) where !transformed.isDisjoint(with: path): isOfRow = false
      case .function(_, let selector, _) where selector.hasPrefix("valueForKey"): isOfRow = false
      case .call("now", _), .className, .fetch: isOfRow = false
      default: break
      }
    }
    guard isOfRow, used.isSubset(of: known) else { return nil }
    let question = Question(expression: expression, pieces: pieces)
    if let number = numbers[question] { return number }
    numbers[question] = questions.count
    questions.append(question)
    return questions.count - 1
  }

  /// Returns the SQL of a condition on the row `s`; nil where it is not one of the row and the store alone.
  func sql(_ predicate: Predicate) -> String? {
    sql(
      .conditional(predicate, .constant(.boolean(true)), .constant(.boolean(false))),
      isExact: false
    )
  }

  /// Returns the parts of an object; those of the last one are kept.
  private func parts(
    of object: ManagedObject,
    _ pieces: EntityMapping.Pieces
  ) throws -> [ExpressionValue] {
    if let parted, parted.pieces == pieces, parted.end == object.end { return parted.parts }
    evaluator.variables["source"] = .object(object)
    let value = try evaluator.evaluate(pieces.value, with: .object(object))
    guard let parts = pieces.parts(of: value) else { throw Unasked() }
    parted = (pieces, object.end, parts)
    return parts
  }

  private func object(number: Int64, key: Int64) throws -> ManagedObject? {
    let context = try self.context ?? opened()
    self.context = context
    count += 1
    if count % 1024 == 0 {
      context.trim()
      if cancellation.isRequested { throw Unasked() }
    }
    return try context.object(number: number, key: key)
  }

  private func opened() throws -> ManagedObjectContext {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    try ExternalData.register(on: connection, folder: externalData)
    try ExpressionFunctions.register(on: connection)
    return ManagedObjectContext(
      database: PreparedDatabase(connection),
      schema: schema,
      configuration: .init(store: .source, schemaName: "main", externalData: externalData)
    )
  }

  private static func column(_ value: ExpressionValue, isExact: Bool) throws -> SQLiteValue {
    switch value {
    case .nothing: return .null
    case .scalar(.decimal(let digits)) where !isExact:
      guard let (number, _) = DecimalText.stored(digits) else { throw Unasked() }
      return ExpressionFunctions.stored(.scalar(number))
    case .scalar: return ExpressionFunctions.stored(value)
    default: throw Unasked()
    }
  }
}
