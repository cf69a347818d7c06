import StoreAccess

extension StoreMigrator {
  /// Returns whether the file in a store's place is still the one that the last run left; nil where no
  /// run is known there.
  ///
  /// If so, a rollback puts the original back without `force`.
  /// - Throws: ``MigrationError``; `inUse` where a run works on the store.
  package static func isUnchanged(sinceRunOf store: String) throws -> Bool? {
    try withWorkspace(of: store, for: "the check of") { files in
      guard let files, let record = try RunHistory(files).journal?.last else { return nil }
      guard let then = record.identity.flatMap({ StoreFileIdentity($0) }) else { return false }
      let now = try StoreFileIdentity(path: files.workspace.destination)
      return now.isSettled(as: then)
    }
  }
}

extension StoreFileIdentity {
  /// Returns whether it is a file as it was, with nothing in a write-ahead log.
  func isSettled(as then: StoreFileIdentity) -> Bool {
    (writeAheadLog?.size ?? 0) == 0 && store == then.store && changeCounter != nil
      && changeCounter == then.changeCounter
  }
}
