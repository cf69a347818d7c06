package import ObjectModel

/// An audit of an authored mapping: its effects on the data, and the properties that it forgets.
///
/// A policy is code, which may do anything with its objects. A mapping with one gets only the finding
/// that it has a policy; the audit does not check its reads, nor the properties that it leaves without a
/// value.
package struct MappingAudit {
  private let mapping: MappingModel
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  /// The mapping's preconditions, and the rows that become objects.
  let deduction: PreconditionAnalysis
  let collector = FindingCollector()

  private init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    deduction = PreconditionAnalysis(ResolvedMapping(mapping, from: source, to: destination))
  }

  /// Returns the effects of a mapping on the data, in byte order of entities and properties.
  ///
  /// - Complexity: O(*p*) in properties and the parts of expressions.
  package static func findings(
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [Finding] {
    var audit = MappingAudit(mapping, from: source, to: destination)
    audit.checkRows()
    audit.checkReads()
    audit.checkRequired()
    audit.checkCounts()
    audit.checkCarried()
    audit.checkSharing()
    return audit.collector.findings
  }

  /// Returns findings on destination attributes that the mapping gives no value, beyond those of
  /// ``findings(of:from:to:)``.
  ///
  /// A new attribute that is optional, or has a default, is meant to be so: a note.
  package static func uncoveredAttributes(
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [Finding] {
    var audit = MappingAudit(mapping, from: source, to: destination)
    audit.checkCoverage()
    return audit.collector.findings
  }

  // MARK: - Objects

  private mutating func checkRows() {
    for entity in source.entities where !entity.isAbstract {
      let mappings = mapping.mappings(fromSource: entity.name)
        .filter { $0.destinationEntityName != nil }
      if mappings.isEmpty {
        guard !isMappedAsParent(entity.name) else { continue }
        collector.add(
          .entityDropped,
          .warning,
          .lossy,
          at: Finding.Place(entity: entity.name),
          "\(subject: entity.name) \(.is) dropped with all \(.its) rows: no entity mapping takes them.",
          remedy: "If the rows must stay, add an entity mapping."
        )
      }
      let keeping = deduction.keeping(entity.name).map(\.mapping)
      if !keeping.isEmpty, keeping.allSatisfy({ $0.sourcePredicate != nil }) {
        collector.add(
          .filteredObjects,
          .warning,
          .lossy,
          at: Finding.Place(entity: entity.name),
          "\(subject: entity.name) \(.loses) all rows that no filter of the mapping admits.\(beside(entity.name))",
          remedy: "Make sure that the filters admit all rows that must stay."
        )
      }
      if !deduction.doubled(entity.name).isEmpty {
        collector.add(
          .ambiguousMapping,
          .warning,
          .conditional,
          at: Finding.Place(entity: entity.name),
          "\(subject: entity.name) \(.is) taken by several entity mappings that make the same entity: a row that more "
            + "than one of them takes becomes several objects.",
          remedy: "Keep one, or give them filters that exclude each other."
        )
      }
      if keeping.allSatisfy({ $0.sourcePredicate != nil || $0.pieces != nil }),
        keeping.contains(where: { $0.pieces != nil })
      {
        collector.add(
          .filteredObjects,
          .warning,
          .lossy,
          at: Finding.Place(entity: entity.name),
          "\(subject: entity.name) \(.is) split into parts: an object without parts is dropped.",
          remedy: "If such objects must stay, add an entity mapping that takes all of them."
        )
      }
      if let merging = mappings.first(where: \.merges), let new = merging.destinationEntityName,
        !deduction.merging(entity.name).isEmpty
      {
        collector.add(
          .objectsMerged,
          .warning,
          .lossy,
          at: Finding.Place(entity: entity.name),
          "\(subject: entity.name) objects that agree in "
            + "\(merging.deduplicationKeys.joined(separator: " and ")) become one object of \(new), with "
            + "the values of the first of them.",
          remedy:
            "Make sure that they agree in all values that must stay, or add what tells them apart to "
            + "the keys."
        )
      }
    }
  }

  /// Returns a sentence that names the other objects made of an entity's objects, which do not keep
  /// them; empty where there are none.
  private func beside(_ entity: String) -> String {
    let keeping = Set(deduction.keeping(entity).map(\.destination))
    let others = deduction.rows.filter { $0.source == entity }.map(\.destination)
      .filter { !keeping.contains($0) }
    guard !others.isEmpty else { return "" }
    let names = Set(others).sorted().joined(separator: " and ")
    return " Objects of \(names) that are made of them do not keep them."
  }

  /// Returns whether a mapping of an ancestor might take the entity's objects: one whose policy fetches.
  private func isMappedAsParent(_ name: String) -> Bool {
    source.ancestorNames(of: name).contains { ancestor in
      mapping.mappings(fromSource: ancestor).contains { $0.entityMigrationPolicyClassName != nil }
    }
  }

  // MARK: - What is read

  private mutating func checkReads() {
    for entity in source.entities where !entity.isAbstract {
      for declared in source.properties(of: entity.name) where declared.property.isPersistent {
        let name = declared.property.name
        guard let unread = deduction.unread(name, of: entity.name) else { continue }
        let place = "\(entity.name).\(name)"
        let (effect, risk): (Finding.Text, Risk) =
          unread.predicates.isEmpty
          ? ("\(subject: place) \(.is) dropped: the mapping does not read \(.it)", .lossy)
          : (
            "\(subject: place) \(.is) lost for some objects: their mapping does not read \(.it)",
            .conditional
          )
        switch declared.property {
        case .attribute(let attribute) where attribute.derivationExpression == nil:
          let isKey = deduction.isKey(name, of: entity.name)
          collector.add(
            .attributeDropped,
            .warning,
            risk,
            at: Finding.Place(entity: entity.name, property: name),
            effect + (isKey && unread.predicates.isEmpty ? " but to look up objects." : "."),
            remedy: "If its values must stay, read it in a value expression of each mapping of "
              + "\(entity.name)."
          )
        case .relationship(let relationship):
          guard !isCarriedByInverse(relationship) else { continue }
          let givesValues = deduction.rows.contains {
            $0.source == entity.name && ReadSet($0.mapping).names.contains(name)
          }
          collector.add(
            .relationshipDropped,
            .warning,
            risk,
            at: Finding.Place(entity: entity.name, property: name),
            givesValues && unread.predicates.isEmpty
              ? "\(subject: place) \(.is) dropped: the mapping reads values through \(.it), and keeps no link."
              : "\(effect).",
            remedy: "If its links must stay, read it in the expression of a relationship."
          )
        case .attribute, .fetchedProperty: break
        }
      }
    }
  }

  /// Returns whether the other side carries the same links, of each entity that it may be of, and has
  /// room for all.
  private func isCarriedByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = source.inverse(of: relationship)?.property.name else { return false }
    let concrete = source.hierarchyNames(below: relationship.destinationEntityName)
      .filter { source[$0]?.isAbstract == false }
    return !concrete.isEmpty
      && concrete.allSatisfy { name in
        deduction.rows.contains { $0.source == name }
          && deduction.unread(inverse, of: name)?.predicates.isEmpty != true
          && !deduction.losesRoom(inverse, of: name)
      }
  }

  // MARK: - What is given

  /// The mappings that make objects, without those whose policy may give any value.
  private var plainMappings: [(mapping: EntityMapping, entity: String)] {
    mapping.entityMappings.compactMap { mapping in
      guard mapping.sourceEntityName != nil, mapping.entityMigrationPolicyClassName == nil else {
        return nil
      }
      return mapping.destinationEntityName.map { (mapping, $0) }
    }
  }

  /// Returns whether a mapping gives an attribute a value; an explicit nil counts as none where a value
  /// is required.
  private func isGiven(_ attribute: AttributeDescription, by mapping: EntityMapping) -> Bool {
    mapping.attributeMappings.contains { property in
      property.name == attribute.name && property.valueExpression != nil
        && !(attribute.needsValue && property.valueExpression == .constant(nil))
    }
  }

  private mutating func checkRequired() {
    for (mapping, entity) in plainMappings {
      for attribute in destination.attributes(of: entity) where attribute.needsValue {
        guard !isGiven(attribute, by: mapping) else { continue }
        let place = Finding.Place(entity: entity, property: attribute.name)
        collector.add(
          .requiredWithoutDefault,
          .error,
          .conditional,
          at: place,
          "\(subject: "\(entity).\(attribute.name)") is required and without a default, and \(mapping.name) gives it no "
            + "value: objects fail validation.",
          remedy: giving(at: place)
        )
      }
    }
  }

  /// Adds findings on links that may lead from several objects to one which holds one link, where the
  /// rows alone do not give them: a run counts them, and refuses those without room.
  private mutating func checkSharing() {
    for entity in deduction.rows.map(\.resolution)
    where entity.mapping.entityMigrationPolicyClassName == nil {
      for property in entity.mapping.relationshipMappings {
        guard let expression = property.valueExpression, expression != .constant(nil),
          let declared = destination.property(property.name, of: entity.destination),
          let relationship = declared.property.relationship,
          !RelationshipCardinality(relationship, in: destination).isInverseToMany
        else { continue }
        let request = entity.requests[property.name]
        let end = relationship.destinationEntityName
        let merged = mapping.entityMappings.first { other in
          other.merges && request.map { $0.mapping == nil || $0.mapping == other.name } != false
            && other.destinationEntityName.map { destination.isKind($0, of: end) } == true
        }
        guard merged != nil || !leadsToOwn(request, of: entity.source) else { continue }
        let reason =
          merged.map { "\($0.name) makes one object of several" } ?? "an expression looks for it"
        let inverse = destination.inverse(of: relationship)
        collector.add(
          .becomesToOne,
          .warning,
          .conditional,
          at: Finding.Place(
            entity: inverse?.entityName ?? declared.entityName,
            property: inverse?.property.name ?? property.name
          ),
          "\(subject: declared.place) \(.is) given by \(entity.mapping.name), and each object of \(end) holds one "
            + "such link; where two objects get the same one (\(reason)), the run stops.",
          remedy:
            "Let the mapping give each object one of its own. In a version that has not shipped, make "
            + "\(inverse.map(\.place) ?? declared.place) to-many."
        )
      }
    }
  }

  /// Returns whether a request leads each object to objects that no other one leads to, by the
  /// declarations.
  ///
  /// A single relationship counts, because the rows decide it.
  private func leadsToOwn(_ request: DestinationInstancesRequest?, of entity: String) -> Bool {
    guard let request else { return false }
    if request.path.count < 2 { return true }
    var end = entity
    for name in request.path where !name.hasPrefix("@") {
      guard let relationship = source.property(name, of: end)?.property.relationship,
        !RelationshipCardinality(relationship, in: source).isInverseToMany
      else { return false }
      end = relationship.destinationEntityName
    }
    return true
  }

  /// Returns whether the objects that a mapping takes have had no attribute of the name or Renaming ID.
  private func isNew(
    _ attribute: AttributeDescription,
    of entity: String,
    madeBy mapping: EntityMapping
  ) -> Bool {
    guard let former = mapping.sourceEntityName, source[former] != nil else { return false }
    return !source.attributes(of: former).contains {
      [attribute.name, attribute.canonicalName].contains($0.name)
        || $0.canonicalName == attribute.canonicalName
    }
  }

  /// Returns the remedy for a required attribute that may lack a value.
  func giving(at place: Finding.Place) -> Finding.Text {
    let attribute = place.entity.flatMap { entity in
      place.property.flatMap { destination.property($0, of: entity)?.property.attribute }
    }
    let takesDefault =
      attribute.map { destination.framework.takesDefault($0.attributeType) } ?? true
    return takesDefault
      ? "Give it a value expression in the mapping, or a default in the model (no version hash changes)."
      : "Give it a value expression in the mapping."
  }

  private mutating func checkCoverage() {
    for (mapping, entity) in plainMappings {
      for attribute in destination.attributes(of: entity)
      where !attribute.isTransient && attribute.derivationExpression == nil {
        guard !isGiven(attribute, by: mapping) else { continue }
        let place = Finding.Place(entity: entity, property: attribute.name)
        collector.add(
          .uncoveredAttribute,
          attribute.needsValue
            ? .error : isNew(attribute, of: entity, madeBy: mapping) ? .note : .warning,
          .additive,
          at: place,
          "\(subject: "\(entity).\(attribute.name)") gets no value in the mapping"
            + (mapping.sourceEntityName.map { " of \($0)" } ?? "") + ": it "
            + (attribute.needsValue
              ? "is required and has no default."
              : attribute.defaultValue == nil ? "stays empty." : "gets its default."),
          remedy: attribute.needsValue
            ? giving(at: place) : "If it needs a value, write an expression for it."
        )
      }
    }
  }
}

extension EntityMapping {
  /// Whether several source objects may become one, with the mapping as the only rule for it.
  var merges: Bool {
    !deduplicationKeys.isEmpty && pieces == nil && entityMigrationPolicyClassName == nil
  }
}
