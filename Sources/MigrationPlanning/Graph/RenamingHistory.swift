import ObjectModel

/// The Renaming IDs of entities and properties in all versions, by which a step that changes one is
/// judged.
///
/// A Renaming ID that one version had by mistake needs no repair where the next version has the earlier
/// one again. An identifier that names the item's next name carries the data; clearing it would lose
/// them. Where several versions in a row each name the last name, all of them need the Renaming ID from
/// before the first.
struct RenamingHistory {
  /// The versions in their order.
  let versions: [ModelVersion]

  /// Returns the finding that a step changes a Renaming ID, with the advice that is right in this
  /// history; others as they are.
  ///
  /// - Parameters:
  ///   - source: The position of the version before the step.
  ///   - destination: The position of the version behind it.
  func informed(_ finding: Finding, from source: Int, to destination: Int) -> Finding {
    if finding.code == .renamingIdentifierNamesOldName, source < destination {
      return mended(finding, from: source, to: destination) ?? finding
    }
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
      finding.statement +=
        " This concerns stores of \(Finding.Text(versions: alike)) alone: earlier versions agree "
        + "with \(version: first)."
      finding.advice = "\(version: first) has mended it: no edit is needed."
    } else if let later, canonicalName(at: finding.place, in: later) == before {
      finding.advice = "\(version: versions[later].name) has mended it: no edit is needed."
    } else if let heir = heir(of: finding.place, called: after, behind: destination) {
      let item = [finding.place.entity, after].compactMap(\.self).joined(separator: ".")
      finding.statement +=
        " \(version: heir) has the data as \(finding.place.property == nil ? after : item)."
      finding.advice =
        "Do not only clear it: \(version: heir) takes the data by it. Set the \(mark: versions[source].model.framework) of \(after) to "
        + "\"\(before)\" in \(version: heir) and all later versions, and clear it in \(version: first); no version hash "
        + "changes."
    } else if let mended = mended(finding, from: source, to: destination) {
      return mended
    }
    return finding
  }

  /// Returns the finding with the one advice for all versions that name an item's last name, back to the
  /// first of them; nil where an earlier step has none.
  private func mended(_ finding: Finding, from source: Int, to destination: Int) -> Finding? {
    guard var (item, _) = former(of: finding.place, in: destination, before: source) else {
      return nil
    }
    var first: (position: Int, item: Finding.Place, identifier: String)?
    for position in stride(from: source, to: 0, by: -1) {
      guard let (place, basis) = former(of: item, in: position, before: position - 1),
        basis != .nameOnly, let identifier = canonicalName(at: place, in: position - 1)
      else { break }
      if basis == .identifierIsSourceName { first = (position, item, identifier) }
      item = place
    }
    guard let first else { return nil }
    var finding = finding
    finding.advice =
      "Give it one \(mark: versions[source].model.framework), \"\(first.identifier)\", in \(version: versions[first.position].name), where it is "
      + "called \(first.item.property ?? first.item.entity ?? ""), and in all later versions; no version hash "
      + "changes."
    return finding
  }

  /// Returns the item of an earlier version that an item matches, and the rule by which it matches.
  private func former(
    of place: Finding.Place,
    in position: Int,
    before earlier: Int
  ) -> (place: Finding.Place, basis: CanonicalMatching.Basis)? {
    let (old, new) = (versions[earlier].model, versions[position].model)
    func match(
      _ name: String?,
      _ source: [CanonicalMatching.Key],
      _ destination: [CanonicalMatching.Key]
    ) -> (name: String, basis: CanonicalMatching.Basis)? {
      guard let index = destination.firstIndex(where: { $0.name == name }),
        let found = CanonicalMatching(source: source, destination: destination).matches[index]
      else { return nil }
      return (source[found.source].name, found.basis)
    }
    let (olds, news) = (old.entities.map(\.key), new.entities.map(\.key))
    guard let entity = match(place.entity, olds, news) else { return nil }
    var former = Finding.Place(entity: entity.name)
    guard let property = place.property else { return (former, entity.basis) }
    let found = match(
      property,
      old.properties(of: entity.name).map(\.property.key),
      new.properties(of: place.entity ?? "").map(\.property.key)
    )
    former.property = found?.name
    return found.map { (former, $0.basis) }
  }

  private func canonicalName(at place: Finding.Place, in position: Int) -> String? {
    let model = versions[position].model
    guard let entity = place.entity else { return nil }
    guard let property = place.property else { return model[entity]?.canonicalName }
    return model.property(property, of: entity)?.property.canonicalName
  }

  /// Returns the first later version in which the item has its Renaming ID as its name.
  private func heir(of place: Finding.Place, called name: String, behind position: Int) -> String? {
    guard let entity = place.entity, name != place.property ?? entity else { return nil }
    var place = place
    if place.property == nil { place.entity = name } else { place.property = name }
    return versions.indices.dropFirst(position + 1).first {
      canonicalName(at: place, in: $0) == name
    }.map { versions[$0].name }
  }
}
