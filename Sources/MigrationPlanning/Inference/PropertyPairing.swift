import ObjectModel

/// A pairing of the properties of one entity in two versions, independent of other entities.
///
/// Plain attributes are stored, and are neither derived, nor composite, nor part of a composite.
struct PropertyPairing {
  /// The origin of a destination attribute's value.
  enum Origin: Hashable {
    /// The plain attribute at a place among the source's properties.
    case carried(Int)
    /// The default value, without a source attribute, in the form in which numbers compare.
    case new(AttributeValue?)
    /// The origin of another kind of property, or one that only other entities decide.
    case open
  }

  /// The origin of each destination property.
  let origins: [Origin]
  /// The number of dropped plain attributes and of relationships that lose their order, counted at the
  /// declaring entities.
  private(set) var lossy = 0
  /// The number of conditions on plain attributes, counted at the declaring entities.
  private(set) var conditional = 0
  /// Whether the lightweight rules refuse the step.
  private(set) var isRefused = false

  /// Pairs the properties of an entity that has rows with those of the same entity of another version.
  ///
  /// - Parameter declarers: The entity and ancestors of it whose properties are counted.
  /// - Complexity: O(*p*) in the properties.
  init(_ source: PreparedEntity, _ destination: PreparedEntity, _ declarers: Set<String>) {
    if source === destination {
      origins = source.properties.indices.map {
        source.hasPlainAttribute(at: $0) ? .carried($0) : .open
      }
      return
    }
    let matching = CanonicalMatching(
      source: source.keys,
      indexes: source.indexes,
      destination: destination.keys
    )
    let isEqual = source.hash != nil && source.hash == destination.hash
    origins = matching.matches.enumerated().map { place, match in
      guard destination.hasPlainAttribute(at: place) else { return .open }
      guard let match else { return isEqual ? .open : .new(destination.defaultValue(at: place)) }
      guard source.hasPlainAttribute(at: match.source) else { return .open }
      // Equal hashes carry each by its name, unless other entities have it that they are matched.
      let isCertain = !isEqual || source.keys[match.source].name == destination.keys[place].name
      return isCertain ? .carried(match.source) : .open
    }
    for (place, origin) in origins.enumerated() {
      // An attribute that stays what it is costs nothing.
      if case .carried(let old) = origin, let mark = destination.marks[place],
        source.marks[old] == mark
      {
        continue
      }
      guard let after = destination.properties[place].property.attribute else { continue }
      // Rows that exist have no value for it.
      if case .new = origin, !after.isOptional, after.defaultValue == nil { isRefused = true }
      guard case .carried(let old) = origin,
        let before = source.properties[old].property.attribute
      else { continue }
      count(before, after, isOwn: declarers.contains(destination.properties[place].entityName))
    }
    if isEqual { return }
    isRefused = isRefused || !matching.ambiguities.isEmpty
    lossy += matching.unmatchedSources.count { place in
      source.hasPlainAttribute(at: place) && declarers.contains(source.properties[place].entityName)
    }
    // Attributes have marks; relationships have none.
    for (place, match) in matching.matches.enumerated()
    where destination.marks[place] == nil
      && declarers.contains(destination.properties[place].entityName)
    {
      guard let match, let after = destination.properties[place].property.relationship,
        after.isPersistent, let before = source.properties[match.source].property.relationship,
        before.isPersistent
      else { continue }
      count(before, after)
    }
  }

  private mutating func count(
    _ old: AttributeDescription,
    _ new: AttributeDescription,
    isOwn: Bool
  ) {
    let (from, to) = (old.attributeType, new.attributeType)
    if !to.takesValues(of: from) { isRefused = true }
    guard isOwn else { return }
    if from != to, !NumericConversion(source: from, destination: to).isExact { conditional += 1 }
    if old.isOptional, !new.isOptional, new.defaultValue == nil { conditional += 1 }
    if TransformerChange(from: old, to: new)?.isReadable == false { conditional += 1 }
  }

  private mutating func count(_ old: RelationshipDescription, _ new: RelationshipDescription) {
    if old.isToMany, !new.isToMany { conditional += 1 }
    if old.isToMany, new.isToMany, old.isOrdered, !new.isOrdered { lossy += 1 }
    if new.isTighter(than: old) { conditional += 1 }
  }
}

extension PropertyPairing {
  /// Returns the origin that a value of an earlier step has after this step.
  ///
  /// - Parameters:
  ///   - origin: The origin after the earlier step.
  ///   - place: The place of the property in the source.
  ///   - next: The place of the destination property that carries it.
  static func carrying(
    _ origin: Origin,
    from source: PreparedEntity,
    at place: Int,
    to destination: PreparedEntity,
    at next: Int
  ) -> Origin {
    guard case .new(let value) = origin else { return origin }
    guard let old = source.properties[place].property.attribute,
      let new = destination.properties[next].property.attribute,
      old.attributeType == new.attributeType
    else { return .open }
    return value == nil && old.isOptional && !new.isOptional
      ? .new(destination.defaultValue(at: next)) : origin
  }
}

extension PreparedEntity {
  /// Returns the default of an attribute, in the form in which numbers compare.
  fileprivate func defaultValue(at place: Int) -> AttributeValue? {
    let attribute = properties[place].property.attribute
    return attribute?.defaultValue?.settled(as: attribute?.attributeType)
  }

  /// Returns whether a property is a plain attribute.
  func hasPlainAttribute(at place: Int) -> Bool { isPlain[place] }
}
