package import StoreAccess
private import Synchronization

/// What was found out of a store while it was planned for, so that its run need not read it again.
///
/// It counts as long as the store's files are the same: another store, or one that was written to, is
/// read anew.
package final class SourceKnowledge: Sendable {
  private let proven = Mutex<(identity: StoreFileIdentity, proof: PageProof)?>(nil)

  package init() {}

  /// What is proven of a store's pages and rows; nil where nothing is.
  package func proof(of identity: StoreFileIdentity) -> PageProof? {
    proven.withLock { known in
      known.flatMap { identity.hasContent(of: $0.identity) ? $0.proof : nil }
    }
  }

  /// Keeps what is proven of a store, in the place of what was of another.
  ///
  /// - Parameter identity: What its files were like before and after they were read.
  package func keep(_ proof: PageProof, of identity: StoreFileIdentity) {
    proven.withLock { $0 = (identity, proof) }
  }
}
