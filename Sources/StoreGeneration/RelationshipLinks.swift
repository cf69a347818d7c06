import ObjectModel
import StoreAccess

/// The links of every relationship of a generated store.
///
/// Both ends ask the same value, so that inverses agree.
struct RelationshipLinks {
  let model: ManagedObjectModel
  let seed: UInt64
  /// The objects of each concrete entity.
  let parts: [String: EntityPopulation.Part]
  /// Whether large values become files beside the store.
  var usesFiles = false

  /// A link of a row: the destination's key and entity, and its place in an ordered inverse's list.
  struct Destination {
    let key: Int64
    let entityNumber: Int64
    let rank: Int
  }

  /// The links of the rows of one entity through one relationship.
  struct Source {
    fileprivate enum Kind {
      case children(ChildAssignment)
      case firstOfPair(PairAssignment)
      case secondOfPair(PairAssignment)
    }

    fileprivate let kind: Kind
    fileprivate let offset: Int
    fileprivate let destinations: EntityPopulation

    /// Returns the destination of the entity's row at an index from 0.
    func destination(ofRow index: Int) -> Destination? {
      let index = index + offset
      let found: (index: Int, rank: Int)? =
        switch kind {
        case .children(let assignment): assignment.parent(of: index)
        case .firstOfPair(let pairs): pairs.partner(ofFirst: index).map { ($0, 0) }
        case .secondOfPair(let pairs): pairs.partner(ofSecond: index).map { ($0, 0) }
        }
      return found.map {
        let member = destinations.member($0.index)
        return Destination(key: member.key, entityNumber: member.entity, rank: $0.rank)
      }
    }
  }

  /// The links that a many-to-many table holds.
  struct Pairs {
    let owners: EntityPopulation
    let destinations: EntityPopulation
    let assignment: ManyToManyAssignment
  }

  private func population(below entityNames: [String]) -> EntityPopulation {
    EntityPopulation(
      parts: entityNames.compactMap { parts[$0] }.sorted {
        ($0.entityNumber, $0.firstKey) < ($1.entityNumber, $1.firstKey)
      }
    )
  }

  /// Returns the objects at both ends of a relationship: those whose class has it, and those to which it
  /// can lead and whose class has the inverse.
  private func ends(
    _ relationship: RelationshipDescription,
    declaredBy entityName: String,
    inverse: ManagedObjectModel.DeclaredProperty?
  ) -> (owners: EntityPopulation, destinations: EntityPopulation) {
    let (owners, destinations) = model.ends(
      of: relationship,
      declaredBy: entityName,
      inverse: inverse
    )
    return (population(below: owners), population(below: destinations))
  }

  private func numbers(_ entityName: String, _ name: String, _ part: String) -> SeededNumbers {
    SeededNumbers(seed: seed, "link", entityName, name, part)
  }

  private func persistentInverse(
    of relationship: RelationshipDescription
  ) -> ManagedObjectModel.DeclaredProperty? {
    model.inverse(of: relationship).flatMap { $0.property.isPersistent ? $0 : nil }
  }

