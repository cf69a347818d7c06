private import CSQLite

extension SQLiteConnection {
  /// Has a closure asked, while statements run, whether to go on.
  ///
  /// Where it says no, the statement fails with `interrupted` and what it wrote is rolled back. The
  /// closure must not use the connection. It replaces one set before.
  ///
  /// - Parameters:
  ///   - everyInstructions: Instructions of SQLite's virtual machine between two questions; 10,000
  ///     are well under a millisecond.
  ///   - shouldContinue: Reads a flag that a signal handler or another task sets.
  package func onProgress(
    everyInstructions instructions: Int = 10_000,
    _ shouldContinue: @escaping () -> Bool
  ) {
    callbacks.progress = shouldContinue
    let context = unsafe Unmanaged.passUnretained(callbacks).toOpaque()
    // The callbacks live as long as the connection, whose deinit takes the handler away.
    unsafe sqlite3_progress_handler(
      handle,
      Int32(clamping: max(1, instructions)),
      { context in
        guard let context = unsafe context else { return 0 }
        let callbacks = unsafe Unmanaged<SQLiteCallbacks>.fromOpaque(context).takeUnretainedValue()
        return callbacks.progress?() ?? true ? 0 : 1
      },
      context
    )
  }

  /// Takes the progress closure away.
  package func removeProgress() {
    unsafe sqlite3_progress_handler(handle, 0, nil, nil)
    callbacks.progress = nil
  }
}
