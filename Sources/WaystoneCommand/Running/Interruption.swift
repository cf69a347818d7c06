private import Foundation
internal import StoreMigration

/// The request of the user or a supervisor that the run stop at the next safe point.
enum Interruption {
  /// The request of SIGINT and SIGTERM.
  static let cancellation = Cancellation()

  /// Makes the first SIGINT or SIGTERM a request; a second one ends the process.
  ///
  /// The second signal leaves no damage either, only more to do again.
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
