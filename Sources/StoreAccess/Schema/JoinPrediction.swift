import ObjectModel

/// A prediction of the tables of relationships that are to-many on both sides.
struct JoinPrediction {
  /// A pair of inverse to-many relationships, the one that names the table first.
  struct Pair {
    var master: PropertyReference
    /// Nil where the master is its own inverse.
    var other: PropertyReference?
    /// The ground for it; nil where the model decides.
    var settler: UnsettledName.Settler?

    var sides: [PropertyReference] { [master] + (other.map { [$0] } ?? []) }
  }

  /// A group of columns that would have one name, in the order in which they get numbers.
  struct Clash {
    var relationships: [PropertyReference]
    /// The sides that the model does not decide among.
    var open: Set<PropertyReference>
  }

  let model: ManagedObjectModel
  let numbering: EntityNumbering
  let names: JoinNames
  /// The pairs, in the order of their tables.
  let pairs: [Pair]
  /// The clashes, in no useful order.
  let clashes: [Clash]

  init(model: ManagedObjectModel, numbering: EntityNumbering, names: JoinNames) {
    self.model = model
    self.numbering = numbering
    self.names = names
    pairs = Self.pairs(model, numbering, names)
    clashes = Self.clashes(model, numbering, pairs)
  }

  /// Returns the inverse of a persistent to-many relationship where that is one too, and leads back.
  static func partner(
    of relationship: RelationshipDescription,
    in entity: String,
    model: ManagedObjectModel
  ) -> PropertyReference? {
    guard relationship.isPersistent, relationship.isToMany,
      let inverse = model.inverse(of: relationship),
      let back = inverse.property.relationship, back.isPersistent, back.isToMany,
      let again = model.inverse(of: back),
      again.entityName == entity, again.property.name == relationship.name
    else { return nil }
    return PropertyReference(entityName: inverse.entityName, propertyName: back.name)
  }

  private static func pairs(
    _ model: ManagedObjectModel,
    _ numbering: EntityNumbering,
    _ names: JoinNames
  ) -> [Pair] {
    var pairs: [Pair] = []
    var seen: Set<PropertyReference> = []
    for entity in numbering.names {
      for relationship in model[entity]?.relationships ?? [] {
        let side = PropertyReference(entityName: entity, propertyName: relationship.name)
        guard let partner = partner(of: relationship, in: entity, model: model),
          seen.insert(side).inserted
        else { continue }
        seen.insert(partner)
        pairs.append(pair(side, partner, numbering, names))
      }
    }
    return pairs.sorted {
      let (a, b) = (
        numbering.number($0.master.entityName), numbering.number($1.master.entityName)
      )
      return a == b
        ? ByteOrder.precedes($0.master.propertyName, $1.master.propertyName) : a < b
    }
  }

  private static func pair(
    _ first: PropertyReference,
    _ second: PropertyReference,
    _ numbering: EntityNumbering,
    _ names: JoinNames
  ) -> Pair {
    if first == second { return Pair(master: first) }
    if let isFirst = numbering.isSettled(first.entityName, before: second.entityName) {
      return Pair(master: isFirst ? first : second, other: isFirst ? second : first)
    }
    switch (names.masters[first], names.masters[second]) {
    case (let settler?, nil): return Pair(master: first, other: second, settler: settler)
    case (nil, let settler?): return Pair(master: second, other: first, settler: settler)
    // The carried name contradicts the sample, which is of the version itself.
    case (.sample?, let carried?) where carried != .sample:
      return Pair(master: first, other: second, settler: .sample)
    case (let carried?, .sample?) where carried != .sample:
      return Pair(master: second, other: first, settler: .sample)
    default: break
    }
    // The greater name is right a little more often than the lesser on the stores measured.
    let isFirst =
      first.entityName == second.entityName
      ? ByteOrder.precedes(second.propertyName, first.propertyName)
      : numbering.isProbable(first.entityName, before: second.entityName)
    return Pair(
      master: isFirst ? first : second,
      other: isFirst ? second : first,
      settler: .guess
    )
  }

  private static func clashes(
    _ model: ManagedObjectModel,
    _ numbering: EntityNumbering,
    _ pairs: [Pair]
  ) -> [Clash] {
    struct Holder: Hashable {
      var root: String
      var column: String
    }
    var masters: [PropertyReference: PropertyReference] = [:]
    var columns: [Holder: [PropertyReference]] = [:]
    for pair in pairs {
      for side in pair.sides {
        masters[side] = pair.master
        let target = side == pair.master ? pair.other ?? side : pair.master
        let holder = Holder(
          root: model.rootEntityName(of: target.entityName),
          column: baseName(side, target, numbering)
        )
        columns[holder, default: []].append(side)
      }
    }
    return columns.values.filter { $0.count > 1 }.map { sides in
      func entity(_ side: PropertyReference) -> String { masters[side]?.entityName ?? "" }
      let ordered = sides.sorted { first, second in
        let (a, b) = (entity(first), entity(second))
        if a != b { return numbering.isProbable(a, before: b) }
        let (c, d) = (masters[first], masters[second])
        return ByteOrder.precedes(c?.propertyName ?? "", d?.propertyName ?? "")
      }
      let open = sides.filter { side in
        sides.contains {
          $0 != side && numbering.isSettled(entity($0), before: entity(side)) == nil
        }
      }
      return Clash(relationships: ordered, open: Set(open))
    }
  }

  /// Returns the name of the column with the keys to which a relationship leads, before it is made unique.
  ///
  /// - Parameter target: The inverse, which the entity of those keys declares.
  static func baseName(
    _ side: PropertyReference,
    _ target: PropertyReference,
    _ numbering: EntityNumbering
  ) -> String {
    "Z_\(numbering.number(target.entityName))\(SchemaName.uppercased(side.propertyName))"
  }
}
