internal import Files

extension BatchRun {
  /// Updates the ledger's size and modification time of a store that is about to be migrated: its file may
  /// have been repaired since it was found.
  ///
  /// A store whose result may be in its place already stays as the ledger has it.
  func refresh(_ store: LedgerStore) throws {
    guard case .file(let path) = store.found.place,
      try !FileSystem.exists(files.certificate(store.id)),
      // The worker reports files that cannot be read, in the words of a migration.
      let status = try? FileSystem.status(path), status.kind == .file
    else { return }
    let log = (try? FileSystem.status(path + "-wal"))?.flatMap { $0.kind == .file ? $0 : nil }
    let bytes = status.size + (log?.size ?? 0)
    let modified = max(status.modified, log?.modified ?? .min)
    guard modified != store.found.modified || bytes != store.found.bytes,
      let head = try? FoundStore.head(ofFile: path)
    else { return }
    try ledger.note(store.id, bytes: bytes, modified: modified, head: head)
  }
}
