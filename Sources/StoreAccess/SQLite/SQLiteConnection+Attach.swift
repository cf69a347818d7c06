extension SQLiteConnection {
  /// Attaches another database file under a name.
  ///
  /// `main.locking_mode` does not apply to it: only `quiescent` makes the attached file exclusive.
  ///
  /// - Throws: ``SQLiteError``, as the initializer does; the schema is read at once, so a file that
  ///   is no database is refused here.
  package func attach(
    path: String,
    as schema: String,
    access: SQLiteAccess,
    superJournals: DatabaseCompanions.SuperJournals = .refused
  ) throws(SQLiteError) {
    if access.opensExistingFile {
      try DatabaseCompanions.check(path, superJournals: superJournals)
    }
    let uri = try access.uri(path: path)
    if access == .create { try Self.createFile(path: path) }
    if access != .inMemory { callbacks.work.paths.append(path) }
    do throws(SQLiteError) {
      try permitting(.attaching) { () throws(SQLiteError) in
        try execute("ATTACH DATABASE ? AS ?", [.text(uri), .text(schema)])
      }
    } catch {
      // The file at fault is not one of the connection's yet.
      var failure = error
      failure.files = [path]
      failure.message = "SQLite could not attach \(path): \(error.message)"
      throw failure
    }
    guard access == .quiescent else { return }
    try set("locking_mode", of: schema, to: "EXCLUSIVE")
  }

  /// Lets go of an attached database; fails inside a transaction.
  package func detach(_ schema: String) throws(SQLiteError) {
    try permitting(.attaching) { () throws(SQLiteError) in
      try execute("DETACH DATABASE ?", [.text(schema)])
    }
  }
}
