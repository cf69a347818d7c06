import ObjectModel

/// The disposition of an entity, attribute or relationship of the source.
struct SourceFate: Hashable {
  /// The disposition of a dropped item.
  static let dropped = SourceFate(kind: .dropped, to: [])

  /// The kind of the disposition.
  var kind: HopReconciliation.Fate
  /// `Entity`, or `Entity.property`, of the destination that has it.
  var to: [String]
}

/// The dispositions of all entities, attributes and relationships of a mapping's source: the inverse of
/// the origins in a normal form.
struct SourceDispositions {
  private let mapping: ComposedMapping
  /// Whether policies take part, which may read properties that no mapping reads.
  private let hasCode: Bool
  /// The origins that read the objects of each source entity, with the entities that they make.
  let readers: [String: [(entity: String, origin: ComposedMapping.Origin)]]

  /// Collects the dispositions under a mapping.
  ///
  /// - Complexity: O(*o*) in the origins. Each disposition costs one iteration over the values of the
  ///   origins that read its entity; that of a property that none of these reads, one over all.
  init(_ mapping: ComposedMapping, hasCode: Bool) {
    self.mapping = mapping
    self.hasCode = hasCode
    var readers: [String: [(entity: String, origin: ComposedMapping.Origin)]] = [:]
    for entity in mapping.origins.keys.sorted() {
      for origin in mapping.origins[entity] ?? [] {
        readers[origin.sourceEntityName, default: []].append((entity, origin))
      }
    }
    self.readers = readers
  }

  /// Returns the disposition of an entity's objects.
  func fate(of entity: String) -> SourceFate {
    let readers = readers[entity] ?? []
    let kind: HopReconciliation.Fate
    if !mapping.opaqueSteps.isEmpty || readers.contains(where: \.origin.isOfCode) {
      kind = .code
    } else if readers.isEmpty {
      kind = hasCode ? .code : .dropped
    } else {
      let whole = ObjectIdentityRule(source: mapping.source, destination: mapping.destination)
        .keeping(readers, of: entity, \.entity) { $0.origin.excludes($1.origin) }
        .map(\.origin).filter { $0.splits == nil }
      kind =
        whole.isEmpty
        ? .split
        : !whole.allSatisfy(\.isChoice)
          ? .carried : whole.allSatisfy(\.conditions.isEmpty) ? .merged : .chosen
    }
    return SourceFate(kind: kind, to: readers.map(\.entity))
  }

  /// Returns the disposition of an attribute's values, or a relationship's links.
  func fate(of name: String, in entity: String) -> SourceFate {
    var fate = SourceFate(kind: fate(of: entity).kind, to: [])
    var isCarried = false
    var isComputed = false
    var isUsed = false
    var isUnordered = false
    var isSplit = false
    var isCut = false
    var isChosen = true
    var isMerged = false
    for (destination, origin) in readers[entity] ?? [] {
      isSplit = isSplit || origin.splits?.contains(name) == true
      for (property, value) in origin.values where value.properties.contains(name) {
        fate.to.append("\(destination).\(property)")
        isChosen = isChosen && origin.isChoice
        if value.isCarried {
          isCarried = true
        } else if case .computed = value, !value.keeps(name) {
          isUsed = true
        } else if case .unordered = value {
          isUnordered = true
        } else if case .first = value {
          isCut = true
        } else {
          isComputed = true
        }
        isCut = isCut || value.isCut
        guard
          let new = mapping.destination.property(property, of: destination)?.property.relationship
        else { continue }
        let inverse = mapping.destination.inverse(of: new)?.property.relationship
        isCut = isCut || inverse?.isToMany == false && becomesSeveral(entity)
        // Objects that become one at an end which holds one link bring the same link several times.
        let targets = mapping.destination.hierarchyNames(below: new.destinationEntityName)
          .flatMap { mapping.origins[$0] ?? [] }
        let merging =
          (new.isToMany && inverse?.isToMany == false ? [] : [origin])
          + (new.isToMany || inverse?.isToMany == false ? targets : [])
        isMerged =
          isMerged
          || merging.contains { !$0.deduplicationKeys.isEmpty }
            && ([origin] + targets).allSatisfy(\.conditions.isEmpty)
      }
    }
    fate.to.sort()
    guard fate.kind != .code, fate.kind != .dropped else { return fate }
    if fate.to.isEmpty {
      fate.kind =
        isSplit
        ? .split
        : fateAtOtherEnd(of: name, in: entity)
          ?? (isReadElsewhere(name, of: entity) ? .used : hasCode ? .code : .dropped)
    } else if isUsed, !isCarried, !isComputed {
      fate.kind = .used
    } else if isComputed || isUsed {
      fate.kind = .computed
    } else if isUnordered {
      fate.kind = .unordered
    } else if isMerged, !isCut {
      fate.kind = .merged
    } else if isCut || isChosen || fate.kind == .split {
      fate.kind = .chosen
    } else {
      fate.kind = .carried
    }
    return fate
  }

  /// Returns whether an object of an entity may become several objects.
  func becomesSeveral(_ entity: String) -> Bool { readers[entity]?.count ?? 0 > 1 }

  /// Returns whether expressions of other objects read a property.
  private func isReadElsewhere(_ name: String, of entity: String) -> Bool {
    guard let declared = mapping.source.property(name, of: entity) else { return false }
    return mapping.origins.values.joined().contains { origin in
      origin.values.values.contains {
        $0.reads(declared, from: origin.sourceEntityName, in: mapping.source)
      }
    }
  }

  /// Returns the disposition of links that the inverse relationship carries; nil where it carries none.
  private func fateAtOtherEnd(of name: String, in entity: String) -> HopReconciliation.Fate? {
    guard let declared = mapping.source.property(name, of: entity),
      let relationship = declared.property.relationship
    else { return nil }
    let inverse = mapping.source.inverse(of: relationship)
    let values = mapping.origins.values.joined().flatMap { origin in
      origin.values.values.filter {
        $0.isOtherSide(of: declared, inverse, from: origin.sourceEntityName, mapping.source)
      }
    }
    if values.isEmpty { return nil }
    if values.contains(where: \.choosesLinks) { return .chosen }
    return relationship.isToMany && relationship.isOrdered ? .unordered : .computed
  }
}

extension ComposedMapping.Origin {
  /// Returns whether no object of the source meets the conditions of both.
  fileprivate func excludes(_ other: Self) -> Bool {
    conditions.contains { condition in
      other.conditions.contains {
        condition.inputs == $0.inputs && condition.predicate.excludes($0.predicate)
      }
    }
  }

  /// Whether only the run knows the resulting objects.
  var isOpaque: Bool { !opaqueSteps.isEmpty }

  /// Whether code decides the resulting objects.
  var isOfCode: Bool { isOpaque && splits == nil }

  /// Whether not every object of the source need become one of its own.
  var isChoice: Bool { !conditions.isEmpty || !deduplicationKeys.isEmpty }
}

extension ValueOrigin {
  /// Whether the value is a stored one as it is, or only converted or filled.
  fileprivate var isCarried: Bool {
    switch self {
    case .carried: true
    case .converted(let inner, _, _), .filled(let inner, _), .cut(let inner),
      .chosen(let inner, by: _), .without(let inner, _):
      inner.isCarried
    case .constant, .first, .unordered, .owners, .partly, .computed, .opaque: false
    }
  }

  /// Whether the other end may hold fewer links than come to it.
  fileprivate var isCut: Bool {
    switch self {
    case .cut: true
    case .chosen(let inner, by: _), .without(let inner, _): inner.isCut
    default: false
    }
  }
}
