extension SchemaComparison {
  /// Refuses a file that lacks a table or column of its model, so that its rows cannot be read by it.
  ///
  /// - Parameter path: Named in the error.
  /// - Throws: ``StoreAccessError`` with `damaged`, which names what is missing.
  package func requireAllColumns(of path: String) throws(StoreAccessError) {
    let missing =
      missingTables.map { "the table \($0)" }
      + missingColumns.map { "the column \($0.tableName).\($0.columnName)" }
    guard let first = missing.first else { return }
    let more = missing.count > 1 ? " and \(missing.count - 1) more" : ""
    throw StoreAccessError(
      code: .damaged,
      message: "\(path) lacks \(first)\(more), which its model has",
      recovery: "Take the store, with its “-wal” file, from a backup. The app does not make the "
        + "\(missingTables.isEmpty ? "column" : "table") again, and `--accept-damaged-source` does not "
        + "apply: it is for rows that cannot be read."
    )
  }
}
