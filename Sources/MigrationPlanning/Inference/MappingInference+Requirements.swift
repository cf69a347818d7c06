import ObjectModel

extension MappingInference {
  /// Reports a required attribute for which rows would have no value, of a store that has none.
  mutating func reportMissingValue(
    of attribute: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    // Apple documents that Core Data refuses it, and not that it asks whether there are rows.
    isExtended = true
    collector.add(
      .requiredWithoutDefault,
      .warning,
      .conditional,
      at: Finding.Place(entity: declared.entityName, property: attribute.name),
      "\(isNew(declared, "and required")), without a default: Waystone migrates \(.it) only in a store without rows.",
      remedy: giving(attribute)
    )
  }

  /// Reports a default that the app gives rows and Waystone does not know: where rows must have a value
  /// it has no mapping for them.
  mutating func reportComputedDefault(
    of attribute: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty,
    in pair: EntityPair
  ) {
    let given: Finding.Text = "\(isNew(declared)), with a default that the app computes"
    let remedy: Finding.Text =
      "If the app migrates its stores, nothing needs to be done. If Waystone does, give the value by "
      + "an expression in a hop file."
    if isRequired(attribute, in: pair), !isOfEmptyStore {
      collector.refuse(
        .defaultComputed,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        "\(given): Waystone has no value for \(existingRows(declared)).",
        remedy: remedy
      )
    } else {
      collector.add(
        .defaultComputed,
        .warning,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: attribute.name),
        "\(given): Waystone leaves \(existingRows(declared)) without \(.it).",
        remedy: remedy
      )
    }
  }

  mutating func checkRequirement(
    _ new: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    if new.hasComputedDefault {
      collector.add(
        .defaultComputed,
        .warning,
        .conditional,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) becomes required, with a default that the app computes: Waystone migrates it if "
          + "every row has a value.",
        remedy: giving(new)
      )
    } else if new.defaultValue == nil {
      // Core Data refuses it with any rows.
      isExtended = true
      collector.add(
        .requiredWithoutDefault,
        .warning,
        .conditional,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) becomes required without a default. Core Data refuses this; Waystone "
          + "migrates it if every row has a value.",
        remedy: giving(new)
      )
    } else {
      collector.add(
        .becomesRequired,
        .additive,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) \(.becomes) required; existing rows without a value get "
          + "\(new.defaultValue?.defaultWords ?? "")."
      )
    }
  }

  /// Returns the remedy for a required attribute of rows that have no value; no version hash contains
  /// the default.
  ///
  /// - Parameter first: The remedy where the values exist under another name.
  func giving(
    _ attribute: AttributeDescription,
    unless first: Finding.Text? = nil
  ) -> Finding.Text {
    let type = attribute.attributeType
    return first.map { "\($0) Else give it \(mapping: framework.values(for: type))" }
      ?? .giveValue(framework, type)
  }
}
