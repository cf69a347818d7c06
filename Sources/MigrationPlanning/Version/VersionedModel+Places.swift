import ObjectModel

extension VersionedModel {
  /// The position at which versions of the same hashes stand: that of the last of them, but not behind
  /// the current version where one is before it, since stores of that one go on to it.
  ///
  /// - Parameter positions: The positions of the versions, ascending.
  func place(of positions: [Int]) -> Int {
    // Where versions branched, what comes later decides.
    let current = parents == nil ? versions.firstIndex(where: \.isCurrent) : nil
    return current.flatMap { current in positions.last { $0 <= current } } ?? positions.last ?? 0
  }

  /// The position at which the versions of some hashes stand; nil where none has them.
  func place(ofHashes hashes: [String: VersionHash]) -> Int? {
    let found = versions.indices.filter { versions[$0].model.entityVersionHashes == hashes }
    return found.isEmpty ? nil : place(of: found)
  }
}