  /// Returns the links of an entity's rows through a to-one relationship.
  ///
  /// - Parameter isUnique: Whether no two rows may share a destination.
  func toOne(
    _ relationship: RelationshipDescription,
    declaredBy entityName: String,
    from concreteName: String,
    isUnique: Bool
  ) -> Source? {
    let inverse = persistentInverse(of: relationship)
    let (owners, destinations) = ends(relationship, declaredBy: entityName, inverse: inverse)
    guard let offset = owners.offset(of: concreteName), destinations.count > 0 else { return nil }
    let isRequired = CountBounds(relationship).least > 0
    guard let inverse, let back = inverse.property.relationship, !back.isToMany else {
      var bounds = inverse?.property.relationship.map { CountBounds($0) } ?? CountBounds()
      if isUnique { bounds.greatest = 1 }
      let assignment = ChildAssignment(
        children: owners.count,
        parents: destinations.count,
        isRequired: isRequired && !isUnique,
        bounds: bounds,
        numbers: numbers(entityName, relationship.name, "children")
      )
      return Source(kind: .children(assignment), offset: offset, destinations: destinations)
    }
    if model.isOwnInverse(relationship, declaredBy: entityName) {
      let pairs = PairAssignment(
        count: owners.count,
        isRequired: isRequired,
        numbers: numbers(entityName, relationship.name, "pairs")
      )
      return Source(kind: .firstOfPair(pairs), offset: offset, destinations: destinations)
    }
    // The end that comes first by name counts as the first, for both ends alike.
    let ownName = [entityName, relationship.name]
    let otherName = [inverse.entityName, back.name]
    let isFirst = ownName.lexicographicallyPrecedes(otherName)
    let isBackRequired = CountBounds(back).least > 0
    let first = isFirst ? ownName : otherName
    let pairs = PairAssignment(
      firstCount: isFirst ? owners.count : destinations.count,
      secondCount: isFirst ? destinations.count : owners.count,
      isFirstRequired: isFirst ? isRequired : isBackRequired,
      isSecondRequired: isFirst ? isBackRequired : isRequired,
      numbers: (numbers(first[0], first[1], "first"), numbers(first[0], first[1], "second"))
    )
    return Source(
      kind: isFirst ? .firstOfPair(pairs) : .secondOfPair(pairs),
      offset: offset,
      destinations: destinations
    )
  }

  /// Returns the owners of an entity's rows in a to-many relationship that has no inverse.
  func oneSided(
    _ relationship: RelationshipDescription,
    declaredBy entityName: String,
    from concreteName: String
  ) -> Source? {
    let (owners, destinations) = ends(relationship, declaredBy: entityName, inverse: nil)
    guard let offset = destinations.offset(of: concreteName), owners.count > 0 else { return nil }
    let assignment = ChildAssignment(
      children: destinations.count,
      parents: owners.count,
      isRequired: false,
      bounds: CountBounds(relationship),
      numbers: numbers(entityName, relationship.name, "children")
    )
    return Source(kind: .children(assignment), offset: offset, destinations: owners)
  }

  /// Returns the links of a many-to-many table, seen from its master.
  func manyToMany(_ table: JoinTable) -> Pairs? {
    guard
      let relationship = model.property(
        table.master.propertyName,
        of: table.master.entityName
      )?.property.relationship
    else { return nil }
    let inverse = model.inverse(of: relationship)
    let (owners, destinations) = ends(
      relationship,
      declaredBy: table.master.entityName,
      inverse: inverse
    )
    let (entityName, name) = (table.master.entityName, table.master.propertyName)
    return Pairs(
      owners: owners,
      destinations: destinations,
      assignment: ManyToManyAssignment(
        firstCount: owners.count,
        secondCount: destinations.count,
        firstBounds: CountBounds(relationship),
        secondBounds: inverse?.property.relationship.map { CountBounds($0) } ?? CountBounds(),
        numbers: (numbers(entityName, name, "large"), numbers(entityName, name, "small"))
      )
    )
  }

  /// Returns the partners of a population in a many-to-many relationship that is its own inverse.
  func reflexive(_ table: JoinTable) -> (population: EntityPopulation, circle: CircleAssignment)? {
    guard let pairs = manyToMany(table) else { return nil }
    let relationship = model.property(table.master.propertyName, of: table.master.entityName)?
      .property.relationship
    let assignment = CircleAssignment(
      count: pairs.owners.count,
      bounds: relationship.map { CountBounds($0) } ?? CountBounds(),
      numbers: numbers(table.master.entityName, table.master.propertyName, "pairs")
    )
    return (pairs.owners, assignment)
  }
}

extension ManagedObjectModel {
  /// Returns the entities at both ends of a relationship: those whose class has it, and those to which
  /// it can lead and whose class has the inverse.
  func ends(
    of relationship: RelationshipDescription,
    declaredBy entityName: String,
    inverse: DeclaredProperty?
  ) -> (owners: [String], destinations: [String]) {
    let owners = hierarchyNames(below: entityName)
    let destinations = hierarchyNames(below: relationship.destinationEntityName)
    guard let inverse, let back = inverse.property.relationship else {
      return (owners, destinations)
    }
    return (
      owners.filter { isKind($0, of: back.destinationEntityName) },
      destinations.filter { isKind($0, of: inverse.entityName) }
    )
  }
}
