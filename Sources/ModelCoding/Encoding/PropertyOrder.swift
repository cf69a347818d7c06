package import ObjectModel

/// The order in which Core Data's archives list an entity's properties.
///
/// It is the order of slots in a Foundation dictionary into which the properties were put in a
/// canonical order. Measured on 4,921 entities in stores of public apps; it carries no meaning, but
/// following it makes archives comparable with Apple's.
package enum PropertyOrder {
  /// The number of slots of a dictionary that holds up to so many entries.
  private static let sizes: [(capacity: Int, slots: Int)] = [
    (3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127), (118, 191), (155, 251),
    (237, 383), (390, 631),
  ]

  /// Returns the names of the entity's properties, own and inherited, in archived order.
  package static func names(of entityName: String, in model: ManagedObjectModel) -> [String] {
    let depths = model.ancestorNames(of: entityName).count
    let ancestors = [entityName] + model.ancestorNames(of: entityName)
    let keyed = model.declaredProperties(of: entityName).map { declared in
      // The topmost declaration of a property declared twice counts.
      let height = ancestors.lastIndex { model[$0]?.declares(declared.property.name) ?? false } ?? 0
      return (group(of: declared.property), depths - height, declared.property.name)
    }
    let canonical = keyed.sorted { left, right in
      if left.0 != right.0 { return left.0 < right.0 }
      if left.1 != right.1 { return left.1 < right.1 }
      return ByteOrder.precedes(left.2, right.2)
    }
    return slotOrder(canonical.map(\.2))
  }

  /// Returns the names in the order of the slots that they take, put in one after the other.
  static func slotOrder(_ names: [String]) -> [String] {
    guard let count = sizes.first(where: { names.count <= $0.capacity })?.slots else {
      // Larger dictionaries were never seen; their order is as good as another.
      return names
    }
    var slots = [String?](repeating: nil, count: count)
    for name in names {
      var slot = Int(FoundationHash.hash(name) % UInt64(count))
      while slots[slot] != nil { slot = (slot + 1) % count }
      slots[slot] = name
    }
    return slots.compactMap(\.self)
  }

  private static func group(of property: PropertyDescription) -> Int {
    switch property {
    case .attribute(let attribute): attribute.isTransient ? 1 : 0
    case .relationship(let relationship):
      (relationship.isToMany ? (relationship.isOrdered ? 4 : 3) : 2)
        + (relationship.isTransient ? 4 : 0)
    case .fetchedProperty: 5
    }
  }
}

extension EntityDescription {
  fileprivate func declares(_ name: String) -> Bool {
    attributes.contains { $0.name == name } || relationships.contains { $0.name == name }
      || fetchedProperties.contains { $0.name == name }
  }
}
