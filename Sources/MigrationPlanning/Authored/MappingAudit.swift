package import ObjectModel

/// What a mapping that people wrote does to the data, and what it forgets.
///
/// A policy is code, which may do what it likes with its objects: nothing is said of what a mapping
/// with one reads or leaves without a value, but that it has a policy.
package struct MappingAudit {
  private let mapping: MappingModel
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  /// What the mapping asks of rows, and how they become objects.
  private let deduction: PreconditionDeduction
  private var collector = FindingCollector()

  private init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    deduction = PreconditionDeduction(mapping, from: source, to: destination)
  }

  /// What the mapping does to the data, in byte order of entities and properties.
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
    audit.checkCarried()
    audit.checkSharing()
    return audit.collector.findings
  }

  /// The attributes of destination objects that the mapping gives no value, beyond those that
  /// ``findings(of:from:to:)`` tells of already.
  package static func uncoveredAttributes(
    of mapping: MappingModel,
    in destination: ManagedObjectModel
  ) -> [Finding] {
    var audit = MappingAudit(mapping, from: destination, to: destination)
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
          entity: entity.name,
          "No entity mapping carries the objects of \(entity.name): they are dropped.",
          remedy: "Add an entity mapping, if they are to live on."
        )
      } else if mappings.allSatisfy({ $0.sourcePredicate != nil }) {
        collector.add(
          .filteredObjects,
          .warning,
          .lossy,
          entity: entity.name,
          "Only objects of \(entity.name) that a filter admits are carried; all others are dropped.",
          remedy: "Make sure that the filters admit all that is to live on."
        )
      }
      if !deduction.doubled(entity.name).isEmpty {
        collector.add(
          .ambiguousMapping,
          .warning,
          .conditional,
          entity: entity.name,
          "Several entity mappings make objects of the same entity of \(entity.name): an object that "
            + "more than one of them takes is there several times afterwards.",
          remedy: "Keep one, or give them filters that exclude each other."
        )
      }
      if !mappings.isEmpty, mappings.allSatisfy({ $0.sourcePredicate != nil || $0.pieces != nil }),
        mappings.contains(where: { $0.pieces != nil })
      {
        collector.add(
          .filteredObjects,
          .warning,
          .lossy,
          entity: entity.name,
          "Only the parts of \(entity.name) become objects: an object without parts is dropped.",
          remedy: "Add an entity mapping that takes all objects, if they are to live on."
        )
      }
      if let merging = mappings.first(where: \.merges), let new = merging.destinationEntityName,
        !deduction.merging(entity.name).isEmpty
      {
        collector.add(
          .objectsMerged,
          .warning,
          .lossy,
          entity: entity.name,
          "Objects of \(entity.name) that agree in "
            + "\(merging.deduplicationKeys.joined(separator: " and ")) become one object of \(new), with the values "
            + "of the first of them.",
          remedy:
            "Make sure that they agree in all that is to live on, or add what tells them apart "
            + "to the keys."
        )
      }
    }
  }

  /// Whether a mapping of an ancestor might take the entity's objects: one whose policy fetches.
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
        let (who, risk): (String, Risk) =
          unread.predicates.isEmpty
          ? ("The mapping reads \(place) nowhere:", .lossy)
          : (
            "Mappings read \(place) of some objects only; of those that other mappings take",
            .conditional
          )
        switch declared.property {
        case .attribute(let attribute) where attribute.derivationExpression == nil:
          let isKey = deduction.isKey(name, of: entity.name)
          collector.add(
            .attributeDropped,
            .warning,
            risk,
            entity: entity.name,
            property: name,
            isKey && unread.predicates.isEmpty
              ? "The mapping reads \(place) only to look up objects: its values are dropped."
              : "\(who) its values are dropped.",
            remedy: isKey
              ? "Let the expression of an attribute read it, if its values are to live on."
              : "Let an expression read it, if its values are to live on."
          )
        case .relationship(let relationship):
          guard !isCarriedByInverse(relationship) else { continue }
          collector.add(
            .relationshipDropped,
            .warning,
            risk,
            entity: entity.name,
            property: name,
            unread.predicates.isEmpty
              ? "No relationship gets the links of \(place): they are dropped."
              : "\(who) its links are dropped.",
            remedy: "Let the expression of a relationship give them, if they are to live on."
          )
        case .attribute, .fetchedProperty: break
        }
      }
    }
  }

  /// Whether the other side carries the same links, of each entity that it may be of.
  private func isCarriedByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = source.inverse(of: relationship)?.property.name else { return false }
    let concrete = source.hierarchyNames(below: relationship.destinationEntityName)
      .filter { source[$0]?.isAbstract == false }
    return !concrete.isEmpty
      && concrete.allSatisfy { name in
        deduction.rows.contains { $0.source == name }
          && deduction.unread(inverse, of: name)?.predicates.isEmpty != true
      }
  }

  // MARK: - What is given

  /// The mappings of which objects come, without those whose policy may give any value.
  private var plainMappings: [(mapping: EntityMapping, entity: String)] {
    mapping.entityMappings.compactMap { mapping in
      guard mapping.sourceEntityName != nil, mapping.entityMigrationPolicyClassName == nil else {
        return nil
      }
      return mapping.destinationEntityName.map { (mapping, $0) }
    }
  }

  /// Whether a mapping gives an attribute a value; nothing, said in so many words, is none where one is
  /// required.
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
        collector.add(
          .requiredWithoutDefault,
          .error,
          .conditional,
          entity: entity,
          property: attribute.name,
          "\(mapping.name) gives the required \(entity).\(attribute.name) no value, and it has no "
            + "default: objects fail validation, if there are any.",
          remedy: "Give it a value expression, or a default in the model."
        )
      }
    }
  }

  /// What is carried as it is, and may not fit.
  private mutating func checkCarried() {
    for precondition in deduction.preconditions() {
      let place = precondition.place
      switch (precondition.code, precondition.kind) {
      case (.typeNarrowed, .fits(let from, let to)):
        let conversion = NumericConversion(source: from, destination: to)
        collector.add(
          .typeNarrowed,
          .warning,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "\(place) is carried from \(from) to \(to); a value survives if it "
            + "\(conversion.precondition).",
          remedy: "Make sure that the values fit, or convert them by an expression."
        )
      case (.becomesToOne, let kind):
        let condition =
          switch kind {
          case .noSharedObjects:
            "\(place) is a to-one; where the mapping carries two links to the same object, only one is "
              + "kept"
          case .noLinks, .noLinksTo:
            "\(place) is a to-one, and an object at one of its ends becomes several; only one of them "
              + "gets the link"
          default: "\(place) becomes a to-one; where an object has several links, only one is kept"
          }
        collector.add(
          .becomesToOne,
          .warning,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          condition + ".",
          remedy: "Correct the rows with the app first, or choose the link by a policy."
        )
      case (.destinationChanged, .noLinksTo(let rows)):
        collector.add(
          .destinationChanged,
          .warning,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "\(place) cannot lead to what becomes of \(rows.map(\.entity).joined(separator: " and ")): no object "
            + "may have such links.",
          remedy:
            "Let it lead to an entity above, or carry those links by a relationship of their own."
        )
      case (.requiredWithoutDefault, .found):
        collector.add(
          .requiredWithoutDefault,
          .warning,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "\(place) is required and looked up by a key; objects for which nothing is found fail "
            + "validation.",
          remedy: "Correct the keys with the app first."
        )
      case (.lookupFindsNothing, _):
        collector.add(
          .lookupFindsNothing,
          .note,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "\(place) is looked up by a key; it stays empty where nothing has the key.",
          remedy: "Correct the keys with the app first, if each is to find something."
        )
      case (.linksMerged, _):
        collector.add(
          .linksMerged,
          .note,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "The mapping makes one object of several at an end of \(place): links that lead from and "
            + "to the same objects then become one.",
          remedy: "Nothing needs to be done, if the objects are to be one."
        )
      case (.requiredWithoutDefault, .present):
        collector.add(
          .requiredWithoutDefault,
          .warning,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "\(place) is required and has no default value; objects without one fail "
            + "validation.",
          remedy: "Give rows without a value one by an expression."
        )
      case (.uniquenessAdded, _):
        collector.add(
          .uniquenessAdded,
          .warning,
          .conditional,
          entity: precondition.entity,
          property: precondition.property,
          "\(precondition.property ?? "") must be unique among the rows of "
            + "\(precondition.entity) from now on.",
          remedy: "Make sure that no two rows share them, or deduplicate by them."
        )
      default: break
      }
    }
  }

  /// Links that the rows alone do not give, and that may lead from several objects to one which holds one
  /// link: a run counts them, and refuses what has no room.
  private mutating func checkSharing() {
    for entity in deduction.rows.map(\.resolution)
    where entity.mapping.entityMigrationPolicyClassName == nil {
      for property in entity.mapping.relationshipMappings {
        guard let expression = property.valueExpression, expression != .constant(nil),
          let declared = destination.property(property.name, of: entity.destination),
          let relationship = declared.property.relationship,
          !LinkShape(relationship, in: destination).isInverseToMany
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
          entity: inverse?.entityName ?? declared.entityName,
          property: inverse?.property.name ?? property.name,
          "\(declared.place) is given by \(entity.mapping.name), and each object of \(end) holds one "
            + "such link; where two objects get the same one (\(reason)), the run stops.",
          remedy:
            "Make \(inverse.map(\.place) ?? declared.place) a to-many, or let the mapping give each "
            + "object one of its own."
        )
      }
    }
  }

  /// Whether what is asked for is of one object only, or is asked of the rows: what a single relationship
  /// leads to is.
  private func leadsToOwn(_ request: LinkRequest?, of entity: String) -> Bool {
    guard let request else { return false }
    if request.path.count < 2 { return true }
    var end = entity
    for name in request.path where !name.hasPrefix("@") {
      guard let relationship = source.property(name, of: end)?.property.relationship,
        !LinkShape(relationship, in: source).isInverseToMany
      else { return false }
      end = relationship.destinationEntityName
    }
    return true
  }

  private mutating func checkCoverage() {
    for (mapping, entity) in plainMappings {
      for attribute in destination.attributes(of: entity)
      where !attribute.isTransient && attribute.derivationExpression == nil {
        guard !isGiven(attribute, by: mapping) else { continue }
        collector.add(
          .uncoveredAttribute,
          attribute.needsValue ? .error : .warning,
          .additive,
          entity: entity,
          property: attribute.name,
          "\(mapping.name) gives \(entity).\(attribute.name) no value; it "
            + (attribute.needsValue
              ? "is required and has no default."
              : attribute.defaultValue == nil ? "stays empty." : "has its default."),
          remedy: "Give it a value expression, if it is to have one."
        )
      }
    }
  }
}

extension EntityMapping {
  /// Whether several objects of the source may become one, and nothing but the mapping says how.
  var merges: Bool {
    !deduplicationKeys.isEmpty && pieces == nil && entityMigrationPolicyClassName == nil
  }
}
