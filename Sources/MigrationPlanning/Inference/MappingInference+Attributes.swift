import ObjectModel

extension MappingInference {
  /// Adds findings on the properties of two entities that match.
  mutating func checkProperties(of pair: EntityPair) {
    for ambiguity in pair.ambiguities { refuse(ambiguity, entity: pair.destination.name) }
    guard pair.ambiguities.isEmpty, isReported(pair) else { return }
    checkComposites(of: pair)
    for place in pair.carries.indices {
      guard let carry = pair.carries[place] else {
        reportAddition(pair.destination.properties[place], in: pair)
        continue
      }
      if entities.isRegular, pair.isUnchanged(place, carry) { continue }
      let declared = pair.destination.properties[place]
      let old = pair.source.properties[carry.source]
      reportNames(old, declared, carry.basis)
      check(old.property, declared, carry.basis, in: pair)
    }
    if hasConstraints { checkConstraints(of: pair) }
  }

  private mutating func check(
    _ old: PropertyDescription,
    _ declared: ManagedObjectModel.DeclaredProperty,
    _ basis: CanonicalMatching.Basis?,
    in pair: EntityPair
  ) {
    switch (old, declared.property) {
    case (.attribute(let old), .attribute(let new)):
      check(old, new, as: declared, in: pair)
    case (.relationship(let old), .relationship(let new)):
      check(old, new, as: declared, basis, in: pair)
    case (let old, let new):
      guard old.isPersistent, new.isPersistent else {
        return reportAddition(declared, in: pair)
      }
      refuseKind(from: old, to: declared)
    }
  }

  private mutating func reportNames(
    _ old: ManagedObjectModel.DeclaredProperty,
    _ new: ManagedObjectModel.DeclaredProperty,
    _ basis: CanonicalMatching.Basis?
  ) {
    if old.property.name != new.property.name {
      collector.add(
        .propertyRenamed,
        .exact,
        at: Finding.Place(entity: new.entityName, property: new.property.name),
        "\(subject: new.place) \(.is) renamed from \(old.property.name)"
          + staying(old.property, new.property)
      )
    }
    if entities.counterpart(ofSource: old.entityName) != new.entityName {
      collector.add(
        .propertyMoved,
        .exact,
        at: Finding.Place(entity: new.entityName, property: new.property.name),
        "\(subject: new.place) \(.moves) from \(formerOwners(of: new)) to \(new.entityName)"
          + staying(old.property, new.property)
      )
    }
    guard let basis else {
      collector.add(
        .inverseChanged,
        .warning,
        .exact,
        at: Finding.Place(entity: new.entityName, property: new.property.name),
        "\(subject: new.place) \(.takes) the links of \(old.property.name), because their inverses match; no "
          + "\(framework.renamingIdentifier) says so.",
        remedy: identifying(
          "Set its \(mark: framework) to \"\(old.property.canonicalName)\""
        )
      )
      return
    }
    reportBasis(
      basis,
      entity: new.entityName,
      property: new.property.name,
      old: old.property.key,
      new: new.property.key
    )
  }

  /// Returns the entities that declared a property which moves, as sentences list them.
  private func formerOwners(of declared: ManagedObjectModel.DeclaredProperty) -> String {
    let owners = destination.hierarchyNames(below: declared.entityName).compactMap {
      entities.pair(destination: $0)?.declaredSource(of: declared.property.name)?.entityName
    }
    return Set(owners).filter { entities.counterpart(ofSource: $0) != declared.entityName }
      .sorted(by: ByteOrder.precedes).joined(separator: " and ")
  }

  /// Returns the end of a sentence on a carried property, which states that values stay where nothing
  /// else changes them.
  private func staying(_ old: PropertyDescription, _ new: PropertyDescription) -> Finding.Text {
    guard old.isPersistent, new.isPersistent else { return "." }
    if old.relationship != nil, new.relationship != nil { return "; \(.its) links stay." }
    guard let before = old.attribute, let after = new.attribute, after.derivationExpression == nil,
      before.attributeType == after.attributeType
    else { return "." }
    return "; \(.its) values stay."
  }

  /// Returns the beginning of a sentence on a property for which a pair has no values.
  ///
  /// - Parameter more: A further property of it, such as `and required`.
  func isNew(_ declared: ManagedObjectModel.DeclaredProperty, _ more: String? = nil) -> Finding.Text
  {
    let carriers = carriers(of: declared)
    let end = more.map { (carriers.isEmpty ? " " : ", ") + $0 } ?? ""
    if carriers.isEmpty { return "\(subject: declared.place) \(.is) new\(end)" }
    let rest = carriers.count > 3 ? " and \(carriers.count - 3) more" : ""
    return "\(subject: declared.place) \(.is) new for entities other than "
      + "\(carriers.prefix(3).joined(separator: ", "))\(rest)\(end)"
  }

  /// Returns the phrase for the rows to which a property is new by ``isNew(_:)``.
  func existingRows(_ declared: ManagedObjectModel.DeclaredProperty) -> String {
    carriers(of: declared).isEmpty ? "existing rows" : "their existing rows"
  }

