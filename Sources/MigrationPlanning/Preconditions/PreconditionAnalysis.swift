import ObjectModel

/// An analysis of the questions that a step's mapping asks of the rows of its source version.
package struct PreconditionAnalysis {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let mapping: MappingModel
  /// The mappings by which rows become rows, in their order.
  let rows: [Row]

  /// A mapping of one entity's rows to rows of another.
  struct Row {
    let resolution: ResolvedEntityMapping

    var mapping: EntityMapping { resolution.mapping }
    var source: String { resolution.source }
    var destination: String { resolution.destination }

    /// Returns the rows and some of their values.
    func subject(_ values: [ValueOrigin]) -> Precondition.Subject {
      Precondition.Subject(
        source,
        values,
        predicates: mapping.sourcePredicate.map { [$0] } ?? [],
        isShared: !mapping.deduplicationKeys.isEmpty
      )
    }

    /// Returns the objects that the mapping makes of the rows, and some of their values.
    func made(_ values: [ValueOrigin]) -> Precondition.Subject {
      var subject = subject(values)
      subject.pieces = mapping.pieces
      return subject
    }

    /// Whether code gives the values.
    var hasPolicy: Bool { mapping.entityMigrationPolicyClassName != nil }

    /// Whether code, or a part of an object, gives the values.
    var isOpaque: Bool { hasPolicy || mapping.pieces != nil }

    /// Returns whether objects that agree in some properties are one object.
    func isShared(by names: [String]) -> Bool {
      !mapping.deduplicationKeys.isEmpty && mapping.deduplicationKeys.allSatisfy(names.contains)
    }

    /// Returns the source property that one of the destination carries, changed or not; nil for any
    /// other.
    func carried(_ property: String) -> String? {
      (resolution.attributes[property] ?? resolution.relationships[property])?
        .unchanged.carriedProperty
    }

    /// Returns whether a relationship is given the objects to which one of the source leads.
    func gives(_ relationship: String) -> Bool {
      !hasPolicy
        && resolution.requests.values.contains { $0.relationship == relationship }
    }

    /// Returns whether any property carries one of the source.
    func carries(_ property: String) -> Bool {
      resolution.attributes.keys.contains { carried($0) == property }
        || resolution.relationships.keys.contains { carried($0) == property }
    }
  }

  /// Analyses a mapping in its resolved form, which the run compiles, too.
  package init(_ mapping: ResolvedMapping) {
    self.mapping = mapping.mapping
    source = mapping.source
    destination = mapping.destination
    rows = mapping.entities.compactMap { entity in
      guard let entity, mapping.source[entity.source]?.isAbstract == false,
        mapping.destination[entity.destination] != nil
      else { return nil }
      return Row(resolution: entity)
    }
  }

  /// Returns all questions about the values and links that the mapping carries, by entity, property and
  /// code; then those about unique values.
  ///
  /// - Complexity: O(*p*) in the properties of the destination, inherited ones counted where they
  ///   recur.
  package func preconditions() -> [Precondition] {
    var gathered = Gathered()
    for row in rows {
      if destination[row.destination]?.isAbstract == true {
        gathered.add(.becomesAbstract, row.destination, nil, .noRows, row.subject([]))
      }
      askForReadable(row, &gathered)
      askForLookups(row, &gathered)
      askForWholeParts(row, &gathered)
      askForFilter(row, &gathered)
      guard !row.hasPolicy else { continue }
      for attribute in row.resolution.attributes.keys { ask(attribute, row, &gathered) }
      askForMissing(row, &gathered)
      guard row.mapping.pieces == nil else { continue }
      askForKept(row, &gathered)
      askForReturned(row, &gathered)
      askForOrder(row, &gathered)
      for name in row.resolution.given {
        guard let request = row.resolution.requests[name] else { continue }
        askLinks(name, request, row, &gathered)
        askForMerging(name, request, row, &gathered)
        askForRoom(name, request, row, &gathered)
      }
    }
    return gathered.sorted + uniquenessPreconditions()
  }

  /// A collection of questions, in which those that differ only in their subjects are one.
  struct Gathered {
    private struct Key: Hashable {
      let code: FindingCode
      let entity: String
      let property: String?
      let kind: Precondition.Kind
    }

    private var all: [Key: Precondition] = [:]

    mutating func add(
      _ code: FindingCode,
      _ entity: String,
      _ property: String?,
      _ kind: Precondition.Kind,
      _ subject: Precondition.Subject
    ) {
      let key = Key(code: code, entity: entity, property: property, kind: kind)
      all[
        key,
        default: Precondition(code, entity: entity, property: property, kind, [])
      ].subjects.append(subject)
    }

    var sorted: [Precondition] {
      all.values.sorted { left, right in
        if left.entity != right.entity { return ByteOrder.precedes(left.entity, right.entity) }
        if left.property != right.property {
          return ByteOrder.precedes(left.property ?? "", right.property ?? "")
        }
        if left.code != right.code { return left.code.rawValue < right.code.rawValue }
        return "\(left.kind)" < "\(right.kind)"
      }
    }
  }

  // MARK: Attributes

  private func ask(_ attribute: String, _ row: Row, _ gathered: inout Gathered) {
    askForComputed(attribute, row, &gathered)
    guard let name = row.carried(attribute), !row.resolution.derived.contains(attribute),
      let before = source.property(name, of: row.source)?.property.attribute,
      let declared = destination.property(attribute, of: row.destination),
      let after = declared.property.attribute
    else { return }
    let subject = row.made([.carried([name])])
    let entity = declared.entityName
    if before.isOptional || before.derivationExpression != nil, after.needsValue {
      gathered.add(.requiredWithoutDefault, entity, after.name, .present, subject)
    }
    let conversion = NumericConversion(
      source: before.attributeType,
      destination: after.attributeType
    )
    if before.attributeType != after.attributeType,
      after.attributeType.takesValues(of: before.attributeType)
    {
      let kind = Precondition.Kind.fits(from: before.attributeType, to: after.attributeType)
      // A wider type holds each number: only a value that is no number violates it.
      let code: FindingCode = conversion.isExact ? .unreadableValue : .typeNarrowed
      gathered.add(code, entity, after.name, kind, subject)
    }
    if before.attributeType == .transformable, after.attributeType == .transformable,
      before.valueTransformerName != after.valueTransformerName
    {
      gathered.add(.transformerChanged, entity, after.name, .noValues, subject)
    }
    if before.mayLieInFiles != after.mayLieInFiles {
      let kind = Precondition.Kind.filesPresent(isLeaving: before.mayLieInFiles)
      gathered.add(.externalStorageToggled, entity, after.name, kind, subject)
    }
  }

  /// Asks about required attributes to which nothing gives a value.
  private func askForMissing(_ row: Row, _ gathered: inout Gathered) {
    for declared in destination.properties(of: row.destination) {
      guard let attribute = declared.property.attribute, attribute.needsValue,
        row.resolution.attributes[attribute.name] == .nothing
      else { continue }
      // An authored mapping is found at the entity that it makes, not at the declaring one.
      gathered.add(
        .requiredWithoutDefault,
        row.destination,
        attribute.name,
        .noRows,
        row.made([])
      )
    }
  }

  // MARK: Relationships

  private func askLinks(
    _ relationship: String,
    _ carried: DestinationInstancesRequest,
    _ row: Row,
    _ gathered: inout Gathered
  ) {
    guard let name = carried.relationship,
      let before = source.property(name, of: row.source)?.property.relationship,
      before.isPersistent,
      let declared = destination.property(relationship, of: row.destination),
      let after = declared.property.relationship
    else { return }
    var subject = row.subject([.carried([name])])
    // The mapping of the objects decides too which links are carried.
    if let mapping = carried.mapping, !carriesAll(below: before.destinationEntityName, mapping) {
      subject.isShared = true
    }
    let entity = declared.entityName
    if before.isToMany, !after.isToMany {
      gathered.add(.becomesToOne, entity, after.name, .atMostOneLink, subject)
    }
    if before.isToMany, after.isToMany, before.isOrdered, !after.isOrdered {
      gathered.add(.becomesUnordered, entity, after.name, .atMostOneLink, subject)
    }
    if after.isTighter(than: before), let counts = after.validatedCounts {
      let kind = Precondition.Kind.linkCount(
        least: counts.least,
        greatest: counts.greatest,
        orNone: after.isOptional
      )
      gathered.add(.countsTightened, entity, after.name, kind, subject)
    }
    if destination.inverse(of: after) == nil, after.isToMany,
      RelationshipCardinality(before, in: source).isInverseToMany
    {
      // Stores keep one owner for each object that a to-many without an inverse leads to.
      gathered.add(.becomesToOne, entity, after.name, .noSharedObjects, subject)
    }
    if let inverse = newToOneInverse(of: after, carrying: before) {
      gathered.add(
        .becomesToOne,
        inverse.entityName,
        inverse.property.name,
        .noSharedObjects,
        subject
      )
    }
    if let inverse = destination.inverse(of: after),
      inverse.property.relationship?.isToMany == false,
      let admitted = admission(
        of: rows.prefix { $0.mapping != row.mapping }.filter {
          $0.source == row.source && $0.gives(name)
        }
      )
    {
      // An object becomes several, and what it is linked to is linked to one of them.
      var several = subject
      several.predicates += admitted
      gathered.add(
        .becomesToOne,
        inverse.entityName,
        inverse.property.name,
        .noLinks,
        several
      )
    }
    if !after.isToMany, carried.mapping == nil {
      let several = becomingSeveral(before.destinationEntityName, for: after)
      if !several.isEmpty {
        // The object at its end becomes several, and it leads to one of them.
        let kind = Precondition.Kind.noLinksTo(several, .leadsElsewhere)
        gathered.add(.becomesToOne, entity, after.name, kind, subject)
      }
    }
    let leaving = leaving(before.destinationEntityName, for: after, carried.mapping)
    if !leaving.isEmpty {
      let asked = row.subject([.carried([name])])
      let kind = Precondition.Kind.noLinksTo(leaving, .leadsElsewhere)
      gathered.add(.destinationChanged, entity, after.name, kind, asked)
    }
    let gone = dropped(below: before.destinationEntityName)
    if !gone.isEmpty {
      let isNeeded = !after.isToMany && after.leastCount > 0
      gathered.add(
        .linksDropped,
        entity,
        after.name,
        .noLinksTo(gone, isNeeded ? .neededTargetDropped : .targetDropped),
        row.subject([.carried([name])])
      )
    }
    if isOneSided(before, after) {
      let shape = RelationshipCardinality(after, in: destination)
      let asked = row.subject([.carried([name])])
      if !shape.isToMany {
        gathered.add(.inverseDisagrees, entity, after.name, .atMostOneLink, asked)
      }
      if !shape.isInverseToMany {
        gathered.add(.inverseDisagrees, entity, after.name, .noSharedObjects, asked)
      }
    }
    if let back = newInverse(of: after, carrying: before) {
      let kind = Precondition.Kind.sameLinks(entity: back.entity, property: back.property)
      gathered.add(.inverseChanged, entity, after.name, kind, subject)
    }
  }

  /// Returns the rows that become objects to which a relationship can lead.
  private func arrivals(
    of entity: String,
    for after: RelationshipDescription,
    _ mapping: String?
  ) -> [Row] {
    rows.filter { row in
      row.source == entity && destination.isKind(row.destination, of: after.destinationEntityName)
        && mapping.map { $0 == row.mapping.name } != false
    }
  }

  /// Returns the rows that live on, but only as objects to which a relationship cannot lead.
  private func leaving(
    _ entity: String,
    for after: RelationshipDescription,
    _ mapping: String?
  ) -> [Precondition.Subject] {
    source.hierarchyNames(below: entity).compactMap { name in
      let made = rows.filter { $0.source == name }
      let arriving = arrivals(of: name, for: after, mapping)
      let others = made.filter { row in !arriving.contains { $0.mapping == row.mapping } }
      guard !made.contains(where: \.hasPolicy),
        let taken = admission(of: others)
      else { return nil }
      switch admission(of: arriving) {
      case nil: return Precondition.Subject(name, predicates: taken)
      case []?: return nil
      case let admitted?:
        return Precondition.Subject(name, predicates: taken + [.not(.all(admitted))])
      }
    }
  }

  /// Returns the rows of an entity, and those below it, from which no objects are made; none where code
  /// may make objects of any.
  private func dropped(below entity: String) -> [Precondition.Subject] {
    guard mapping.policyNames.isEmpty else { return [] }
    return source.hierarchyNames(below: entity).compactMap { name in
      guard source[name]?.isAbstract == false else { return nil }
      let makers = rows.filter { $0.source == name }
      guard !makers.contains(where: \.isOpaque) else { return nil }
      switch admission(of: makers) {
      case nil: return Precondition.Subject(name)
      case []?: return nil
      case let admitted?: return Precondition.Subject(name, predicates: [.not(.all(admitted))])
      }
    }
  }

  /// Returns the rows that each become several objects to which a relationship can lead.
  private func becomingSeveral(
    _ entity: String,
    for after: RelationshipDescription
  ) -> [Precondition.Subject] {
    source.hierarchyNames(below: entity).flatMap { name -> [Precondition.Subject] in
      let arriving = arrivals(of: name, for: after, nil)
      return arriving.indices.dropFirst().compactMap { index in
        admission(of: Array(arriving[..<index])).map { admitted in
          let own = arriving[index].mapping.sourcePredicate.map { [$0] } ?? []
          return Precondition.Subject(name, predicates: own + admitted)
        }
      }
    }
  }

  /// Returns whether one entity mapping carries all objects of an entity, and those below it.
  func carriesAll(below entity: String, _ mapping: String) -> Bool {
    let concrete = source.hierarchyNames(below: entity).filter { source[$0]?.isAbstract == false }
    return concrete.allSatisfy { name in
      rows.contains {
        $0.source == name && $0.mapping.name == mapping && $0.mapping.sourcePredicate == nil
      }
    }
  }

  /// Returns the inverse of a relationship to which objects may have one link from now on, and had
  /// several; nil where it is carried itself, and asked about its own links.
  private func newToOneInverse(
    of after: RelationshipDescription,
    carrying before: RelationshipDescription
  ) -> ManagedObjectModel.DeclaredProperty? {
    guard let inverse = destination.inverse(of: after),
      inverse.property.relationship?.isToMany == false,
      RelationshipCardinality(before, in: source).isInverseToMany
    else { return nil }
    let entities = destination.hierarchyNames(below: inverse.entityName)
    let isCarried = rows.contains { row in
      entities.contains(row.destination) && !row.isOpaque
        && row.resolution.requests[inverse.property.name]?.relationship != nil
    }
    return isCarried ? nil : inverse
  }

  /// Returns whether a one-to-one is carried by one side alone: each side has keys of its own, and where
  /// the two disagree, the one that is kept may have no room for all links of both.
  func isOneSided(
    _ before: RelationshipDescription,
    _ after: RelationshipDescription
  ) -> Bool {
    guard RelationshipCardinality(before, in: source).isOneToOne,
      let other = source.inverse(of: before)
    else {
      return false
    }
    guard RelationshipCardinality(after, in: destination).isOneToOne,
      let inverse = destination.inverse(of: after)
    else { return true }
    return !rows.allSatisfy { row in
      !source.isKind(row.source, of: other.entityName)
        || !destination.isKind(row.destination, of: inverse.entityName)
        || row.resolution.requests[inverse.property.name]?.relationship == other.property.name
    }
  }

  /// Returns the relationship that becomes the inverse of another, where neither had one.
  private func newInverse(
    of after: RelationshipDescription,
    carrying before: RelationshipDescription
  ) -> (entity: String, property: String)? {
    guard source.inverse(of: before) == nil, let inverse = destination.inverse(of: after) else {
      return nil
    }
    let entities = destination.hierarchyNames(below: inverse.entityName)
    for row in rows where entities.contains(row.destination) {
      guard let name = row.carried(inverse.property.name),
        let declared = source.property(name, of: row.source),
        declared.property.relationship.flatMap({ source.inverse(of: $0) }) == nil
      else { continue }
      return (declared.entityName, name)
    }
    return nil
  }
}

