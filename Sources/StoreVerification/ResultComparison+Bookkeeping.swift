import ObjectModel
import StoreAccess

extension ResultComparison {
  /// Compares metadata, keys and other bookkeeping beside the rows of the model.
  func compareBookkeeping(
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws {
    try compareMetadata(connection, &checks.bookkeeping)
    try compareKeys(connection, &checks.bookkeeping)
    try compareOtherTables(connection, &checks.others)
  }

  private func compareMetadata(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws {
    let old = try StoreMetadata(reading: connection, schema: source.database)
    let new = try StoreMetadata(reading: connection, schema: result.database)
    check.count += 2
    if old.uuid != new.uuid { check.fail(.init("the store has another identifier")) }
    if old.frameworkVersion != new.frameworkVersion {
      check.fail(.init("the store names another version of the framework"))
    }
    // The identifiers of the model may be there in a form that is no list of text.
    let changed: Set = [
      "NSStoreModelVersionIdentifiers", StoreMetadata.deferredCleanupKey,
      StoreMetadata.leftoversKey,
    ]
    for (key, value) in old.others where !changed.contains(key) {
      check.count += 1
      if new.others[key] != value { check.fail(.init("the metadata \(key) is another")) }
    }
  }

  private func compareKeys(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws {
    let old = try PrimaryKeyTable(reading: connection, schema: source.database)
    let new = try PrimaryKeyTable(reading: connection, schema: result.database)
    for table in result.schema.tables {
      guard let origin = rows(of: table).source,
        let before = source.schema.entityNumber(origin.rootEntityName),
        let after = result.schema.entityNumber(table.rootEntityName)
      else { continue }
      check.count += 1
      if new[Int64(after)]?.maximum ?? 0 < old[Int64(before)]?.maximum ?? 0 {
        check.fail(.init(entity: table.rootEntityName, "its greatest key issued has fallen"))
      }
    }
    let first = Int64(SystemTable.firstInternalEntityNumber)
    for row in old.rows where row.entityNumber >= first {
      check.count += 1
      if new[row.entityNumber] != row {
        check.fail(.init("Z_PRIMARYKEY has another row of \(row.name)"))
      }
    }
  }

  /// Checks that the persistent history keeps the changes of kept entities, and other tables all their
  /// rows.
  private func compareOtherTables(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws {
    try CarriedTablesComparison(
      source: source.database,
      result: result.database,
      schema: source.schema,
      entityNumbers: source.schema.entityNames.compactMap { name in
        guard let old = source.schema.entityNumber(name),
          let new = lineage.finalEntity(of: name).flatMap(result.schema.entityNumber)
        else { return nil }
        return (old, new)
      }
    ).compare(connection, &check)
  }
}
