import Files
package import ObjectModel
package import StoreAccess

extension ExternalData {
  /// The most primary keys that a finding names.
  private static let shownKeys = 5

  /// Values that lie in files which are not beside the store: a finding for each attribute.
  ///
  /// - Parameters:
  ///   - schema: The store's own.
  ///   - folder: The folder of external files, as `StoreFiles.externalData` gives it.
  /// - Complexity: O(*r*) in the rows of tables with such attributes.
  package static func missingFileFindings(
    in connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    folder: String
  ) throws -> [Finding] {
    var findings: [Finding] = []
    for entity in schema.model.entities {
      for attribute in entity.attributes where attribute.allowsExternalBinaryDataStorage {
        guard let table = schema.table(of: entity.name),
          let column = schema.column(of: attribute.name, in: entity.name)
        else { continue }
        // A store that is not quite what its model predicts may lack the column.
        let columns = try connection.rows(
          "SELECT 1 FROM pragma_table_info(?) WHERE name = ?",
          [.text(table.name), .text(column.name)]
        )
        guard !columns.isEmpty else { continue }
        let name = SQL.identifier(column.name)
        let rows = try connection.rows(
          "SELECT Z_PK, substr(\(name), 1, 38) FROM \(SQL.identifier(table.name)) "
            + "WHERE substr(\(name), 1, 1) = x'02' ORDER BY Z_PK"
        )
        let missing = try rows.compactMap { row -> Int64? in
          guard let key = row[0].integer, case .blob(let bytes) = row[1] else { return nil }
          let isThere =
            try fileName(bytes).map { try FileSystem.exists("\(folder)/\($0)") } ?? false
          return isThere ? nil : key
        }
        guard !missing.isEmpty else { continue }
        findings.append(finding(missing, entity.name, attribute.name))
      }
    }
    return findings
  }

  private static func finding(
    _ keys: [Int64],
    _ entity: String,
    _ attribute: String
  ) -> Finding {
    let isOne = keys.count == 1
    let list =
      keys.prefix(shownKeys).map { "\($0)" }.joined(separator: ", ")
      + (keys.count > shownKeys ? " …" : "")
    return Finding(
      .externalDataMissing,
      .warning,
      at: Finding.Place(entity: entity, property: attribute),
      message:
        "\(entity).\(attribute) has \(keys.count) \(isOne ? "value" : "values") in files that "
        + "are not beside the store (Z_PK \(list)).",
      remedy: "Copy the store's _SUPPORT folder too, or take the store from a backup."
    )
  }
}
