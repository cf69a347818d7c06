package import ObjectModel

extension PreconditionAnalysis {
  /// Returns the questions that decide a finding of the step; empty where no row decides it.
  ///
  /// - Parameters:
  ///   - preconditions: All results of ``preconditions()``.
  ///   - isAuthored: Whether the mapping is authored; its findings name source entities.
  package func preconditions(
    of finding: Finding,
    among preconditions: [Precondition],
    isAuthored: Bool
  ) -> [Precondition] {
    guard let entity = finding.place.entity, finding.risk.map({ $0 >= .conditional }) == true else {
      return []
    }
    let own = preconditions.filter {
      guard $0.code == finding.code, $0.property == finding.place.property else { return false }
      // Inference reports at the entity that declares an attribute, once for all that have no value for it.
      return $0.entity == entity
        || !isAuthored && $0.kind == .noRows && destination.isKind($0.entity, of: entity)
    }
    if !own.isEmpty { return own }
    if finding.code == .objectsMerged { return merging(entity) }
    let subjects: [Precondition.Subject]
    let property = finding.place.property
    switch finding.code {
    case .entityDropped: subjects = source[entity] == nil ? [] : [Precondition.Subject(entity)]
    case .suspectedRename where property == nil: subjects = [Precondition.Subject(entity)]
    case .ambiguousMapping: subjects = doubled(entity)
    case .filteredObjects:
      let keeping = keeping(entity)
      guard !keeping.contains(where: { $0.mapping.pieces != nil }) else {
        return partless(entity, keeping)
      }
      subjects = [unfiltered(entity)]
    case let code where code.has(.emptiedProperty):
      subjects = property.map { dropped($0, of: entity, finding.code, isAuthored) } ?? []
    default: subjects = []
    }
    guard let first = subjects.first else {
      // An abstract entity has no rows of its own.
      return concernsNoRow(entity) && !isAuthored
        ? [Precondition(finding.code, entity: entity, property: property, .noRows, [])] : []
    }
    let kind: Precondition.Kind
    if let name = first.values.first?.carriedProperty {
      let isLinked = source.property(name, of: first.entity)?.property.relationship != nil
      kind = isLinked ? .noLinks : .noValues
    } else {
      kind = finding.code == .filteredObjects ? .noneLeftOut : .noRows
    }
    return [Precondition(finding.code, entity: entity, property: property, kind, subjects)]
  }

  /// Returns whether no row of the source becomes one of an entity or below it.
  private func concernsNoRow(_ entity: String) -> Bool {
    guard destination[entity] != nil else { return false }
    let below = Set(destination.hierarchyNames(below: entity))
    return !rows.contains { below.contains($0.destination) }
  }

  /// Returns the rows that no filter of a mapping admits which keeps them.
  private func unfiltered(_ entity: String) -> Precondition.Subject {
    let predicates = keeping(entity).compactMap(\.mapping.sourcePredicate)
    return Precondition.Subject(entity, predicates: [.not(.any(predicates))])
  }

  /// Returns the question for the objects without a part; none where the parts are no stored text, or where
  /// several mappings keep the entity's objects: only the run finds those.
  private func partless(_ entity: String, _ keeping: [Row]) -> [Precondition] {
    guard keeping.count == 1, let row = keeping.first, row.mapping.sourcePredicate == nil,
      let pieces = row.mapping.pieces, let separator = pieces.separator,
      let name = ValueOrigin(pieces.value.ofSource).carriedProperty,
      source.property(name, of: entity)?.property.attribute?.isPersistent == true
    else { return [] }
    return [
      Precondition(
        .filteredObjects,
        entity: entity,
        property: nil,
        .hasParts(separator: separator, trimsBlanks: pieces.trimsBlanks),
        [row.subject([.carried([name])])]
      )
    ]
  }

  /// Returns the mappings that keep the objects of an entity; each object needs one of them to live on.
  func keeping(_ entity: String) -> [Row] {
    ObjectIdentityRule(source: source, destination: destination)
      .keeping(rows.filter { $0.source == entity }, of: entity, \.destination) { first, second in
        guard let one = first.mapping.sourcePredicate, let other = second.mapping.sourcePredicate
        else { return false }
        return one.excludes(other)
      }
  }

