public import Foundation
public import StoreMigration

extension Run {
  /// Puts an original back that a finished run replaced; what it replaces is kept beside the backup.
  ///
  /// - Parameters:
  ///   - url: The store that was migrated in place.
  ///   - run: The run before which the store shall be again, by its name or how that begins; nil for
  ///     the last one.
  ///   - force: Whether to do it although the store or the backup changed since, or the store is gone.
  /// - Throws: ``WaystoneError``: `nothingToDo` where no such run or no backup is there, `mismatch`
  ///   where store or backup changed since.
  /// - Complexity: One pass over the backup.
  @discardableResult
  public static func rollBack(
    _ url: URL,
    to run: String? = nil,
    force: Bool = false
  ) throws(WaystoneError) -> RollbackOutcome {
    try WaystoneError.converting {
      try StoreMigrator.rollback(url.filePath, to: run, force: force)
    }
  }

  /// Returns the finished runs of a store, oldest first, with the originals that they keep.
  ///
  /// - Throws: ``WaystoneError``; `inUse` where a run works on the store.
  public static func finished(at url: URL) throws(WaystoneError) -> RunList {
    try WaystoneError.converting { try StoreMigrator.runs(of: url.filePath) }
  }

  /// Removes what finished runs keep of a store: originals, replaced stores and journals.
  ///
  /// - Parameters:
  ///   - url: The store.
  ///   - rule: The rule for the files that stay.
  ///   - isTrial: Whether nothing is removed, and the result only lists the files.
  /// - Throws: ``WaystoneError``; `inUse` where a run works on the store.
  @discardableResult
  public static func clean(
    _ url: URL,
    _ rule: CleaningRule = CleaningRule(),
    isTrial: Bool = false
  ) throws(WaystoneError) -> WorkspaceCleaning {
    try WaystoneError.converting {
      try StoreMigrator.clean(url.filePath, rule, isTrial: isTrial)
    }
  }
}
