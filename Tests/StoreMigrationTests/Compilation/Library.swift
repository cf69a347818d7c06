import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration

/// A generated store of writers, books and shelves, with a connection that has the functions.
struct Library {
  static let sketch = """
    abstract Person {
      name: String?; age: Int16?; born: Date?; score: Double?; wealth: Decimal?; vip: Boolean?
      books ->> Book.authors; boss -> Person.staff; staff ->> Person.boss
    }
    Writer : Person { pen: String?; prizes ->> Prize.writer }
    Editor : Person { level: Int32? }
    Book {
      title: String; subtitle: String?; pages: Int32?; price: Decimal?; weight: Float?; out: Date?
      big: Int64?; code: UUID?; link: URI?; data: Binary?
      authors ->> Person.books; shelf -> Shelf.books
    }
    Shelf { label: String?; room: Int16; books ->> Book.shelf ordered }
    Prize { title: String?; year: Int16; writer -> Writer.prizes }
    """

  let store: OpenedStore

  /// Opens a store with so many rows in the folder.
  init(in folder: String, rows: Int = 60, seed: UInt64) throws {
    let model = try ModelSketch.model(Self.sketch)
    let path = folder + "/library.sqlite"
    try StoreGenerator(model: model, rows: rows, seed: seed).write(to: path)
    store = try OpenedStore(path, model, isWritable: false)
    try ExpressionFunctions.register(on: store.database.connection)
  }

  var schema: PhysicalSchema { store.schema }

  func compiler(_ entity: String) -> ExpressionCompiler {
    ExpressionCompiler(schema: schema, database: "main", entity: entity, alias: "s", now: 7e8)
  }

  /// The objects of exactly one entity, in order of their keys.
  func objects(_ entity: String) throws -> [ManagedObject] {
    var objects: [ManagedObject] = []
    try store.context.forEach(entityName: entity, includesSubentities: false) {
      objects.append($0)
      return true
    }
    return objects
  }

  /// Returns the values that SQL gives for the rows of an entity, in order of their keys.
  func values(_ sql: String, of entity: String) throws -> [SQLiteValue] {
    guard let table = schema.table(of: entity), let number = schema.entityNumber(entity) else {
      return []
    }
    return try store.database.connection.rows(
      "SELECT \(sql) FROM main.\(SQL.identifier(table.name)) AS s WHERE s.Z_ENT = \(number) "
        + "ORDER BY s.Z_PK"
    ).map { $0[0] }
  }

  /// Returns the value that SQL gives for one row.
  func value(_ sql: String, of object: ManagedObject) throws -> SQLiteValue? {
    guard let table = schema.table(of: object.entity.name) else { return nil }
    return try store.database.connection.rows(
      "SELECT \(sql) FROM main.\(SQL.identifier(table.name)) AS s WHERE s.Z_PK = ?",
      [.integer(object.objectID.key)]
    ).first?.first
  }

  /// The evaluator of one object.
  func evaluator(_ object: ManagedObject) -> ExpressionEvaluator {
    ExpressionEvaluator(variables: ["source": .object(object), "now": .scalar(.date(7e8))])
  }

  /// Whether a row of SQL says what the evaluator says.
  static func agree(_ value: ExpressionValue, _ stored: SQLiteValue) -> Bool {
    switch (value, stored) {
    case (.nothing, .null): true
    case (.object(let object), .integer(let key)): object.identity.key == key
    case (.scalar(let scalar), _):
      switch (scalar, stored) {
      case (.integer(let a), .integer(let b)): a == b
      case (.real(let a), .real(let b)), (.date(let a), .real(let b)): a == b
      case (.boolean(let a), .integer(let b)): (a ? 1 : 0) == b
      case (.decimal(let a), .text(let b)):
        ExpressionPrimitives.areEqual(.scalar(.decimal(a)), .scalar(.decimal(b)))
      case (.decimal, .integer(let b)): ExpressionPrimitives.areEqual(value, .scalar(.integer(b)))
      case (.decimal, .real(let b)): ExpressionPrimitives.areEqual(value, .scalar(.real(b)))
      case (.string(let a), .text(let b)), (.uri(let a), .text(let b)):
        Array(a.utf8) == Array(b.utf8)
      case (.uuid(let a), .blob(let b)), (.binary(let a), .blob(let b)): a == b
      default: false
      }
    default: false
    }
  }

  /// Whether a row of SQL is what a column would keep of what the evaluator says.
  static func isStored(_ value: ExpressionValue, _ stored: SQLiteValue) -> Bool {
    guard case .scalar(.decimal(let digits)) = value else { return agree(value, stored) }
    return switch (DecimalText.stored(digits)?.value, stored) {
    case (.integer(let a)?, .integer(let b)): a == b
    case (.real(let a)?, .real(let b)): a == b
    case (.real(let a)?, .integer(let b)): a == Double(b)
    // A column's own value is not looked at: it may be a whole number as a double.
    case (.integer(let a)?, .real(let b)): Double(a) == b
    default: false
    }
  }
}
