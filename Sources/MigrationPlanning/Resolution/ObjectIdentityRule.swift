import ObjectModel

/// A rule that decides which of the objects made of a source object continue it.
///
/// A mapping may make a Note of a Note, and a Tag besides. A Note that becomes only a Tag is gone. Names
/// and Renaming IDs decide which entity continues which.
struct ObjectIdentityRule {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// Returns whether an entity of the destination, or one above it, is one of the source under its
  /// present name.
  func isSuccessor(_ made: String, of entity: String) -> Bool {
    guard let earlier = source[entity] else { return false }
    return ([made] + destination.ancestorNames(of: made)).contains { name in
      name == entity || destination[name]?.canonicalName == earlier.canonicalName
    }
  }

  /// Returns the mappings of an entity that keep its objects.
  ///
  /// They are the mappings to the entity itself, and those that take only objects which none of these
  /// takes. Where no mapping leads to the entity itself, they are all mappings.
  ///
  /// - Parameters:
  ///   - made: The entity that a mapping makes.
  ///   - areExclusive: Whether no object is taken by both of two mappings.
  func keeping<Maker>(
    _ makers: [Maker],
    of entity: String,
    _ made: (Maker) -> String,
    areExclusive: (Maker, Maker) -> Bool
  ) -> [Maker] {
    let own = makers.filter { isSuccessor(made($0), of: entity) }
    guard !own.isEmpty else { return makers }
    return makers.filter { maker in
      isSuccessor(made(maker), of: entity) || own.allSatisfy { areExclusive($0, maker) }
    }
  }
}
