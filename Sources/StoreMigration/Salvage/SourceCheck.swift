internal import Files
package import StoreAccess
import StoreVerification

/// A check of a store's pages, before the store is used.
struct SourceCheck {
  /// The level of verification of the run.
  ///
  /// Pages are checked at every level, `none` included: rows copied from damaged pages cannot be
  /// distinguished from whole ones later.
  let level: VerificationLevel
  let cancellation: Cancellation
  /// Called with the progress of the check.
  var onEvent: (MigrationEvent) -> Void = { _ in }

  /// Returns the damage, in SQLite's words.
  ///
  /// An index that is not its table's is no damage here: rows are read off the tables, and the
  /// working copy's indexes are compared with them and made anew.
  ///
  /// - Throws: ``SQLiteError``.
  func faults(
    of connection: borrowing SQLiteConnection,
    interest: PageVerification.Interest = .init()
  ) throws(SQLiteError) -> PageFaults {
    let cancellation = cancellation
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    defer { connection.removeProgress() }
    let onEvent = onEvent
    onEvent(.began(.checking))
    var faults = try connection.faults(
      isFull: level == .full,
      interest: interest,
      onProgress: { onEvent(.progressed(done: $0, total: $1)) }
    )
    faults.lines.removeAll { Self.isOfIndex($0) }
    return faults
  }

  /// Throws if the store's pages are damaged.
  ///
  /// - Parameters:
  ///   - path: The store, for the message.
  ///   - interest: The facts about rows to collect meanwhile.
  /// - Returns: The proof that was collected; nil where SQLite had to be asked.
  /// - Throws: ``StoreAccessError`` with `damaged`, which states the rows that can still be read.
  @discardableResult
  func require(
    _ connection: borrowing SQLiteConnection,
    path: String,
    interest: PageVerification.Interest = .init()
  ) throws -> PageVerification? {
    let found = try faults(of: connection, interest: interest)
    guard !found.isEmpty else { return found.proof }
    let faults = found.lines
    let account: SalvageAccount
    do {
      account = try StoreSalvage(faults: faults, cancellation: cancellation).survey(connection)
    } catch let error as StoreAccessError where error.code == .damaged {
      throw Self.refusal(path, faults, nil)
    } catch let error as SQLiteError where error.isDamage {
      throw Self.refusal(path, faults, nil)
    }
    throw Self.refusal(path, faults, account)
  }

  private static func refusal(
    _ path: String,
    _ faults: [String],
    _ account: SalvageAccount?
  ) -> StoreAccessError {
    let found = faults.prefix(3).joined(separator: "; ")
    let more = faults.count > 3 ? "; and \(faults.count - 3) more" : ""
    var message = "\(path) is damaged: \(found)\(more)."
    guard let account else {
      return StoreAccessError(
        code: .damaged,
        message: message + " Its schema cannot be read",
        recovery: "Take the store, with its “-wal” file, from a backup."
      )
    }
    let log = try? FileSystem.status("\(path)-wal")
    let hasLog = (log?.size ?? 0) > 0
    message += account.lines.map { " \($0)" }.joined(separator: ".")
    return StoreAccessError(
      code: .damaged,
      message: message,
      recovery: (hasLog
        ? "Look at a copy of the store without its “-wal” file, which may be another database's. Else take "
        : "Take ")
        + "the store, with its “-wal” file, from a backup; or migrate what can be read "
        + "into a file of its own: waystone migrate … --output FILE --accept-damaged-source."
    )
  }

  /// Returns whether a line of the integrity check reports an index that differs from its table, while
  /// pages and rows are whole.
  private static func isOfIndex(_ line: String) -> Bool {
    line.contains(" missing from index ") || line.contains("wrong # of entries in index")
      || line.contains("non-unique entry in index") || line.contains("values out of order in index")
      || line.contains(" of index ") && line.hasPrefix("rowid not at end")
  }
}

extension StoreMigrator {
  /// Returns the refusal of a store whose damaged pages made a plan fail.
  ///
  /// - Parameter store: The store's path.
  /// - Returns: The refusal of a damaged store; nil where its pages are whole or cannot be asked.
  /// - Complexity: One reading of the store.
  package static func damage(
    of store: String,
    cancellation: Cancellation
  ) -> StoreAccessError? {
    do {
      let open = try PersistentStore(reading: store)
      try SourceCheck(level: .standard, cancellation: cancellation)
        .require(open.connection, path: open.path)
      return nil
    } catch let error as StoreAccessError where error.code == .damaged {
      return error
    } catch {
      return nil
    }
  }
}
