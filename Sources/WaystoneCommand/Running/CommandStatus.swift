/// A meaning of a process's exit status; the numbers are a promise to scripts.
///
/// From 64 up they are those of `sysexits.h`.
package enum CommandStatus: Int32, Hashable, Sendable, CaseIterable {
  /// Done, or nothing to do.
  case success = 0
  /// The answer is no: a standalone check fails.
  case answerIsNo = 1
  /// Wrong usage or configuration.
  case usage = 2
  /// The path is missing or unsafe, or the store's version is unknown.
  case noPath = 3
  /// The migration failed; the original is kept.
  case migrationFailed = 4
  /// Verification failed during a migration; the original is kept.
  case verificationFailed = 5
  /// Locked, or in use by another process.
  case locked = 6
  /// Interrupted, resumable.
  case interrupted = 7
  /// An input file is damaged or not what it should be.
  case damagedInput = 65
  /// An input file does not exist or cannot be read.
  case missingInput = 66
  /// The output cannot be created.
  case cannotCreate = 73
  /// I/O error, or the disk is full.
  case inputOutput = 74

  /// The name that JSON carries.
  package var name: String { "\(self)" }
}
