import Files
package import ObjectModel

/// A store of the SQLite kind that was made of one of the XML kind, in a folder of Waystone's own; removed
/// when its last owner releases it.
package final class XMLStoreCopy: Sendable {
  /// The path of the store of the XML kind, links followed.
  package let original: String
  /// The state of the original's file when it was read.
  package let identity: StoreFileIdentity
  /// The model that the original was read by.
  package let model: ManagedObjectModel
  /// The differences between the original and the copy.
  package let notes: [XMLStoreNote]
  private let copy: PrivateCopy

  /// The path of the store of the SQLite kind.
  package var store: String { copy.store }

  /// Makes the store.
  ///
  /// - Parameters:
  ///   - path: The store of the XML kind.
  ///   - model: The model that it was written by.
  ///   - scratchFolder: The folder to make a private one in.
  ///   - shouldContinue: Asked now and then whether to go on.
  /// - Throws: ``StoreAccessError``: `damaged`, with file, line and object, where the original contradicts
  ///   itself or the model; `unsupported` where it is not known how stores keep a part of the model; `inUse`
  ///   where the original was changed meanwhile.
  /// - Complexity: O(*n* log *n*) in the objects and links, in memory that does not grow with them.
  package init(
    of path: String,
    by model: ManagedObjectModel,
    in scratchFolder: String,
    shouldContinue: @escaping () -> Bool = { true }
  ) throws(StoreAccessError) {
    original = try StoreFiles(store: path).store
    identity = try StoreFileIdentity(path: original)
    self.model = model
    copy = try PrivateCopy(emptyIn: scratchFolder)
    do throws(StoreAccessError) {
      notes = try XMLStoreConversion.convert(
        original,
        by: model,
        to: copy.store,
        shouldContinue: shouldContinue
      )
    } catch {
      // A file that was written meanwhile contradicts itself, and is not damaged.
      try Self.check(original, is: identity)
      throw error
    }
    try checkOriginal()
  }

  /// Throws if the original is not as it was read.
  package func checkOriginal() throws(StoreAccessError) {
    try Self.check(original, is: identity)
  }

  private static func check(
    _ original: String,
    is identity: StoreFileIdentity
  ) throws(StoreAccessError) {
    guard try StoreFileIdentity(path: original) == identity else {
      throw StoreAccessError(code: .inUse, message: "\(original) was changed while it was read")
    }
  }

  /// Returns whether this is the store at a path, read by a model.
  func isCurrent(of path: String, by model: ManagedObjectModel) throws(StoreAccessError) -> Bool {
    guard try StoreFiles(store: path).store == original, self.model == model else { return false }
    return try StoreFileIdentity(path: original) == identity
  }
}
