import ModelCoding
package import ObjectModel

extension StoreContents {
  /// Returns the model that Core Data keeps inside the store, or nil where there is none.
  ///
  /// - Throws: ``StoreAccessError``, `damaged` where the archive cannot be read.
  package func cachedModel() throws(StoreAccessError) -> ManagedObjectModel? {
    guard let modelCache else { return nil }
    do throws(ModelCodingError) {
      return try ModelCache.decode(modelCache).model
    } catch {
      throw StoreAccessError(
        code: .damaged,
        message: "The model inside the store cannot be read: \(error.message)"
      )
    }
  }
}
