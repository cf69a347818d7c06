import ObjectModel
import StoreAccess
import StoreVerification

/// The keys and values in places where no object of the model has them.
///
/// A key may have the number of an entity to which its relationship cannot lead, or be in a row of an entity
/// without the relationship. A value may be in a row of an entity that gets an attribute of that column only
/// in a later version.
struct MisplacedReferences {
  /// The rows with such a key.
  struct Item: Hashable, Sendable {
    /// The entity that declares the property.
    package let entity: String
    /// The relationship or the attribute.
    package let property: String
    /// The fault of the rows, in words that follow their number.
    let words: String
    /// The number of rows.
    let rows: Int64
    /// The least of their primary keys, five at most.
    let keys: [Int64]
  }

  /// The misplaced references, in the order of tables and columns.
  let items: [Item]

  /// Finds the misplaced references.
  ///
  /// - Parameters:
  ///   - comparison: The comparison of the model's schema with the database's own.
  ///   - later: The models of the later versions on the store's path.
  /// - Throws: ``SQLiteError``.
  /// - Complexity: One reading of each table that keeps numbers beside its keys, or rows of several
  ///   entities.
  init(
    _ connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    comparison: SchemaComparison,
    later: [ManagedObjectModel] = []
  ) throws(SQLiteError) {
    let laterColumns = Self.laterColumns(schema, later)
    let missing = Set(comparison.missingTables + comparison.missingColumns.map(\.tableName))
    var items: [Item] = []
    for table in schema.tables where !missing.contains(table.name) {
      let questions = table.columns.compactMap {
        Self.question($0, table, schema, laterColumns)
      }
      let source = "\(SQL.identifier("main", table.name)) NOT INDEXED"
      // SQLite gives at most two thousand columns.
      for start in stride(from: 0, to: questions.count, by: 500) {
        let some = questions[start..<min(start + 500, questions.count)]
        let terms = some.map { "COUNT(*) FILTER (WHERE \($0.condition))" }
        let counts = try connection.counts("SELECT \(terms.joined(separator: ", ")) FROM \(source)")
        for (question, count) in zip(some, counts) where count > 0 {
          items.append(
            Item(
              entity: question.entity,
              property: question.property,
              words: question.words,
              rows: count,
              keys: try StoreVerifier.keys(
                connection,
                "SELECT Z_PK FROM \(source) WHERE \(question.condition) ORDER BY Z_PK "
                  + "LIMIT \(Finding.Evidence.keyLimit)"
              )
            )
          )
        }
      }
    }
    self.items = items
  }

  private typealias Question = (
    entity: String, property: String, words: String, condition: String
  )

  /// Returns the columns that each entity has in later versions and not in the schema's own, by the entity's
  /// name.
  private static func laterColumns(
    _ schema: PhysicalSchema,
    _ later: [ManagedObjectModel]
  ) -> [String: Set<String>] {
    func columns(of entity: String, in schema: PhysicalSchema) -> Set<String> {
      Set(
        schema.model.properties(of: entity).compactMap { declared in
          declared.property.attribute?.isPersistent == true
            ? schema.column(of: declared.property.name, in: entity)?.name : nil
        }
      )
    }
    let shared = schema.tables.flatMap { table in
      let below = schema.model.hierarchyNames(below: table.rootEntityName)
      return below.count > 1 ? below : []
    }
    var result: [String: Set<String>] = [:]
    for model in later {
      let schema = PhysicalSchema(model: model)
      for entity in shared where model[entity] != nil {
        result[entity, default: []].formUnion(columns(of: entity, in: schema))
      }
    }
    for entity in result.keys { result[entity]?.subtract(columns(of: entity, in: schema)) }
    return result
  }

  private static func question(
    _ column: SchemaColumn,
    _ table: EntityTable,
    _ schema: PhysicalSchema,
    _ laterColumns: [String: Set<String>]
  ) -> Question? {
    func numbers(below entity: String) -> [Int] {
      schema.model.hierarchyNames(below: entity).filter { schema.model[$0]?.isAbstract == false }
        .compactMap { schema.entityNumber($0) }.sorted()
    }
    func isNone(_ sql: String, of numbers: [Int]) -> String {
      "(\(sql) IN (\(numbers.map(String.init).joined(separator: ", ")))) IS NOT 1"
    }
    switch column.role {
    case .toOneEntity(let entity, let name):
      guard case .key(_, let key, _, _)? = schema.storage(of: name, in: entity),
        let end = schema.model.property(name, of: entity)?.property.relationship?
          .destinationEntityName
      else { return nil }
      let number = SQL.identifier(column.name)
      return (
        entity, name, "have a key with the number of an entity to which it cannot lead",
        "\(SQL.identifier(key)) IS NOT NULL AND \(number) IS NOT NULL AND "
          + isNone(number, of: numbers(below: end))
      )
    case .toOneKey(let entity, let name):
      let owners = numbers(below: entity)
      guard owners != numbers(below: table.rootEntityName) else { return nil }
      return (
        entity, name, "are of another entity, with a key of it",
        "\(SQL.identifier(column.name)) IS NOT NULL AND \(isNone("Z_ENT", of: owners))"
      )
    case .attribute(let entity, let name):
      let others = schema.model.hierarchyNames(below: table.rootEntityName).filter {
        laterColumns[$0]?.contains(column.name) == true && schema.model[$0]?.isAbstract == false
      }
      let numbers = others.compactMap { schema.entityNumber($0) }
      guard !numbers.isEmpty else { return nil }
      return (
        entity, name, "are of another entity, with a value of it that a later version shows",
        "\(SQL.identifier(column.name)) IS NOT NULL AND Z_ENT IN "
          + "(\(numbers.sorted().map(String.init).joined(separator: ", ")))"
      )
    default: return nil
    }
  }

  /// Returns a finding for each column.
  func findings(version: String? = nil) -> [Finding] {
    items.map { item in
      let evidence = Finding.Evidence(.refuted, rows: item.rows, keys: item.keys, words: item.words)
      var finding = Finding(
        .entityNumbersWrong,
        .error,
        risk: .undeclared,
        at: Finding.Place(version: version, entity: item.entity, property: item.property),
        message: "\(subject: "\(item.entity).\(item.property)"): \(item.rows) "
          + "\(item.rows == 1 ? "row" : "rows") \(evidence.complaint). No hop can say what they become.",
        advice: "\(EntityNumberCheck.remedy)"
      )
      finding.evidence = evidence
      return finding
    }
  }
}
