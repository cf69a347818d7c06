import ObjectModel

// Elements of composites are attributes; here is what is asked of the composite that they are in.
extension MappingInference {
  /// Adds findings on the composite attributes of two entities that match.
  ///
  /// Apple has composites take part in lightweight migrations wherever attributes do
  /// (*NSCompositeAttributeDescription*), but does not document the case of one that has other elements.
  mutating func checkComposites(of pair: EntityPair) {
    refuseOtherKinds(of: pair)
    for composite in pair.destination.composites where !composite.isTransient {
      guard let old = pair.counterpart(of: composite), !old.isTransient else {
        reportEmptyRows(composite, of: pair)
        continue
      }
      if old.isOptional, !composite.isOptional, hasRows(pair) { isExtended = true }
      let before = Self.members(of: old, pair.source)
      let after = Self.members(of: composite, pair.destination)
      if before != after { isExtended = true }
    }
  }

  /// Reports a new composite that rows must have and that nothing gives them.
  ///
  /// Its elements may be empty, so that no column refuses the rows; an app that expects a value cannot
  /// read them. Apple's documents have "adding an optional attribute" and one "with a default value" as
  /// lightweight, and a composite has no default of its own: measured on stores of a public app, the
  /// model that SwiftData makes of `var tags: Tags = Tags()` has none.
  private mutating func reportEmptyRows(_ composite: AttributeDescription, of pair: EntityPair) {
    guard !composite.isOptional, hasRows(pair),
      let declared = destination.declaredProperty(composite.name, of: pair.destination.name),
      let elements = destination.elements(of: composite),
      elements.allSatisfy({ $0.isOptional && $0.defaultValue == nil })
    else { return }
    isExtended = true
    collector.add(
      .attributeAdded,
      .warning,
      .additive,
      at: Finding.Place(entity: declared.entityName, property: composite.name),
      "\(isNew(declared, "and required")), with nothing for \(existingRows(declared)): the app may fail to "
        + "open the store, or to read these rows.",
      remedy: advice(" that gives them a value")
        + " In a version that has not shipped, make it optional."
    )
  }

  /// Returns the elements of a composite, by the facts that an app's stores depend on.
  private static func members(
    of composite: AttributeDescription,
    _ entity: PreparedEntity
  ) -> [[String]] {
    entity.properties.compactMap { declared in
      guard let element = declared.property.attribute,
        element.membership?.attributeName == composite.name
      else { return nil }
      let isOptional = element.membership?.isOptional == true
      return [element.ownName, "\(element.attributeType)", "\(isOptional)"]
    }
  }

  /// Refuses an attribute that becomes a composite under its name, or the reverse: Core Data sees one
  /// attribute of another type.
  private mutating func refuseOtherKinds(of pair: EntityPair) {
    func refuse(
      _ name: String,
      _ entity: String,
      from former: String,
      _ old: AttributeDescription,
      _ new: AttributeDescription
    ) {
      if old.unknownType ?? new.unknownType != nil {
        let words = { (one: AttributeDescription) in one.unknownType ?? "\(one.attributeType)" }
        collector.refuse(
          .unresolvedType,
          at: Finding.Place(entity: entity, property: name),
          "\(subject: "\(entity).\(name)") \(.changes) from \(words(old)) to \(words(new)), and what SwiftData "
            + "makes of the values is not known.",
          remedy:
            "If the app declares \(old.unknownType ?? new.unknownType ?? ""), let `models` name the folder "
            + "with that file too."
        )
        return
      }
      collector.refuse(
        .typeConverted,
        at: Finding.Place(entity: entity, property: name),
        Self.converting(
          "\(entity).\(name)",
          from: former,
          old.attributeType,
          new.attributeType
        ),
        remedy: advice(" that converts the values")
          + " In a version that has not shipped, give the new attribute another name."
      )
    }
    let (before, after) = (pair.source.composites, pair.destination.composites)
    for place in pair.dropped {
      guard let old = pair.source.properties[place].property.attribute, old.isPersistent,
        old.membership == nil,
        let new = after.first(where: { $0.canonicalName == old.canonicalName }),
        let entity = destination.declaredProperty(new.name, of: pair.destination.name)?.entityName
      else { continue }
      refuse(new.name, entity, from: old.name, old, new)
    }
    for (place, carry) in pair.carries.enumerated() where carry == nil {
      let declared = pair.destination.properties[place]
      guard let new = declared.property.attribute, new.isPersistent, new.membership == nil,
        let old = before.first(where: { $0.canonicalName == new.canonicalName })
      else { continue }
      refuse(new.name, declared.entityName, from: old.name, old, new)
    }
  }

  /// Returns whether rows that exist must have a value of a new attribute: an element that its composite
  /// wants must be there in all rows that have the composite.
  ///
  /// An app reported that Core Data refuses such an element as it refuses an attribute ("missing
  /// attribute values on mandatory destination attribute",
  /// laubengaier.com/posts/2023-11-swift-codable-swiftdata).
  func isRequired(_ attribute: AttributeDescription, in pair: EntityPair) -> Bool {
    guard let membership = attribute.membership, attribute.isOptional else {
      return !attribute.isOptional
    }
    return !membership.isOptional && isInCarried(attribute, in: pair)
  }

  /// Returns the end of a sentence on the default of a new element, which makes something of a composite
  /// that was nothing.
  func evenWhereEmpty(_ attribute: AttributeDescription, in pair: EntityPair) -> String {
    guard let membership = attribute.membership, isInCarried(attribute, in: pair) else { return "" }
    return ", even those without \(membership.attributeName)"
  }

  /// Returns whether an element's composite was there before.
  private func isInCarried(_ element: AttributeDescription, in pair: EntityPair) -> Bool {
    pair.destination.composites.contains { composite in
      composite.name == element.membership?.attributeName && pair.counterpart(of: composite) != nil
    }
  }

  /// Reports an element that its composite wants from now on, where the composite itself may be nothing.
  mutating func reportRequiredElement(
    _ new: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    guard let name = new.membership?.attributeName else { return }
    collector.add(
      .becomesRequired,
      .warning,
      .additive,
      at: Finding.Place(entity: declared.entityName, property: new.name),
      "\(subject: declared.place) becomes required in \(name), which may be empty. Rows with \(name) and "
        + "without it stay as they are, and fail validation when the app saves them.",
      remedy: "Let the app set it on these rows before it saves them. In a version that has not "
        + "shipped, keep it optional."
    )
  }
}

extension EntityPair {
  /// Returns the source's composite attribute that one of the destination was.
  fileprivate func counterpart(of composite: AttributeDescription) -> AttributeDescription? {
    source.composites.first { $0.canonicalName == composite.canonicalName }
      ?? source.composites.first {
        $0.name == composite.name || $0.name == composite.renamingIdentifier
      }
  }
}
