import ObjectModel

extension MappingInference {
  /// Reports what becomes of the properties of two entities that match.
  mutating func checkProperties(of pair: EntityPair) {
    for ambiguity in pair.ambiguities { refuse(ambiguity, entity: pair.destination.name) }
    guard pair.ambiguities.isEmpty, isReported(pair) else { return }
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
      collector.refuse(
        .propertyKindChanged,
        entity: declared.entityName,
        property: new.name,
        "\(declared.place) was "
          + (new.attribute == nil
            ? "an attribute and is a relationship." : "a relationship and is an attribute."),
        remedy: "Give it another name, or write a mapping."
      )
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
        entity: new.entityName,
        property: new.property.name,
        "\(new.place) was named \(old.property.name)."
      )
    }
    if entities.counterpart(ofSource: old.entityName) != new.entityName {
      collector.add(
        .propertyMoved,
        .exact,
        entity: new.entityName,
        property: new.property.name,
        "\(new.place) was declared by \(old.entityName)."
      )
    }
    guard let basis else {
      collector.add(
        .inverseChanged,
        .warning,
        .exact,
        entity: new.entityName,
        property: new.property.name,
        "\(new.place) carries the links of \(old.property.name), because their inverses match; "
          + "its canonical name is another.",
        remedy: "Set its renaming identifier to \(old.property.canonicalName)."
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
        entity: declared.entityName,
        property: attribute.name,
        isComputed
          ? "\(declared.place) is new and computed from other values."
          : "\(declared.place) is new and derived; it stays empty until the app saves each object."
      )
    case .attribute(let attribute)
    where !attribute.isOptional && attribute.defaultValue == nil && hasRows(pair):
      collector.refuse(
        .requiredWithoutDefault,
        entity: declared.entityName,
        property: attribute.name,
        "\(declared.place) is new and required, without a default for rows that exist.",
        remedy: "Give it a default in the model, make it optional, or write a mapping."
      )
    case .attribute(let attribute):
      collector.add(
        .attributeAdded,
        .additive,
        entity: declared.entityName,
        property: attribute.name,
        "\(declared.place) is new"
          + (attribute.defaultValue == nil ? "." : "; rows that exist get the default value.")
      )
    case .relationship(let relationship):
      if !relationship.isOptional, !relationship.isToMany, hasRows(pair) { isExtended = true }
      collector.add(
        .relationshipAdded,
        relationship.isOptional ? .note : .warning,
        .additive,
        entity: declared.entityName,
        property: relationship.name,
        relationship.isOptional
          ? "\(declared.place) is new."
          : "\(declared.place) is new and required; rows that exist lead nowhere.",
        remedy: relationship.isOptional
          ? "Nothing needs to be done." : "Make it optional, or fill it before such rows are saved."
      )
    case .fetchedProperty: break
    }
  }

  /// Whether both versions store a property; reports one that becomes transient or stops to be.
  ///
  /// - Parameter contents: What rows have of the property: values or links.
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
        entity: declared.entityName,
        property: declared.property.name,
        "\(declared.place) was transient and is stored from now on."
      )
      reportAddition(declared, in: pair)
    } else if before, !after {
      collector.add(
        .transienceChanged,
        .warning,
        .lossy,
        entity: declared.entityName,
        property: declared.property.name,
        "\(declared.place) becomes transient, which drops its \(contents).",
        remedy: "Keep it persistent as long as its \(contents) matter."
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
        entity: entity,
        property: new.name,
        new.derivationExpression?.isComputed == true
          ? "\(declared.place) is computed from other values from now on."
          : "\(declared.place) is derived from now on; it stays empty until the app saves each object.",
        remedy: "Keep the attribute under another name if its values matter."
      )
      return
    }
    if old.derivationExpression != nil {
      isExtended = true
      collector.add(
        .derivationChanged,
        .exact,
        entity: entity,
        property: new.name,
        "\(declared.place) is no longer derived, and keeps the values that it has."
      )
    }
    checkType(old, new, declared)
    checkTransformer(old, new, declared)
    if old.isOptional || old.derivationExpression != nil, !new.isOptional, hasRows(pair) {
      checkRequirement(new, declared)
    }
    if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
      collector.add(
        .externalStorageToggled,
        .conditional,
        entity: entity,
        property: new.name,
        "Large values of \(declared.place) "
          + (new.allowsExternalBinaryDataStorage
            ? "may move into files beside the store."
            : "move from files beside the store into it."),
        remedy: "Keep the store together with its folder of external data."
      )
    }
  }

  private mutating func checkType(
    _ old: AttributeDescription,
    _ new: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    let (from, to) = (old.attributeType, new.attributeType)
    if from == to {
      guard to == .composite, members(old, of: source) != members(new, of: destination) else {
        return
      }
    } else if from.isNumeric, to.isNumeric {
      let conversion = NumericConversion(source: from, destination: to)
      collector.add(
        conversion.isExact ? .typeWidened : .typeNarrowed,
        conversion.isExact ? .note : .warning,
        conversion.isExact ? .exact : .conditional,
        entity: declared.entityName,
        property: new.name,
        "\(declared.place) changes from \(from) to \(to)"
          + (conversion.isExact ? "." : "; a value survives if it \(conversion.precondition)."),
        remedy: conversion.isExact
          ? "Nothing needs to be done." : "Make sure that the values fit, or keep the type."
      )
      return
    }
    collector.refuse(
      from == to ? .compositeChanged : .typeConverted,
      entity: declared.entityName,
      property: new.name,
      from == to
        ? "\(declared.place), a composite attribute, has other parts."
        : "\(declared.place) changes from \(from) to \(to), and nothing says how to convert its values.",
      remedy: "Give the new attribute another name, or write a mapping that converts the values."
    )
  }

  private func members(
    _ attribute: AttributeDescription,
    of model: ManagedObjectModel
  ) -> [AttributeDescription]? {
    model.composite(of: attribute)?.sortedAttributes
  }

  private mutating func checkRequirement(
    _ new: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    if new.defaultValue == nil {
      // Core Data refuses it whatever the rows hold.
      isExtended = true
      collector.add(
        .requiredWithoutDefault,
        .warning,
        .conditional,
        entity: declared.entityName,
        property: new.name,
        "\(declared.place) becomes required without a default. Core Data refuses this; Waystone can if "
          + "every row has a value.",
        remedy: "Give it a default in the model, keep it optional, or write a mapping."
      )
    } else {
      collector.add(
        .becomesRequired,
        .additive,
        entity: declared.entityName,
        property: new.name,
        "\(declared.place) becomes required; rows without a value get the default."
      )
    }
  }
}

extension ManagedObjectModel.DeclaredProperty {
  /// The property as messages name it.
  var place: String { "\(entityName).\(property.name)" }
}
