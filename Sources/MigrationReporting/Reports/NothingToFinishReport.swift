/// A report that no migration of a store waits for its cleanup.
package struct NothingToFinishReport: Report, MemberEncodable {
  package static let verb = "finish"

  private let store: String

  /// A store without a deferred cleanup.
  package init(store: String) { self.store = store }

  package var members: JSONMembers { ["store": store, "finished": false] }

  package func lines(isVerbose: Bool) -> [StyledText] {
    ["Nothing to do: no cleanup of \(store, .strong) is pending."]
  }
}
