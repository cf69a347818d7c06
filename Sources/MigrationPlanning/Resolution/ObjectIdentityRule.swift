import ObjectModel

/// Which of the objects that a mapping makes of an object are that object itself, in the version behind it.
///
/// A mapping may make a Note of a Note, and a Tag besides. A Note of which it makes a Tag alone is gone. Names and
/// Renaming IDs say which entity goes on as which.
struct ObjectIdentityRule {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// Whether an entity of the destination, or one above it, is one of the source under its present name.
  func isSuccessor(_ made: String, of entity: String) -> Bool {
    guard let earlier = source[entity] else { return false }
    return ([made] + destination.ancestorNames(of: made)).contains { name in
      name == entity || destination[name]?.canonicalName == earlier.canonicalName
    }
  }

  /// Those of an entity's mappings that keep its objects.
  ///
  /// They are those that make the entity itself, and those that take only objects which none of these takes. Where
  /// nothing makes the entity itself, they are all.
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