extension AttributeDescription {
  /// Whether large values may be in files beside the store; the flag means nothing to other types.
  var mayLieInFiles: Bool {
    allowsExternalBinaryDataStorage && [.binary, .transformable].contains(attributeType)
  }

  /// Whether an object without a value of its own fails validation.
  package var needsValue: Bool {
    !isOptional && isPersistent && derivationExpression == nil && defaultValue == nil
  }
}

extension RelationshipDescription {
  /// The least number of links that validation accepts.
  ///
  /// A required to-many may be empty where its minimum is 0: stores that Core Data saved show it.
  var leastCount: Int32 { isOptional ? 0 : isToMany ? Swift.max(0, minCount) : 1 }
  /// The least number that it accepts of an object that has any.
  var leastCountOfSome: Int32 { isToMany ? Swift.max(1, minCount) : 1 }
  /// The greatest number of links that validation accepts.
  var greatestCount: Int32 { maxCount <= 0 ? .max : maxCount }

  /// Returns whether validation accepts fewer counts than it did.
  func isTighter(than old: RelationshipDescription) -> Bool {
    leastCount > old.leastCount || leastCountOfSome > old.leastCountOfSome
      || hasLowerLimit(than: old)
  }

  private func hasLowerLimit(than old: RelationshipDescription) -> Bool {
    isToMany && old.isToMany && greatestCount < old.greatestCount
  }

  /// Returns the limits on links that are tighter than an older version's, as the end of a sentence.
  func bounds(tighterThan old: RelationshipDescription) -> String {
    func links(_ count: Int32) -> String { count == 1 ? "1 link" : "\(count) links" }
    let least =
      leastCount > old.leastCount
      ? "needs at least \(links(leastCount))"
      : leastCountOfSome > old.leastCountOfSome
        ? "needs at least \(links(leastCountOfSome))\(isOptional ? ", or none," : "")" : nil
    let greatest = hasLowerLimit(than: old) ? "allows at most \(links(greatestCount))" : nil
    return [least, greatest].compactMap(\.self).joined(separator: " and ")
  }
}
