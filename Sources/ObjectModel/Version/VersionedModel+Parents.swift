extension VersionedModel {
  /// Returns the positions of the versions that a version follows at once; none for one that begins.
  public func parentPositions(of position: Int) -> [Int] {
    guard let parents else { return position > 0 ? [position - 1] : [] }
    guard versions.indices.contains(position) else { return [] }
    let names = parents[versions[position].name] ?? []
    return names.compactMap { name in versions.firstIndex { $0.name == name } }
      .filter { $0 < position }
  }

  /// Returns the positions of the versions that a version follows when all but some are left out.
  ///
  /// - Parameter isKept: Whether a version is not left out.
  public func parentPositions(
    of position: Int,
    among isKept: (ModelVersion) -> Bool
  ) -> [Int] {
    var found: Set<Int> = []
    var seen: Set<Int> = []
    var rest = parentPositions(of: position)
    while let parent = rest.popLast() {
      guard seen.insert(parent).inserted else { continue }
      if isKept(versions[parent]) {
        found.insert(parent)
      } else {
        rest += parentPositions(of: parent)
      }
    }
    return found.sorted()
  }

  /// Returns the versions with their parents, each after all that it follows; else in the order they had.
  ///
  /// - Parameter parents: The names of the versions that each version follows.
  /// - Returns: Nil where versions follow each other in a circle, and so have no order.
  public func ordered(byParents parents: [String: [String]]) -> VersionedModel? {
    var result = self
    result.parents = parents
    result.versions = []
    var placed: Set<String> = []
    while result.versions.count < versions.count {
      let next = versions.first { version in
        !placed.contains(version.name)
          && (parents[version.name] ?? []).allSatisfy { placed.contains($0) }
      }
      guard let next else { return nil }
      placed.insert(next.name)
      result.versions.append(next)
    }
    return result
  }
}
