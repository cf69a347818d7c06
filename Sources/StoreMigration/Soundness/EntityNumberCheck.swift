package import ObjectModel
package import StoreAccess
import StoreVerification

/// A check that the entity numbers of rows name the entities of the model.
///
/// A row of another number is an object of no entity: no mapping reads it. A number to which
/// `Z_PRIMARYKEY` gives the name of another entity makes objects of one entity those of another.
package struct EntityNumberCheck {
  /// The rows of a table that are of no concrete entity of its hierarchy.
  package struct Stray: Hashable, Sendable {
    /// The root of the hierarchy.
    package let rootEntityName: String
    /// The number of rows.
    package let rows: Int64
    /// The least of their primary keys, five at most.
    package let keys: [Int64]
  }

  /// The rows of `Z_PRIMARYKEY` that contradict the model.
  package let contradictions: [SchemaComparison.EntityDifference]
  /// The rows that are of no entity, by table.
  package let strays: [Stray]

  /// Checks a database that has the tables of a schema.
  ///
  /// - Parameters:
  ///   - database: `main`, or the name of an attached database. Nothing is written.
  ///   - comparison: The comparison of the schema with the database.
  ///   - proof: The proof of its rows, where they were read already.
  /// - Throws: ``SQLiteError`` where it cannot be read.
  /// - Complexity: One reading of the tables of entities, without the columns behind the number.
  package init(
    _ connection: borrowing SQLiteConnection,
    database: String = "main",
    schema: PhysicalSchema,
    comparison: SchemaComparison,
    proof: PageVerification? = nil
  ) throws(SQLiteError) {
    contradictions = comparison.contradictions
    let missing = Set(comparison.missingTables + comparison.missingColumns.map(\.tableName))
    var strays: [Stray] = []
    for table in schema.tables where !missing.contains(table.name) {
      if let rows = proof?.rows[table.name], Self.areSound(rows, table, schema) { continue }
      let source = "\(SQL.identifier(database, table.name)) NOT INDEXED"
      let condition = Self.condition(table, schema)
      let count = try connection.integer("SELECT COUNT(*) FROM \(source) WHERE \(condition)") ?? 0
      guard count > 0 else { continue }
      strays.append(
        Stray(
          rootEntityName: table.rootEntityName,
          rows: count,
          keys: try StoreVerifier.keys(
            connection,
            "SELECT Z_PK FROM \(source) WHERE \(condition) ORDER BY Z_PK "
              + "LIMIT \(Finding.Evidence.keyLimit)"
          )
        )
      )
    }
    self.strays = strays
  }

  /// Returns whether each row has the number of a concrete entity of its hierarchy.
  private static func areSound(
    _ rows: PageVerification.Rows,
    _ table: EntityTable,
    _ schema: PhysicalSchema
  ) -> Bool {
    let known = concreteNumbers(table, schema).reduce(0) { sum, number in
      sum + (rows.countByEntity[Int64(number)] ?? 0)
    }
    return known == rows.count
  }

  private static func concreteNumbers(_ table: EntityTable, _ schema: PhysicalSchema) -> [Int] {
    let concrete = schema.model.hierarchyNames(below: table.rootEntityName).filter {
      schema.model[$0]?.isAbstract == false
    }
    return concrete.compactMap { schema.entityNumber($0) }.sorted()
  }

  /// Returns the condition that a row of a table has the number of no concrete entity of its hierarchy.
  static func condition(_ table: EntityTable, _ schema: PhysicalSchema) -> String {
    let numbers = concreteNumbers(table, schema)
    guard let first = numbers.first else { return "1" }
    guard numbers.count > 1 else { return "Z_ENT IS NOT \(first)" }
    return "(Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))) IS NOT 1"
  }

  /// Whether every number means the model's entity.
  package var isSound: Bool { contradictions.isEmpty && strays.isEmpty }

  /// Returns the findings, one for each table, and one for `Z_PRIMARYKEY`.
  package func findings(version: String? = nil) -> [Finding] {
    var findings: [Finding] = []
    if !contradictions.isEmpty {
      var finding = Finding(
        .entityNumbersWrong,
        .error,
        risk: .undeclared,
        at: Finding.Place(version: version),
        message: "Z_PRIMARYKEY contradicts the model: \(contradictionList). Rows would become "
          + "objects of another entity.",
        remedy: Self.remedy
      )
      finding.evidence = Finding.Evidence(
        .refuted,
        rows: Int64(contradictions.count),
        of: Int64(contradictions.count),
        words: "contradict the model"
      )
      findings.append(finding)
    }
    for stray in strays {
      let evidence = Finding.Evidence(
        .refuted,
        rows: stray.rows,
        keys: stray.keys,
        words: Self.complaint
      )
      var finding = Finding(
        .entityNumbersWrong,
        .error,
        risk: .undeclared,
        at: Finding.Place(version: version, entity: stray.rootEntityName),
        message: "\(Self.count(stray.rows)) of \(stray.rootEntityName)'s table "
          + "\(evidence.complaint). No hop can say what they become.",
        remedy: Self.remedy
      )
      finding.evidence = evidence
      findings.append(finding)
    }
    return findings
  }

  /// Throws if numbers of the store do not mean the model's entities.
  ///
  /// - Throws: ``StoreAccessError``, `damaged`.
  package func require(of path: String) throws(StoreAccessError) {
    guard !isSound else { return }
    throw Self.error(of: path, findings())
  }

  /// Returns the refusal of a store for findings about its entity numbers.
  static func error(of path: String, _ findings: [Finding]) -> StoreAccessError {
    var error = StoreAccessError(
      code: .damaged,
      message: "The entity numbers of \(path) are wrong. "
        + findings.map(\.message).joined(separator: " "),
      recovery: remedy
    )
    error.refusal = findings.first?.code.rawValue
    return error
  }

  private static let complaint = "have an entity number that belongs to no entity of the table"
  static let remedy =
    "Take the store from a backup, or correct those rows with the app that made it."

  private static func count(_ rows: Int64) -> String { "\(rows) \(rows == 1 ? "row" : "rows")" }

  /// Each contradiction in a few words, five at most.
  private var contradictionList: String {
    let texts = contradictions.prefix(5).map { difference in
      switch (difference.predicted, difference.real) {
      case (let predicted?, nil): "number \(predicted.entityNumber) (\(predicted.name)) is missing"
      case (let predicted?, let real?) where real.name != predicted.name:
        "number \(predicted.entityNumber) is \(predicted.name) in the model, and "
          + (real.name.isEmpty ? "has no name there" : "\(real.name) there")
      case (let predicted?, _):
        "number \(predicted.entityNumber) (\(predicted.name)) has another parent or is there twice"
      case (nil, _): "number \(difference.number) is of no entity"
      }
    }
    let more = contradictions.count - texts.count
    return texts.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }
}
