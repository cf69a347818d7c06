import ObjectModel

extension PreconditionAnalysis {
  /// Adds the questions whether the objects that a mapping looks up by a key exist.
  func askForLookups(_ row: Row, _ gathered: inout Gathered) {
    guard !row.hasPolicy else { return }
    for property in row.mapping.attributeMappings + row.mapping.relationshipMappings {
      guard let lookup = property.valueExpression?.lookup,
        let declared = destination.property(property.name, of: row.destination)?.property,
        declared.isPersistent
      else { continue }
      let isNeeded =
        declared.attribute?.needsValue ?? declared.relationship.map { $0.leastCount > 0 } ?? false
      let places = places(of: lookup)
      let wanted = wanted(by: lookup, row, places)
      gathered.add(
        isNeeded ? .requiredWithoutDefault : .lookupFindsNothing,
        row.destination,
        property.name,
        .found(places ?? [], isNeeded: isNeeded),
        row.subject([wanted])
      )
    }
  }

  /// Returns the places of the objects that a lookup reads, as rows of the source; nil where only the
  /// run knows.
  private func places(of lookup: ExpressionLookup) -> [Precondition.LookupPlace]? {
    if lookup.isOfSource {
      let value = lookup.path.count == 1 ? lookup.path[0] : nil
      let attribute = value.flatMap { source.property($0, of: lookup.entity)?.property.attribute }
      return [
        Precondition.LookupPlace(
          entity: lookup.entity,
          key: lookup.key,
          value: attribute?.isPersistent == true ? value : nil,
          isWithSubentities: true
        )
      ]
    }
    let makers = rows.filter { destination.isKind($0.destination, of: lookup.entity) }
    guard makers.allSatisfy({ !$0.isOpaque && $0.mapping.sourcePredicate == nil }) else {
      return nil
    }
    let places = makers.compactMap { row -> Precondition.LookupPlace? in
      guard let key = row.resolution.attributes[lookup.key]?.carriedProperty else { return nil }
      return Precondition.LookupPlace(
        entity: row.source,
        key: key,
        value: nil,
        isWithSubentities: false
      )
    }
    return places.count == makers.count ? places : nil
  }

  /// Returns the origin of the key by which a row looks up an object.
  private func wanted(
    by lookup: ExpressionLookup,
    _ row: Row,
    _ places: [Precondition.LookupPlace]?
  ) -> ValueOrigin {
    guard let places else { return .opaque("only the run knows what \(lookup.entity) becomes") }
    guard case .keyPath(.variable("source"), let path) = lookup.wanted, path.count == 1,
      let attribute = source.property(path[0], of: row.source)?.property.attribute,
      attribute.isPersistent
    else { return .opaque("only the run knows by which key an expression looks") }
    let areAlike = places.allSatisfy { place in
      let key = source.property(place.key, of: place.entity)?.property.attribute?.attributeType
      return key?.takesValues(of: attribute.attributeType) == true
    }
    return areAlike ? .carried(path) : .opaque("the key is of another type than the value")
  }

  /// Adds the question whether links of a relationship become one, because objects at their ends do.
  func askForMerging(
    _ relationship: String,
    _ carried: DestinationInstancesRequest,
    _ row: Row,
    _ gathered: inout Gathered
  ) {
    guard let name = carried.relationship,
      let before = source.property(name, of: row.source)?.property.relationship,
      before.isPersistent,
      let after = destination.property(relationship, of: row.destination)?.property.relationship
    else { return }
    let shape = RelationshipCardinality(after, in: destination)
    let targets = rows.filter { target in
      source.isKind(target.source, of: before.destinationEntityName)
        && destination.isKind(target.destination, of: after.destinationEntityName)
        && carried.mapping.map { $0 == target.mapping.name } != false
    }
    // An object with one link brings it once, however many objects become one at the other end.
    let others = shape.isToMany ? targets.filter { !$0.mapping.deduplicationKeys.isEmpty } : []
    let owners = row.mapping.deduplicationKeys.isEmpty || !shape.isInverseToMany ? [] : [row]
    guard !others.isEmpty || !owners.isEmpty else { return }
    // The two sides of a relationship have the same links, which are asked about once.
    if !owners.isEmpty, let inverse = source.inverse(of: before),
      targets.contains(where: { $0.gives(inverse.property.name) })
    {
      let own = "\(row.source).\(name)"
      guard !others.isEmpty, ByteOrder.precedes(own, inverse.place) else { return }
    }
    var subject = row.subject([.carried([name])])
    subject.isShared = false
    gathered.add(
      .linksMerged,
      row.source,
      name,
      .distinctLinks(owners: owners.map(merging), others: others.map(merging)),
      subject
    )
  }

  /// Adds the question whether objects that are made of several can hold all links of these, where each
  /// holds one.
  func askForRoom(
    _ relationship: String,
    _ carried: DestinationInstancesRequest,
    _ row: Row,
    _ gathered: inout Gathered
  ) {
    guard let name = carried.relationship,
      source.property(name, of: row.source)?.property.relationship?.isPersistent == true,
      let declared = destination.property(relationship, of: row.destination),
      let after = declared.property.relationship,
      !RelationshipCardinality(after, in: destination).isInverseToMany
    else { return }
    let others = rows.filter { target in
      target.mapping.merges
        && destination.isKind(target.destination, of: after.destinationEntityName)
        && carried.mapping.map { $0 == target.mapping.name } != false
    }
    guard !others.isEmpty else { return }
    let inverse = destination.inverse(of: after)
    var subject = row.subject([.carried([name])])
    subject.isShared = false
    gathered.add(
      .becomesToOne,
      inverse?.entityName ?? declared.entityName,
      inverse?.property.name ?? relationship,
      .room(
        owners: row.mapping.merges ? [merging(row)] : [],
        others: others.map(merging),
        isToOne: !after.isToMany
      ),
      subject
    )
  }

  /// Returns the rows that become one object where they agree in some values, with these values.
  private func merging(_ row: Row) -> Precondition.Subject {
    let keys = row.mapping.deduplicationKeys.map { key -> ValueOrigin in
      row.isOpaque
        ? .opaque("only the run knows which objects become one")
        : row.resolution.attributes[key] ?? .nothing
    }
    var subject = row.subject([.constant(.string(row.destination))] + keys)
    subject.isShared = false
    return subject
  }
}
