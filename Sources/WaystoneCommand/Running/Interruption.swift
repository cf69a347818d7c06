private import Foundation
private import Synchronization

/// The wish of a person or a supervisor that the run stop at the next safe point.
package enum Interruption {
  private static let isAsked = Atomic<Bool>(false)

  /// Whether SIGINT or SIGTERM has arrived.
  package static var isRequested: Bool { isAsked.load(ordering: .relaxed) }

  /// From now on the first SIGINT or SIGTERM is a request; a second one ends the process, which
  /// leaves no damage either, only more to do again.
  package static func listen() {
    _ = isRequested
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        Interruption.isAsked.store(true, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }
}
