import ObjectModel

extension VersionedModel {
  /// Returns the common position of versions of the same hashes: that of the last of them, but not after
  /// the current version where one is before it, because stores of that one continue to it.
  ///
  /// - Parameter positions: The positions of the versions, ascending.
  func place(of positions: [Int]) -> Int {
    // Where versions branched, what comes later decides.
    let current = parents == nil ? versions.firstIndex(where: \.isCurrent) : nil
    return current.flatMap { current in positions.last { $0 <= current } } ?? positions.last ?? 0
  }

  /// Returns the common position of the versions of some hashes; nil where none has them.
  func place(ofHashes hashes: [String: VersionHash]) -> Int? {
    let found = versions.indices.filter { versions[$0].model.entityVersionHashes == hashes }
    return found.isEmpty ? nil : place(of: found)
  }
}
