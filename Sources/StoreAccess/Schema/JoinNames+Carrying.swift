package import ObjectModel

extension JoinNames {
  /// Returns these choices of one version, as far as they hold in another.
  ///
  /// Core Data's choice follows from the properties of the entity that declares the naming
  /// relationship: it was never seen to change while they stay, and was seen to change when one was
  /// added. So a choice is carried where that entity has properties of the same names and kinds,
  /// and each to-one the same companion columns. Elsewhere the store's numbers are the better guess: one
  /// of framework 519 numbers its columns in the reverse of the order that a model predicts.
  ///
  /// Entities match by name, else by renaming identifier.
  package func carried(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> JoinNames {
    var result = JoinNames()
    let matches = Self.matches(from: source, to: destination)
    var carries: [String: Bool] = [:]
    func counterpart(_ reference: PropertyReference) -> (now: PropertyReference, isSame: Bool)? {
      guard let name = matches[reference.entityName] else { return nil }
      let isSame =
        carries[reference.entityName]
        ?? (Self.signature(of: reference.entityName, in: source)
          == Self.signature(of: name, in: destination))
      carries[reference.entityName] = isSame
      let there = destination.property(reference.propertyName, of: name)?.property.relationship
      guard there?.isToMany == true else { return nil }
      return (PropertyReference(entityName: name, propertyName: reference.propertyName), isSame)
    }
    for master in masters.keys {
      guard let (now, isSame) = counterpart(master), isSame else { continue }
      result.masters[now] = .unchangedPropertySet
    }
    let numbering = EntityNumbering(model: source)
    let before = JoinPrediction(model: source, numbering: numbering, names: self)
    for clash in before.clashes {
      // The numbers belong together: that all entities that take part have stayed makes them sure.
      let sides = clash.relationships
      let now = sides.compactMap(counterpart)
      let pairs = before.pairs.filter { pair in pair.sides.contains { sides.contains($0) } }
      guard now.count == sides.count, sides.allSatisfy({ suffixes[$0] != nil }) else { continue }
      let isSame =
        now.allSatisfy(\.isSame)
        && pairs.allSatisfy { counterpart($0.master)?.isSame == true }
      for (side, reference) in zip(sides, now) {
        guard let suffix = suffixes[side] else { continue }
        result.suffixes[reference.now] = Suffix(
          number: suffix.number,
          settler: isSame && suffix.settler != .guess ? .unchangedPropertySet : .guess
        )
      }
    }
    return result
  }

  /// Returns the destination's name of each source entity that it still has.
  private static func matches(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [String: String] {
    var names: [String: String] = [:]
    for entity in destination.entities {
      names[entity.canonicalName] = entity.name
    }
    var matches: [String: String] = [:]
    for entity in source.entities {
      let found = names[entity.canonicalName]
      matches[entity.name] = found ?? (destination[entity.name] == nil ? nil : entity.name)
    }
    return matches
  }

  /// Returns the features of an entity that Core Data's choice may depend on: the name and kind of each
  /// property, and the companion columns of each to-one.
  private static func signature(of entity: String, in model: ManagedObjectModel) -> [String] {
    model.properties(of: entity).map { declared in
      let name = declared.property.name
      let persistence = declared.property.isPersistent ? "stored" : "transient"
      guard let relationship = declared.property.relationship else {
        return "\(name) attribute \(persistence)"
      }
      let inverse = model.inverse(of: relationship)?.property.relationship
      return [
        name, persistence,
        relationship.isToMany ? "to-many" : "to-one",
        relationship.isOrdered ? "ordered" : "unordered",
        model.subentityNames(of: relationship.destinationEntityName).isEmpty ? "leaf" : "tree",
        inverse.map { "\($0.name) \($0.isToMany) \($0.isOrdered)" } ?? "no inverse",
      ].joined(separator: " ")
    }
  }
}
