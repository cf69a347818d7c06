import ObjectModel

/// As what the objects of an entity go on in a later version, as far as names and Renaming IDs say.
///
/// A mapping may make several objects of one. Where some of them are of the entity itself, the others stand
/// beside it: an object of which only these are made is gone.
struct EntitySuccession {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// Whether objects of an entity of the destination are what those of one of the source were.
  func isSuccessor(_ made: String, of entity: String) -> Bool {
    guard let earlier = source[entity] else { return false }
    return ([made] + destination.ancestorNames(of: made)).contains { name in
      name == entity || destination[name]?.canonicalName == earlier.canonicalName
    }
  }

  /// Those of which each object of an entity must have one to live on: what makes the entity itself, and all
  /// where nothing does.
  ///
  /// - Parameter made: The entity that each makes.
  func keeping<Maker>(
    _ makers: [Maker],
    of entity: String,
    _ made: (Maker) -> String?
  ) -> [Maker] {
    let own = makers.filter { made($0).map { isSuccessor($0, of: entity) } ?? false }
    return own.isEmpty ? makers : own
  }
}
