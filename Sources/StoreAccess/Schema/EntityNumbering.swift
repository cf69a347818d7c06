import ObjectModel

/// The numbers of a model's entities, and the two orders in which Core Data visits them.
struct EntityNumbering {
  /// The entities' names; the first has number 1.
  let names: [String]
  /// The number of each entity, from 1.
  let numbers: [String: Int]
  /// The place of each entity in the order that decides which side names a join table.
  let walk: [String: Int]
  /// The same order with names compared without regard to case; where the two disagree, the measured
  /// stores do not decide which is right.
  let walkIgnoringCase: [String: Int]

  init(model: ManagedObjectModel) {
    let order = SchemaName.precedesIgnoringCase
    let roots = model.entities.filter { $0.superentityName == nil }.map(\.name).sorted(by: order)
    // Depth first: each entity, then its subentities in order.
    var names: [String] = []
    var stack = Array(roots.reversed())
    while let name = stack.popLast() {
      names.append(name)
      stack += model.subentityNames(of: name).sorted(by: order).reversed()
    }
    self.names = names
    numbers = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset + 1) }
    )
    walk = Self.walk(model, by: ByteOrder.precedes)
    walkIgnoringCase = Self.walk(model, by: order)
  }

  /// Returns all entities by name, each right after those of its ancestors that were not yet met.
  private static func walk(
    _ model: ManagedObjectModel,
    by order: (String, String) -> Bool
  ) -> [String: Int] {
    var places: [String: Int] = [:]
    for name in model.entities.map(\.name).sorted(by: order) {
      for visited in model.ancestorNames(of: name).reversed() + [name]
      where places[visited] == nil {
        places[visited] = places.count
      }
    }
    return places
  }

  func number(_ name: String) -> Int { numbers[name] ?? 0 }

  /// Returns whether the first entity is met before the other; nil where that hangs on the case of names.
  func isSettled(_ first: String, before second: String) -> Bool? {
    guard let a = walk[first], let b = walk[second], let c = walkIgnoringCase[first],
      let d = walkIgnoringCase[second], first != second, (a < b) == (c < d)
    else { return nil }
    return a < b
  }

  /// Returns whether the first entity is met before the other as far as one can guess.
  func isProbable(_ first: String, before second: String) -> Bool {
    (walk[first] ?? 0) < (walk[second] ?? 0)
  }
}
