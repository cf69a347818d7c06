import ObjectModel

extension MappingInference {
  /// Reports properties that no property carries on.
  ///
  /// One that an ancestor declares may be dropped from some entities below it and carried in
  /// others; it is reported for the ancestor only where that lives on and drops it, as all below it do.
  mutating func reportDrops() {
    // The places of the pairs, and of their dropped properties among the source's.
    var drops: [ManagedObjectModel.DeclaredProperty.ID: [(pair: Int, place: Int)]] = [:]
    for (index, pair) in entities.pairs.enumerated() where !pair.isEqual && isReported(pair) {
      for place in pair.dropped + placesOfOtherKind(in: pair) {
        let declared = pair.source.properties[place]
        // Its several matches are reported, and its disposition is not known.
        guard declared.property.isPersistent,
          !pair.ambiguities.contains(where: { $0.sourceNames.contains(declared.property.name) })
        else { continue }
        drops[declared.id, default: []].append((index, place))
      }
    }
    for places in drops.values {
      let list = places.map { place in
        let (source, destination) = (
          entities.pairs[place.pair].source, entities.pairs[place.pair].destination
        )
        return (destination: destination.name, declared: source.properties[place.place])
      }
      guard let declared = list.first?.declared else { continue }
      let carriers = source.hierarchyNames(below: declared.entityName).compactMap { name in
        entities.pair(source: name).flatMap { isReported($0) ? $0 : nil }
      }
      if carriers.count == list.count,
        let above = entities.pair(source: declared.entityName),
        above.destinationProperty(of: declared.property.name)?.isPersistent != true
      {
        reportDrop(of: declared, entity: above.destination.name)
        // The findings on the ancestor do not cover properties that leave it in the same step.
        for (name, declared) in list
        where !destination.isKind(name, of: above.destination.name) {
          reportDrop(of: declared, entity: name)
        }
      } else {
        for (name, declared) in list { reportDrop(of: declared, entity: name) }
      }
    }
  }

  private typealias DeclaredDrop = ManagedObjectModel.DeclaredProperty

  /// Returns the places of persistent properties that meet a transient one of the other kind.
  private func placesOfOtherKind(in pair: EntityPair) -> [Int] {
    pair.destination.transientPlaces.compactMap { place in
      guard let carry = pair.carries[place] else { return nil }
      let new = pair.destination.properties[place]
      let old = pair.source.properties[carry.source].property
      return (old.attribute == nil) == (new.property.attribute == nil) ? nil : carry.source
    }
  }

  private mutating func reportDrop(of declared: DeclaredDrop, entity: String) {
    let property = declared.property
    let place = "\(entity).\(property.name)"
    let code: FindingCode
    let isKept: Bool
    let words: (kept: Finding.Text, lost: Finding.Text)
    switch property {
    case .attribute(let attribute):
      code = .attributeDropped
      isKept = attribute.derivationExpression != nil
      words = (", a derived attribute, is dropped", " \(.is) dropped")
    case .relationship(let relationship):
      code = .relationshipDropped
      isKept = isCarriedByInverse(relationship)
      words = (
        " \(.is) dropped; \(.its) inverse keeps the links", " \(.is) dropped with \(.its) links"
      )
      if isKept, relationship.isToMany, relationship.isOrdered {
        collector.addLostOrder(
          at: Finding.Place(entity: entity, property: relationship.name),
          to: relationship.destinationEntityName,
          "\(subject: place) \(.is) dropped; \(.its) inverse keeps the links, without their order."
        )
        return
      }
    case .fetchedProperty: return
    }
    let former = entities.pair(destination: entity)?.source.name ?? entity
    let before = former == entity ? "" : " (\(former).\(property.name) before)"
    // A composite that has another name takes all its elements along.
    let composite = property.attribute?.membership
    let whole = composite.flatMap { candidates["\(entity).\($0.attributeName)"] }
    let new = isKept ? [] : whole ?? candidates[place] ?? []
    if isReportedByNewName(property.name, of: entity, new) { return }
    collector.add(
      new.isEmpty ? code : .suspectedRename,
      isKept ? .note : .warning,
      isKept ? .exact : .lossy,
      at: Finding.Place(entity: entity, property: property.name),
      "\(subject: place)\(before)"
        + (isKept ? words.kept + "." : words.lost + Self.isNew(new.map { "\(entity).\($0)" })),
      remedy: isKept
        ? "Nothing needs to be done."
        : renaming(
          new,
          from: whole == nil ? property.name : composite?.attributeName ?? property.name,
          canonicalName: whole == nil
            ? renamingIdentifier(for: property, in: entity)
            : composite?.canonicalName
              ?? property.canonicalName
        )
    )
  }

