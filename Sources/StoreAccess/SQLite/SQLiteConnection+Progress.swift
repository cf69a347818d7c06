private import CSQLite

extension SQLiteConnection {
  /// Sets a closure that decides, while statements run, whether to go on.
  ///
  /// Where it returns false, the statement fails with `interrupted`, and its writes are rolled back. A
  /// statement fails with `tooMuchWork` where it costs more than its files explain, see ``SQLiteWork``. The
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
    watch(everyInstructions: instructions)
  }

  /// Takes the progress closure away; what statements may cost stays limited.
  package func removeProgress() {
    callbacks.progress = nil
    watch(everyInstructions: Self.defaultInterval)
  }

  /// About a millisecond.
  private static let defaultInterval = 100_000

  private func watch(everyInstructions instructions: Int) {
    let interval = Int32(clamping: max(1, instructions))
    callbacks.work.interval = UInt64(interval)
    // The callbacks live as long as the connection, whose deinit takes the handler away.
    let context = unsafe Unmanaged.passUnretained(callbacks).toOpaque()
    unsafe sqlite3_progress_handler(
      handle,
      interval,
      { context in
        guard let context = unsafe context else { return 0 }
        let callbacks = unsafe Unmanaged<SQLiteCallbacks>.fromOpaque(context).takeUnretainedValue()
        guard callbacks.progress?() ?? true else { return 1 }
        return unsafe callbacks.work.count(callbacks.handle) ? 0 : 1
      },
      context
    )
  }
}
