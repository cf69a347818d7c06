import ObjectModel
import StoreAccess

/// An evaluator of expressions that SQL cannot express, for the rows of a store.
///
/// SQL calls it as `waystone_evaluate(number, isExact, Z_ENT, Z_PK)`. It reads the rows through a connection
/// of its own, which it opens for the first of them.
final class RowEvaluator {
  /// A value that no column keeps, such as a list: what a run makes of it is not asked.
  struct Unasked: Error {}

  private static let function = "waystone_evaluate"

  private let path: String
  private let schema: PhysicalSchema
  private let externalData: String
  private let cancellation: Cancellation
  private var context: ManagedObjectContext?
  /// The run's own functions, without a manager: an expression that names one is not asked.
  private var evaluator = ExpressionEvaluator(functions: MigrationFunctions())
  private var expressions: [Expression] = []
  private var numbers: [Expression: Int] = [:]
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

  /// Registers the SQL function on the connection that asks.
  ///
  /// - Throws: ``SQLiteError``.
  func register(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.createFunction(Self.function, argumentCount: 4) { [unowned self] arguments in
      let number = Int(arguments.int64(0))
      guard expressions.indices.contains(number),
        let object = try object(number: arguments.int64(2), key: arguments.int64(3))
      else { return .null }
      evaluator.variables["source"] = .object(object)
      let value = try evaluator.evaluate(expressions[number], with: .object(object))
      return try Self.column(value, isExact: arguments.int64(1) != 0)
    }
  }

  /// Returns the SQL of an expression's value for the row `s`; nil where it is not made of the row and the
  /// store alone: the time, and what the program's transformers decode, only the run knows.
  ///
  /// - Parameter isExact: Whether decimal numbers are the text of their digits.
  func sql(_ expression: Expression, isExact: Bool) -> String? {
    var known: Set<String> = ["source"]
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
    let number = numbers[expression] ?? expressions.count
    if number == expressions.count {
      numbers[expression] = number
      expressions.append(expression)
    }
    return "\(Self.function)(\(number), \(isExact ? 1 : 0), s.Z_ENT, s.Z_PK)"
  }

  /// Returns the SQL of a condition on the row `s`; nil where it is not one of the row and the store alone.
  func sql(_ predicate: Predicate) -> String? {
    sql(
      .conditional(predicate, .constant(.boolean(true)), .constant(.boolean(false))),
      isExact: false
    )
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