  /// Returns the Renaming ID that carries a property on: within its composite attribute, as long as that
  /// is there, an element has a name of its own.
  func renamingIdentifier(for property: PropertyDescription, in entity: String) -> String {
    guard let attribute = property.attribute, let composite = attribute.membership,
      entities.pair(destination: entity)?.destination.properties.contains(where: {
        $0.property.attribute?.membership?.canonicalName == composite.canonicalName
      }) == true
    else { return property.canonicalName }
    return attribute.ownCanonicalName
  }

  /// Returns the end of a sentence on a dropped item, with its possible new names.
  static func isNew(_ names: [String]) -> Finding.Text {
    names.isEmpty ? "." : "; \(areNew: names)."
  }

  /// Returns the remedy for an item that was renamed rather than dropped.
  ///
  /// No version hash contains the identifier (`VersionHasher` leaves it out), and Core Data infers a
  /// rename by it: *Migrating your data model automatically*, "Managing changes to entities and
  /// properties".
  func renaming(
    _ new: [String],
    from old: String,
    canonicalName: String
  ) -> Finding.Text {
    switch span {
    case .step: break
    case .shortcut:
      return "`waystone check --all` shows what each step between drops, and how to keep the data."
    case .downgrade: return "The older version has no place for it; the original store is kept."
    }
    if framework == .swiftData, source[old] != nil, old == canonicalName {
      return
        "SwiftData carries no objects to a class of another name. If it was renamed, keep the old name, "
        + "or \(mapping: framework.mapping(" that copies its objects"))."
    }
    let advice: Finding.Text =
      switch new.count {
      case 0:
        "If it was renamed, set the \(mark: framework) of its new name to "
          + Finding.Text(
            canonicalName == old && !old.contains(".") ? "the old name" : "\"\(canonicalName)\""
          )
      case 1:
        "Only if \(new[0]) holds the data of \(old), set the \(mark: framework) of \(new[0]) to "
          + "\"\(canonicalName)\""
      default:
        "Only if one of \(new.joined(separator: ", ")) holds the data of \(old), set its "
          + "\(mark: framework) to "
          + "\"\(canonicalName)\""
      }
    return identifying(advice)
  }

  /// Returns the advice to set a Renaming ID, for a step; any other span gets the command that shows
  /// each step.
  func identifying(_ advice: Finding.Text) -> Finding.Text {
    span == .step
      ? "\(advice), \(Self.throughout)."
      : "`waystone check --all` shows what each step changes, and which \(mark: framework)s to set."
  }

  /// Returns the advice to write a mapping that a step cannot infer, as a sentence.
  func advice(_ purpose: String = "") -> Finding.Text {
    "\(mapping: framework.mapping(purpose).capitalizedFirst)."
  }

  /// The framework of the version that can be edited.
  var framework: ModelFramework { destination.framework }

  /// The place to set a Renaming ID, as the end of a sentence.
  static let throughout: Finding.Text =
    "in \(.editedVersion) and all later ones; no version hash changes"

  /// Returns whether the links live on in the relationship back, which alone can hold them, of each
  /// entity that they lead to: one may have left the parent that declared it.
  private func isCarriedByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = source.inverse(of: relationship)?.property.name else { return false }
    let far = source.hierarchyNames(below: relationship.destinationEntityName)
      .filter { source[$0]?.isAbstract == false }.compactMap { entities.pair(source: $0) }
    return !far.isEmpty
      && far.allSatisfy { pair in
        guard let new = pair.destinationProperty(of: inverse)?.relationship else { return false }
        // Without an inverse, stores keep one owner for each object.
        return new.isPersistent
          && (!new.isToMany || !relationship.isToMany || destination.inverse(of: new) != nil)
      }
  }
}
