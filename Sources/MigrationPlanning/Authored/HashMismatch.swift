import ObjectModel

/// An explanation why a mapping model fits no versions: the entities whose hashes differ from the
/// nearest version.
struct HashMismatch {
  /// The finding that reports the mismatch.
  let finding: Finding
  /// The versions that are nearest to its ends.
  let nearest: [ModelVersion]

  /// A version that is near, and the entities that differ, with their properties where known.
  private struct Near {
    let version: ModelVersion
    let entities: [String]
    let words: [String]
  }

  init(_ mapping: AuthoredMapping, _ versions: [ModelVersion]) {
    var words: [String] = []
    var moved: [String] = []
    var nearest: [ModelVersion] = []
    for (end, mentions, what) in [
      (mapping.source, mapping.sourceMentions, "source"),
      (mapping.destination, mapping.destinationMentions, "destination"),
    ] {
      var end = end
      if !end.isWhole { end.hashes = mentions }
      guard !end.hashes.isEmpty else { continue }
      guard let near = Self.near(end, versions) else {
        words.append("no version has any entity of its \(what)")
        continue
      }
      nearest.append(near.version)
      guard !near.entities.isEmpty else { continue }
      moved += near.entities
      words.append(
        "its \(what) is nearest to \(near.version.name), in which \(Self.list(near.words)) "
          + (near.words.count == 1 ? "differs" : "differ")
      )
    }
    self.nearest = nearest
    finding = Finding(
      .staleMapping,
      .warning,
      at: Finding.Place(file: mapping.path, entity: moved.first),
      message: words.isEmpty
        ? "The mapping \(mapping.name) joins versions of different models."
        : "The mapping \(mapping.name) is for no two versions that are known: "
          + words.joined(separator: "; ") + ".",
      remedy: words.isEmpty
        ? "If the app went from one model to the other, join both by `order:` in waystone.yml; else refresh its "
          + "data models in Xcode."
        : "Refresh its data models in Xcode, or archive the versions that it was made for."
    )
  }

  private static func near(_ end: AuthoredMapping.End, _ versions: [ModelVersion]) -> Near? {
    if end.isWhole {
      let found = VersionIdentification(
        storeHashes: end.hashes,
        versions: versions,
        storeModel: end.model
      )
      if let candidate = found.nearest.first {
        return Near(
          version: candidate.version,
          entities: candidate.differences.map(\.entityName),
          words: candidate.differences.map(words)
        )
      }
    }
    return versions.filter { version in
      end.hashes.keys.contains { version.model.entityVersionHashes[$0] != nil }
    }
    .map { version in
      let hashes = version.model.entityVersionHashes
      let names = end.isWhole ? Set(end.hashes.keys).union(hashes.keys) : Set(end.hashes.keys)
      let moved = names.filter { hashes[$0] != end.hashes[$0] }.sorted(by: ByteOrder.precedes)
      return Near(version: version, entities: moved, words: moved)
    }
    .reversed().min { $0.entities.count < $1.entities.count }
  }

  private static func words(_ difference: VersionIdentification.Difference) -> String {
    let properties = difference.propertyNames
    guard !properties.isEmpty else { return difference.entityName }
    let shown = properties.prefix(3).joined(separator: ", ") + (properties.count > 3 ? ", …" : "")
    return "\(difference.entityName) (\(shown))"
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 6
      ? names.joined(separator: ", ")
      : names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more"
  }
}
