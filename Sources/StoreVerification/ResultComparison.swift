package import MigrationPlanning
import ObjectModel
package import StoreAccess

/// A comparison of a finished result with the source that it came from.
///
/// References that are carried equal the source's, so that none can dangle that did not before,
/// and one-to-ones agree as far as they did.
package struct ResultComparison {
  let source: Side
  let result: Side
  let lineage: Lineage
  /// The facts that the proofs of both stores' pages have in common, where there are such proofs.
  let proven: ProvenRows?

  /// A database of the connection and the schema that it has.
  struct Side {
    let database: String
    let schema: PhysicalSchema
    let columns: [String: Set<String>]

    func table(_ name: String) -> String { SQL.identifier(database, name) }

    /// Returns a table as a term of FROM that reads the table itself, and no index.
    func scan(_ name: String, as alias: String? = nil) -> String {
      SQL.scan(database, name, as: alias)
    }

    func has(_ table: String, _ names: [String]) -> Bool {
      columns[table].map { present in names.allSatisfy(present.contains) } ?? false
    }
  }

  /// Compares a result with its source over a whole plan, with hops of any kind.
  ///
  /// A column that is the same in each row by the proofs of both stores' pages is not compared again.
  /// For other columns, rows are matched by their primary keys, and both tables are read once in that
  /// order; indexes are not read. Differences that a first query counts fail the check, whether or not
  /// another finds their places. Nothing is written to either database; sorting, where a relationship
  /// changes its form of storage, spills to SQLite's temporary files.
  ///
  /// - Parameters:
  ///   - source: The name of the source's database: `main`, or an attached one.
  ///   - result: The name of the result's database.
  ///   - sourceExternalData: The folder of the source's external files.
  /// - Returns: A report whose checks are all fatal.
  /// - Throws: ``LineageError`` where the plan is not one that SQL can run; ``SQLiteError`` where
  ///   a query fails, as when it is interrupted.
  /// - Complexity: O(*n*) in rows, and O(*l* log *l*) in the links of a relationship that changes its
  ///   form of storage.
  package static func compare(
    _ connection: borrowing SQLiteConnection,
    source: String,
    sourceSchema: PhysicalSchema,
    result: String,
    resultSchema: PhysicalSchema,
    plan: MigrationPlan,
    sourceExternalData: String
  ) throws -> VerificationReport {
    try compare(
      connection,
      source: source,
      sourceSchema: sourceSchema,
      result: result,
      resultSchema: resultSchema,
      lineage: Lineage(plan),
      sourceExternalData: sourceExternalData
    )
  }

  /// Compares a result with its source by a lineage and, where there are any, the proofs of their pages.
  ///
  /// - Throws: ``SQLiteError``.
  package static func compare(
    _ connection: borrowing SQLiteConnection,
    source: String,
    sourceSchema: PhysicalSchema,
    result: String,
    resultSchema: PhysicalSchema,
    lineage: Lineage,
    sourceExternalData: String,
    proven: ProvenRows? = nil
  ) throws -> VerificationReport {
    func side(_ database: String, _ schema: PhysicalSchema) throws(SQLiteError) -> Side {
      let columns = try StoreSchema(of: connection, in: database).columnNames
      return Side(database: database, schema: schema, columns: columns.mapValues(Set.init))
    }
    let comparison = ResultComparison(
      source: try side(source, sourceSchema),
      result: try side(result, resultSchema),
      lineage: lineage,
      proven: proven
    )
    let missing = comparison.missingPlaces()
    guard missing.passed else { return VerificationReport(checks: [missing]) }
    try ExternalBytes.register(on: connection, folder: sourceExternalData)
    try connection.createRowFunctions()
    var checks = CarriedChecks()
    var links: [LinkComparison] = []
    for table in resultSchema.tables {
      links += try comparison.compare(table, on: connection, &checks)
    }
    links += comparison.linksOfJoins()
    for comparison in links { try comparison.run(connection, &checks) }
    try comparison.compareNewOrders(connection, &checks)
    try comparison.compareBookkeeping(connection, &checks)
    return VerificationReport(checks: checks.all)
  }

  /// Returns the check of tables and columns without which nothing can be compared.
  private func missingPlaces() -> VerificationReport.Check {
    var check = VerificationReport.Check("places", "both stores have the tables to compare")
    for side in [source, result] {
      let tables =
        side.schema.tables.map { ($0.name, $0.columns) }
        + side.schema.joinTables.map { ($0.name, $0.columns) }
      for (name, columns) in tables {
        check.count += 1
        guard !side.has(name, columns.map(\.name)) else { continue }
        check.fail(.init("\(name) of \(side.database) is missing, or lacks a column"))
      }
    }
    return check
  }
}

/// The checks of a comparison, in the order of a report.
struct CarriedChecks {
  var rows = VerificationReport.Check(
    "carried-rows",
    "each row of the source is in the result, and no other"
  )
  var entities = VerificationReport.Check(
    "carried-entities",
    "each row is of the entity that its own became"
  )
  var attributes = VerificationReport.Check(
    "carried-attributes",
    "each value that is carried equals the source's, converted where the plan says so"
  )
  var introduced = VerificationReport.Check(
    "introduced-attributes",
    "each new attribute has its default or nothing"
  )
  var derived = VerificationReport.Check(
    "derived-attributes",
    "each derived attribute has the value that it derives"
  )
  var references = VerificationReport.Check(
    "carried-references",
    "each reference leads where it led"
  )
  var links = VerificationReport.Check(
    "carried-links",
    "each link of a relationship that is kept in a table or way of its own is there, and no other"
  )
  var order = VerificationReport.Check(
    "carried-order",
    "ordered relationships keep their order",
    code: .duplicateOrderKey
  )
  var narrowed = VerificationReport.Check(
    "narrowed-links",
    "links that a relationship to one cannot hold, as the plan says",
    isFatal: false
  )
  var bookkeeping = VerificationReport.Check(
    "carried-bookkeeping",
    "the store's identifier, its greatest keys and the app's own metadata are kept"
  )
  var others = CarriedTablesComparison.check()

  var all: [VerificationReport.Check] {
    [
      rows, entities, attributes, introduced, derived, references, links, order, narrowed,
      bookkeeping, others,
    ].filter { $0.isFatal || $0.failures > 0 }
  }
}