  /// Returns the questions whether rows that become one object have the same values, for any mappings
  /// that make it.
  ///
  /// There are none where no mapping carries any value besides the keys.
  func merging(_ entity: String) -> [Precondition] {
    var reported: Set<String> = []
    return rows.filter {
      $0.source == entity && $0.mapping.merges && reported.insert($0.destination).inserted
    }
    .compactMap { row in
      let keys = row.mapping.deduplicationKeys
      let makers = rows.filter { $0.destination == row.destination && !$0.isOpaque }
      let all = makers.map { values(keptOf: $0, besides: keys) }
      let names = Set(all.flatMap(\.keys)).sorted(by: ByteOrder.precedes)
      guard !names.isEmpty else { return nil }
      let subjects = zip(makers, all).map { maker, values in
        let key = keys.map { maker.resolution.attributes[$0] ?? .nothing }
        var subject = maker.subject(key + names.map { values[$0] ?? .nothing })
        subject.isShared = false
        return subject
      }
      return Precondition(.objectsMerged, entity: entity, .alike(keys: keys.count), subjects)
    }
  }

  /// Returns the values, and keys of to-one links, that an object made of several rows has of one of
  /// them, by name.
  private func values(keptOf row: Row, besides keys: [String]) -> [String: ValueOrigin] {
    let attributes = row.resolution.attributes.filter { name, value in
      value != .nothing && !keys.contains(name) && !row.resolution.derived.contains(name)
    }
    let links = row.resolution.relationships.compactMapValues { value -> ValueOrigin? in
      guard let name = value.unchanged.carriedProperty,
        let relationship = source.property(name, of: row.source)?.property.relationship,
        !relationship.isToMany
      else { return nil }
      return .carried([name])
    }
    return attributes.merging(links) { first, _ in first }
  }

  /// Returns the rows that lose a property by a finding of the step.
  private func dropped(
    _ property: String,
    of entity: String,
    _ code: FindingCode,
    _ isAuthored: Bool
  ) -> [Precondition.Subject] {
    if isAuthored {
      guard source.property(property, of: entity)?.property.isPersistent == true else { return [] }
      return [unread(property, of: entity) ?? Precondition.Subject(entity, [.carried([property])])]
    }
    let reported =
      losesApart(property, of: entity, code)
      ? [entity] : Set(destination.hierarchyNames(below: entity))
    return rows.filter { reported.contains($0.destination) }.compactMap { row in
      guard code.has(.drop) else {
        return matched(property, row).map { row.subject([.carried([$0])]) }
      }
      let isLink = code == .relationshipDropped
      let name = lost(property, row) ?? (isLink ? leftAlone(property, row) : nil)
      return name.map { row.subject([.carried([$0])]) }
    }
  }

  /// Returns whether each entity below another has a finding of its own on the loss of a property.
  ///
  /// Some that have inherited the property carry it, or the entity that declares it keeps it, or not at
  /// all.
  private func losesApart(_ property: String, of entity: String, _ code: FindingCode) -> Bool {
    guard code.has(.drop),
      let row = rows.first(where: { destination.isKind($0.destination, of: entity) }),
      let declared = source.property(property, of: row.source)
    else { return false }
    let isCarried = rows.contains { other in
      source.isKind(other.source, of: declared.entityName) && other.carries(property)
    }
    let successor = mapping.mappings(fromSource: declared.entityName)
      .compactMap(\.destinationEntityName).first
    return isCarried
      || successor.map { name in
        destination.properties(of: name).contains {
          $0.property.isPersistent && $0.property.canonicalName == declared.property.canonicalName
        }
      } ?? true
  }

  /// Returns a property of the source, if nothing carries it.
  private func lost(_ name: String, _ row: Row) -> String? {
    source.property(name, of: row.source)?.property.isPersistent == true && !row.carries(name)
      ? name : nil
  }

  /// Returns the source relationship that one of the destination carries, where it leads to nothing that
  /// lives on.
  private func leftAlone(_ name: String, _ row: Row) -> String? {
    guard let carried = row.carried(name),
      let relationship = source.property(carried, of: row.source)?.property.relationship,
      leadsNowhere(relationship)
    else { return nil }
    return carried
  }

  /// Returns the source property that becomes one of the destination, which keeps none of its values.
  private func matched(_ name: String, _ row: Row) -> String? {
    if let carried = row.carried(name) { return carried }
    guard let new = destination.property(name, of: row.destination)?.property else { return nil }
    let candidates = source.properties(of: row.source).map(\.property).filter {
      $0.isPersistent && !row.carries($0.name)
    }
    return
      (candidates.first { $0.canonicalName == new.canonicalName }
      ?? candidates.first { $0.name == name })?.name
  }

  /// Returns whether all objects that a relationship led to are dropped.
  private func leadsNowhere(_ relationship: RelationshipDescription) -> Bool {
    let targets = Set(source.hierarchyNames(below: relationship.destinationEntityName))
    return !rows.contains { targets.contains($0.source) }
  }
}
