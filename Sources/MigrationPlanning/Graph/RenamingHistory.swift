import ObjectModel

/// Which Renaming IDs entities and properties have in all versions, by which a step that changes one is
/// judged.
///
/// A Renaming ID that one version had by mistake needs no mending where the next one has that of before. One
/// that names the item's next name is what carries the data on: to clear it would lose them.
struct RenamingHistory {
  /// The versions in their order.
  let versions: [ModelVersion]

  /// The finding that a step changes a Renaming ID, with the advice that is right in this history; others as
  /// they are.
  ///
  /// - Parameters:
  ///   - source: The position of the version before the step.
  ///   - destination: The position of the version behind it.
  func informed(_ finding: Finding, from source: Int, to destination: Int) -> Finding {
    guard finding.code == .canonicalNamesDisagree, source < destination,
      let before = canonicalName(at: finding.place, in: source),
      let after = canonicalName(at: finding.place, in: destination)
    else { return finding }
    var finding = finding
    let first = versions[destination].name
    let earlier = versions[..<source].indices.last {
      canonicalName(at: finding.place, in: $0) != before
    }
    let later = versions.indices.dropFirst(destination + 1).first {
      canonicalName(at: finding.place, in: $0) != after
    }
    if let earlier, canonicalName(at: finding.place, in: earlier) == after {
      let hashes = versions[source].model.entityVersionHashes
      let alike = versions[...source].filter { $0.model.entityVersionHashes == hashes }.map(\.name)
      finding.message +=
        " This concerns stores of \(alike.joined(separator: ", ")) alone: earlier versions agree with "
        + "\(first)."
      finding.remedy = "\(first) has mended it: no edit is needed."
    } else if let later, canonicalName(at: finding.place, in: later) == before {
      finding.remedy = "\(versions[later].name) has mended it: no edit is needed."
    } else if let heir = heir(of: finding.place, called: after, behind: destination) {
      let item = [finding.place.entity, after].compactMap(\.self).joined(separator: ".")
      finding.message += " \(heir) has the data as \(finding.place.property == nil ? after : item)."
      finding.remedy =
        "Do not only clear it: \(heir) takes the data by it. Set the Renaming ID of \(after) to "
        + "\"\(before)\" in \(heir) and all later versions, and clear it in \(first); no version hash "
        + "changes."
    }
    return finding
  }

  private func canonicalName(at place: Finding.Place, in position: Int) -> String? {
    let model = versions[position].model
    guard let entity = place.entity else { return nil }
    guard let property = place.property else { return model[entity]?.canonicalName }
    return model.property(property, of: entity)?.property.canonicalName
  }

  /// The first later version in which the item has its Renaming ID as its name.
  private func heir(of place: Finding.Place, called name: String, behind position: Int) -> String? {
    guard let entity = place.entity, name != place.property ?? entity else { return nil }
    var place = place
    if place.property == nil { place.entity = name } else { place.property = name }
    return versions.indices.dropFirst(position + 1).first {
      canonicalName(at: place, in: $0) == name
    }.map { versions[$0].name }
  }
}
