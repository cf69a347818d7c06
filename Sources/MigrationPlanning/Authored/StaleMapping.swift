import ObjectModel

/// Why a mapping fits no versions: which of its entities are another than in the nearest version.
struct StaleMapping {
  /// What is to be said of it.
  let finding: Finding

  init(_ mapping: AuthoredMapping, _ versions: [ModelVersion]) {
    var words: [String] = []
    var moved: [String] = []
    for (end, mentions, what) in [
      (mapping.source, mapping.sourceMentions, "source"),
      (mapping.destination, mapping.destinationMentions, "destination"),
    ] {
      let wanted = end.isWhole ? end.hashes : mentions
      guard !wanted.isEmpty else { continue }
      let near = versions.map { version in
        (version: version, names: Self.differences(wanted, end.isWhole, version))
      }
      .filter {
        $0.names.count < Set(wanted.keys).union($0.version.model.entityVersionHashes.keys).count
      }
      .reversed().min { $0.names.count < $1.names.count }
      guard let near else {
        words.append("no version has any entity of its \(what)")
        continue
      }
      guard !near.names.isEmpty else { continue }
      moved += near.names
      words.append(
        "its \(what) is nearest to \(near.version.name), in which "
          + "\(Self.list(near.names)) \(near.names.count == 1 ? "differs" : "differ")"
      )
    }
    finding = Finding(
      .staleMapping,
      .warning,
      at: Finding.Place(file: mapping.path, entity: moved.first),
      message: words.isEmpty
        ? "The mapping \(mapping.name) joins versions of different models."
        : "The mapping \(mapping.name) is for no two versions that are known: "
          + words.joined(separator: "; ") + ".",
      remedy: "Refresh its data models in Xcode, or archive the versions that it was made for."
    )
  }

  /// The entities in which a version is not what a mapping was made for, in byte order.
  private static func differences(
    _ wanted: [String: VersionHash],
    _ isWhole: Bool,
    _ version: ModelVersion
  ) -> [String] {
    let hashes = version.model.entityVersionHashes
    let names = isWhole ? Set(wanted.keys).union(hashes.keys) : Set(wanted.keys)
    return names.filter { hashes[$0] != wanted[$0] }.sorted(by: ByteOrder.precedes)
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 6
      ? names.joined(separator: ", ")
      : names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more"
  }
}
