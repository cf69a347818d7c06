package import StoreAccess
private import Synchronization

/// The facts that planning read from a store, so that its run need not read it again.
///
/// It is valid while the store's files are the same: another or a changed store is read anew.
package final class SourceCache: Sendable {
  private let proven = Mutex<(identity: StoreFileIdentity, proof: PageVerification)?>(nil)

  private let converted = Mutex<XMLStoreCopy?>(nil)

  package init() {}

  /// The copy of the SQLite kind that was made of a store of the XML kind; nil where none was.
  package var conversion: XMLStoreCopy? { converted.withLock { $0 } }

  /// Keeps the copy that was made of a store of the XML kind.
  package func keep(_ conversion: XMLStoreCopy) { converted.withLock { $0 = conversion } }

  /// Returns the proof of a store's pages and rows; nil where there is none.
  package func proof(of identity: StoreFileIdentity) -> PageVerification? {
    proven.withLock { known in
      known.flatMap { identity.hasContent(of: $0.identity) ? $0.proof : nil }
    }
  }

  /// Keeps the proof of a store, and drops that of another.
  /// - Parameter identity: The identity of its files, the same before and after they were read.
  package func keep(_ proof: PageVerification, of identity: StoreFileIdentity) {
    proven.withLock { $0 = (identity, proof) }
  }
}
