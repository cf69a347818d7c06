import ObjectModel

extension PreconditionAnalysis {
  /// Returns the conditions under which one of some mappings takes a row; nil where there is no mapping.
  func admission(of rows: [Row]) -> [Predicate]? {
    guard !rows.isEmpty else { return nil }
    let predicates = rows.compactMap(\.mapping.sourcePredicate)
    return predicates.count < rows.count ? [] : [.any(predicates)]
  }

  /// Returns the rows of an entity that live on without a property, because no mapping that takes them
  /// reads it; nil where there are none.
  ///
  /// Where mappings with filters read it, these are the rows that only others take.
  func unread(_ name: String, of entity: String) -> Precondition.Subject? {
    let makers = rows.filter { $0.source == entity }
    guard !makers.isEmpty else { return nil }
    let readers = makers.filter { reads(name, $0) }
    let subject = Precondition.Subject(entity, [.carried([name])])
    guard let admitted = admission(of: readers) else { return subject }
    let others = makers.filter { row in !readers.contains { $0.mapping == row.mapping } }
    guard !admitted.isEmpty, let taken = admission(of: others),
      // The others have no value.
      !readers.contains(where: { $0.mapping.sourcePredicate?.isPresence(of: name) == true })
    else { return nil }
    var some = subject
    some.predicates = taken + [.not(.all(admitted))]
    return some
  }

  /// Returns whether a relationship that carries another has room for fewer links at one of its ends.
  func losesRoom(_ name: String, of entity: String) -> Bool {
    guard let before = source.property(name, of: entity)?.property.relationship else {
      return false
    }
    let old = RelationshipCardinality(before, in: source)
    return rows.contains { row in
      guard row.source == entity else { return false }
      return row.resolution.given.contains { property in
        guard row.resolution.requests[property]?.relationship == name,
          let after = destination.property(property, of: row.destination)?.property.relationship
        else { return false }
        let new = RelationshipCardinality(after, in: destination)
        return old.isToMany && !new.isToMany || old.isInverseToMany && !new.isInverseToMany
      }
    }
  }

  /// Returns whether a relationship of a mapping of an entity looks its objects up by an attribute.
  func isKey(_ name: String, of entity: String) -> Bool {
    rows.contains { $0.source == entity && ReadSet($0.mapping).names.contains(name) }
  }

  /// Returns the rows of an entity that two mappings each make an object of the same entity from.
  func doubled(_ entity: String) -> [Precondition.Subject] {
    let makers = rows.filter { row in
      row.source == entity && !row.isOpaque && row.mapping.deduplicationKeys.isEmpty
    }
    return makers.indices.flatMap { index -> [Precondition.Subject] in
      makers[..<index].filter { $0.destination == makers[index].destination }.compactMap { first in
        let filters = [first.mapping, makers[index].mapping].compactMap(\.sourcePredicate)
        return Precondition.Subject(entity, predicates: filters)
      }
    }
  }

  private func reads(_ name: String, _ row: Row) -> Bool {
    let isLinked = source.property(name, of: row.source)?.property.relationship != nil
    let reads =
      isLinked ? ReadSet(linksOf: row.mapping) : ReadSet(valuesOf: row.mapping)
    return reads.readsAll || reads.names.contains(name)
  }
}

extension Predicate {
  /// Returns whether it asks of an object only that a property is there.
  fileprivate func isPresence(of name: String) -> Bool {
    guard case .comparison(let comparison) = self, comparison.relation == .notEqual,
      comparison.right == .constant(nil)
    else { return false }
    switch comparison.left {
    case .keyPath(.variable("source"), [name]), .keyPath(.evaluatedObject, [name]): return true
    default: return false
    }
  }
}
