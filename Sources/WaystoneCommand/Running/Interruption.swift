private import Foundation
internal import StoreMigration

/// The wish of a person or a supervisor that the run stop at the next safe point.
enum Interruption {
  /// What SIGINT and SIGTERM ask.
  static let cancellation = Cancellation()

  /// From now on the first SIGINT or SIGTERM is a request; a second one ends the process, which
  /// leaves no damage either, only more to do again.
  static func listen() {
    // Made before a signal can ask for it, since a handler may not allocate.
    _ = cancellation
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&blocked, number)
      signal(number) { number in
        Interruption.cancellation.request()
        signal(number, SIG_DFL)
      }
    }
    // A parent that starts processes from a thread which blocks them hands the blockade down.
    pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
  }
}
