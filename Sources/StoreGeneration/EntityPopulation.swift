import StoreAccess

/// The objects that one end of a relationship can link, numbered from 0.
struct EntityPopulation: Hashable, Sendable {
  /// The objects of one entity: a run of keys.
  struct Part: Hashable, Sendable {
    let entityName: String
    let entityNumber: Int64
    let firstKey: Int64
    let count: Int
    /// The number of the first of them in the population.
    var offset = 0
  }

  let parts: [Part]
  let count: Int

  init(parts: [Part]) {
    var offset = 0
    self.parts = parts.map { part in
      var part = part
      part.offset = offset
      offset += part.count
      return part
    }
    count = offset
  }

  /// Returns the key and the entity's number of an object.
  func member(_ index: Int) -> (key: Int64, entity: Int64) {
    for part in parts where index < part.offset + part.count {
      return (part.firstKey + Int64(index - part.offset), part.entityNumber)
    }
    preconditionFailure("a population of \(count) has no member \(index)")
  }

  /// Returns the number of an entity's first object, or nil where its objects are not among these.
  func offset(of entityName: String) -> Int? {
    parts.first { $0.entityName == entityName }?.offset
  }
}