  /// Returns the entities whose rows have values of the property before; none below another.
  private func carriers(of declared: ManagedObjectModel.DeclaredProperty) -> [String] {
    let names = destination.hierarchyNames(below: declared.entityName).filter { name in
      entities.pair(destination: name)?.sourceProperty(of: declared.property.name)?.isPersistent
        == true
    }
    return names.filter { name in destination[name]?.superentityName.map(names.contains) != true }
  }

  /// Reports a property of the destination for which the source has no values.
  mutating func reportAddition(
    _ declared: ManagedObjectModel.DeclaredProperty,
    in pair: EntityPair
  ) {
    guard declared.property.isPersistent else { return }
    switch declared.property {
    case .attribute(let attribute) where attribute.derivationExpression != nil:
      let isComputed = attribute.derivationExpression?.isComputed == true
      collector.add(
        .attributeAdded,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        isComputed
          ? "\(isNew(declared, "and computed from other values"))."
          : "\(isNew(declared, "and derived")); \(.itStays) empty until the app saves each object."
      )
    case .attribute(let attribute)
    where attribute.unknownType != nil && !attribute.hasComputedDefault && hasRows(pair)
      && isRequired(attribute, in: pair) && !isOfEmptyStore:
      collector.refuse(
        .unresolvedType,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        "\(isNew(declared, "and required")), of type \(attribute.unknownType ?? ""): what SwiftData gives "
          + "\(existingRows(declared)) is not known.",
        remedy: "In a version that has not shipped, make it optional."
      )
    case .attribute(let attribute) where attribute.hasComputedDefault && hasRows(pair):
      reportComputedDefault(of: attribute, declared, in: pair)
    case .attribute(let attribute)
    where isRequired(attribute, in: pair) && attribute.defaultValue == nil
      && !attribute.hasComputedDefault && hasRows(pair):
      let old = formerName(of: attribute.name, in: declared.entityName)
      guard !isOfEmptyStore else {
        reportMissingValue(of: attribute, declared)
        return
      }
      collector.refuse(
        .requiredWithoutDefault,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        "\(isNew(declared, "and required")), without a default: \(existingRows(declared)) have no value for \(.it)."
          + "\(old.map { " \(declared.entityName).\($0) is no longer in the model." } ?? "")",
        remedy: giving(
          attribute,
          unless: old.map { name in
            let old = pair.source.properties.first { $0.property.name == name }?.property
            return identifying(
              "Only if it holds the data of \(name), set its \(mark: framework) to "
                + "\"\(old.map { renamingIdentifier(for: $0, in: declared.entityName) } ?? name)\""
            )
          }
        )
      )
    case .attribute(let attribute)
    where attribute.attributeType == .uuid
      && attribute.defaultValue != nil && hasRows(pair):
      collector.add(
        .attributeAdded,
        .warning,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        "\(isNew(declared)); \(existingRows(declared)) all get one and the same UUID, the default.",
        remedy:
          "If it is to tell rows apart, let the app give each its own before it relies on that."
      )
    case .attribute(let attribute):
      collector.add(
        .attributeAdded,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        isNew(declared)
          + (attribute.defaultValue.map {
            "; \(existingRows(declared)) get \($0.defaultWords)\(evenWhereEmpty(attribute, in: pair))."
          } ?? ".")
      )
    case .relationship(let relationship):
      if !relationship.isOptional, !relationship.isToMany, hasRows(pair) { isExtended = true }
      let mayBeEmpty = relationship.leastCount == 0
      collector.add(
        .relationshipAdded,
        mayBeEmpty ? .note : .warning,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: relationship.name),
        mayBeEmpty
          ? "\(isNew(declared))."
          : "\(isNew(declared, "and required")); \(existingRows(declared)) have no links, and fail validation when the "
            + "app saves them.",
        remedy: mayBeEmpty
          ? "Nothing needs to be done."
          : "Let the app set it on these rows before it saves them. In a version that has not shipped, "
            + "make it optional."
      )
    case .fetchedProperty: break
    }
  }

  /// Returns the one property that is dropped and may be a new attribute's old name; nil where none or
  /// several are.
  private func formerName(of name: String, in entity: String) -> String? {
    let former = candidates.filter { $0.key.hasPrefix("\(entity).") && $0.value.contains(name) }
    guard former.count == 1 else { return nil }
    return former.keys.first.map { String($0.dropFirst(entity.count + 1)) }
  }

  /// Returns whether a refusal, on the one new name of a dropped property that is required, reports the
  /// drop, too.
  func isReportedByNewName(_ name: String, of entity: String, _ new: [String]) -> Bool {
    new.count == 1 && formerName(of: new[0], in: entity) == name
      && collector.hasRefused(.requiredWithoutDefault, entity: entity, property: new[0])
  }

  /// Returns whether both versions store a property; reports one that becomes transient or ceases to be.
  ///
  /// - Parameter contents: The word for the rows' share of the property: values or links.
  mutating func isStored(
    _ before: Bool,
    _ after: Bool,
    _ declared: ManagedObjectModel.DeclaredProperty,
    _ contents: String,
    in pair: EntityPair
  ) -> Bool {
    if !before, after {
      collector.add(
        .transienceChanged,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: declared.property.name),
        "\(subject: declared.place) \(.changes) from transient to stored."
      )
      reportAddition(declared, in: pair)
    } else if before, !after {
      collector.add(
        .transienceChanged,
        .warning,
        .lossy,
        at: Finding.Place(entity: declared.entityName, property: declared.property.name),
        "\(subject: declared.place) \(.becomes) transient; \(.its) \(contents) are dropped.",
        remedy: "In a version that has not shipped, keep it persistent if its \(contents) matter."
      )
    }
    return before && after
  }

  private mutating func check(
    _ old: AttributeDescription,
    _ new: AttributeDescription,
    as declared: ManagedObjectModel.DeclaredProperty,
    in pair: EntityPair
  ) {
    let entity = declared.entityName
    guard isStored(old.isPersistent, new.isPersistent, declared, "values", in: pair) else { return }
    if new.derivationExpression != nil {
      guard old.derivationExpression != new.derivationExpression else { return }
      isExtended = true
      collector.add(
        .derivationChanged,
        old.derivationExpression == nil ? .warning : .note,
        old.derivationExpression == nil ? .lossy : .additive,
        at: Finding.Place(entity: entity, property: new.name),
        (old.derivationExpression == nil
          ? "\(subject: declared.place) \(.becomes) derived: \(.its) stored values are dropped"
          : "\(subject: declared.place) \(.is) derived in another way")
          + (new.derivationExpression?.isComputed == true
            ? " and computed anew." : ", and \(.itStays) empty until the app saves each object."),
        remedy:
          "In a version that has not shipped, keep the attribute under another name if its values "
          + "matter."
      )
      return
    }
    if old.derivationExpression != nil {
      isExtended = true
      collector.add(
        .derivationChanged,
        .exact,
        at: Finding.Place(entity: entity, property: new.name),
        "\(subject: declared.place) \(.is) no longer derived; \(.its) values stay."
      )
    }
    checkType(old, new, declared)
    checkTransformer(old, new, declared)
    if old.isOptional || old.derivationExpression != nil, !new.isOptional, hasRows(pair) {
      checkRequirement(new, declared)
    } else if old.membership?.isOptional == true, new.membership?.isOptional == false {
      reportRequiredElement(new, declared)
    }
    if old.mayLieInFiles != new.mayLieInFiles {
      collector.addToggledStorage(
        at: Finding.Place(entity: entity, property: new.name),
        isLeaving: old.mayLieInFiles
      )
    }
  }

  private mutating func checkType(
    _ old: AttributeDescription,
    _ new: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    let (from, to) = (old.attributeType, new.attributeType)
    if old.unknownType != new.unknownType, !isOfEmptyStore {
      collector.refuse(
        .unresolvedType,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) \(.changes) from \(old.unknownType ?? "\(from)") to \(new.unknownType ?? "\(to)"), and "
          + "what SwiftData makes of the values is not known.",
        remedy: advice(" that converts the values")
          + " Or, in a version that has not shipped, keep the old type."
      )
      return
    }
    if from == to {
      guard to == .composite, members(old, of: source) != members(new, of: destination) else {
        return
      }
    } else if to.takesValues(of: from) {
      let conversion = NumericConversion(source: from, destination: to)
      collector.add(
        conversion.isExact ? .typeWidened : .typeNarrowed,
        conversion.isExact ? .note : .warning,
        conversion.isExact ? .exact : .conditional,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) \(.changes) from \(from) to \(to)"
          + (conversion.isExact ? "." : "; \(conversion.condition)."),
        remedy: conversion.isExact
          ? "Nothing needs to be done."
          : "Make sure that the values fit. In a version that has not shipped, keep the type.",
        change: conversion.isExact ? nil : "\(from) to \(to)"
      )
      return
    }
    collector.refuse(
      from == to ? .compositeChanged : .typeConverted,
      at: Finding.Place(entity: declared.entityName, property: new.name),
      from == to
        ? "\(subject: declared.place), a composite attribute, has other parts."
        : Self.converting(declared.place, from: old.name, from, to),
      remedy: advice(" that converts the values")
        + " Or, in a version that has not shipped, keep the old type."
    )
  }

  /// Returns the sentence on an attribute that gets another type, and perhaps another name, by a Renaming ID.
  static func converting(
    _ place: String,
    from name: String,
    _ old: AttributeType,
    _ new: AttributeType
  ) -> Finding.Text {
    let isRenamed = !place.hasSuffix(".\(name)")
    return
      "\(subject: place)\(isRenamed ? ", which was \(name)," : "") \(.changes) from \(old) to \(new); Core Data "
      + "cannot convert the values."
  }

  private func members(
    _ attribute: AttributeDescription,
    of model: ManagedObjectModel
  ) -> [AttributeDescription]? {
    model.composite(of: attribute)?.sortedAttributes
  }
}
