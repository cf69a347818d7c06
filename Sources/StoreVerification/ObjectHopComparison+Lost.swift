package import MigrationPlanning
import ObjectModel
package import StoreAccess

extension ObjectHopComparison {
  /// Counts the source's values that only expressions read, and whose result is nil.
  ///
  /// - Complexity: One reading of the rows of each source entity for each such attribute, with a lookup
  ///   of each result.
  package func lostValues(
    _ connection: borrowing SQLiteConnection
  ) throws -> [AcceptedChange] {
    let deduction = PreconditionAnalysis(resolved)
    var lost: [AcceptedChange] = []
    for expressed in deduction.expressedAttributes {
      guard let sql = query(expressed) else { continue }
      let rows = try connection.count(sql)
      guard rows > 0 else { continue }
      lost.append(
        AcceptedChange(
          .expressionGivesNothing,
          entity: expressed.entity,
          property: expressed.attribute,
          rows: rows
        )
      )
    }
    return lost
  }

  /// Counts the rows that became objects, and have a value that none of these has.
  private func query(_ expressed: PreconditionAnalysis.ExpressedAttribute) -> String? {
    guard let table = source.table(of: expressed.entity)?.name,
      let number = source.entityNumber(expressed.entity),
      let column = source.column(of: expressed.attribute, in: expressed.entity)?.name
    else { return nil }
    let indexes = expressed.readers.keys.sorted()
    var sql =
      "SELECT COUNT(*) FROM \(SQL.scan("main", table, as: "s")) WHERE s.Z_ENT = \(number) "
      + "AND s.\(SQL.identifier(column)) IS NOT NULL"
    if !isOfTables {
      sql +=
        " AND EXISTS (SELECT 1 FROM scratch.association a WHERE a.source_key = s.Z_PK "
        + "AND a.mapping IN (\(indexes.map(String.init).joined(separator: ", "))))"
    }
    for index in indexes {
      guard let entity = mapping.entityMappings[index].destinationEntityName,
        let target = result.table(of: entity)?.name
      else { continue }
      let columns = (expressed.readers[index] ?? []).compactMap {
        result.column(of: $0, in: entity)?.name
      }
      guard !columns.isEmpty else { continue }
      let present = columns.map { "d.\(SQL.identifier($0)) IS NOT NULL" }
      let made =
        isOfTables
        ? "\(SQL.identifier("result", target)) d WHERE d.Z_PK = s.Z_PK"
        : "scratch.association a JOIN \(SQL.identifier("result", target)) d "
          + "ON d.Z_PK = a.destination_key WHERE a.source_key = s.Z_PK AND a.mapping = \(index)"
      sql += " AND NOT EXISTS (SELECT 1 FROM \(made) AND (\(present.joined(separator: " OR "))))"
    }
    return sql
  }

  /// Returns the check that nothing was lost so.
  package static func check(_ lost: [AcceptedChange]) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "mapped-expressions",
      "expressions make something of each value that they alone read",
      code: .expressionGivesNothing
    )
    for change in lost {
      let rows = change.rows ?? 0
      check.fail(
        .init(
          entity: change.entity,
          property: change.property,
          "\(rows) \(rows == 1 ? "value" : "values") became nothing; `migrate --accept-changed-values` accepts that",
          count: rows
        )
      )
    }
    return check
  }
}
