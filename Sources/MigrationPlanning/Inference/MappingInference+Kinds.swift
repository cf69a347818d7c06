import ObjectModel

extension MappingInference {
  /// Refuses a property that is an attribute in one version and a relationship in the other, or may be: the type
  /// of an attribute that is not known may be a model.
  func refuseKind(
    from old: PropertyDescription,
    to new: ManagedObjectModel.DeclaredProperty
  ) {
    func refuse(_ code: FindingCode, _ message: String, _ remedy: Finding.Text) {
      collector.refuse(
        code,
        at: Finding.Place(entity: new.entityName, property: new.property.name),
        "\(subject: new.place) \(.changes) from \(message)",
        remedy: remedy
      )
    }
    let isNow = new.property.attribute
    if let unknown = old.attribute?.unknownType ?? isNow?.unknownType {
      let ends = isNow == nil ? [unknown, "a relationship"] : ["a relationship", unknown]
      return refuse(
        .unresolvedType,
        "\(ends[0]) to \(ends[1]), and what SwiftData makes of \(unknown) is not known.",
        "If the app declares it, let `models` name the folder with that file too. Else "
          + "\(mapping: framework.mapping(" that converts the values"))."
      )
    }
    refuse(
      .propertyKindChanged,
      isNow == nil ? "attribute to relationship." : "relationship to attribute.",
      "\(advice()) In a version that has not shipped, give it another name."
    )
  }
}
