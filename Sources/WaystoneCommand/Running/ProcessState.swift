private import Foundation

/// The state that the process inherits, changed such that it neither ends nor misleads a run.
enum ProcessState {
  /// Readies the process; before anything is opened.
  static func prepare() {
    // A reader that goes away must not end a migration; nor a file that may not grow (`EFBIG`).
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    occupyStandardStreams()
  }

  /// Gives the numbers of standard streams that came closed to nothing that can be written: else the
  /// first file that is opened would be standard output, and a report would be written into it.
  private static func occupyStandardStreams() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      guard fcntl(number, F_GETFD) == -1, errno == EBADF else { continue }
      // The lowest free number is this one. For reading only: printing must not seem to succeed.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
