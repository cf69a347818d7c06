import ObjectModel

extension HopCompiler {
  /// Returns the mapping with the values of all properties of its destination.
  mutating func finished(
    _ draft: Draft,
    _ implicit: ImplicitExpressions
  ) throws(ModelImportError) -> EntityMapping {
    var mapping = draft.mapping
    guard let made = mapping.destinationEntityName else { return mapping }
    let properties = destination.properties(of: made).map(\.property)
    for entry in draft.attributes + draft.relationships {
      let isComposite = destination.declaredProperty(entry.name, of: made) != nil
      guard isComposite || properties.contains(where: { $0.name == entry.name }) else {
        throw error(
          entry,
          "\(made) has no property \(entry.name).",
          Self.suggestion(entry.name, properties.map(\.name))
        )
      }
    }
    let carried = carriedNames(draft)
    for property in properties where property.isPersistent {
      switch property {
      case .attribute(let attribute):
        mapping.attributeMappings.append(
          PropertyMapping(
            name: attribute.name,
            valueExpression: try value(of: attribute, draft, carried[attribute.name])
          )
        )
      case .relationship(let relationship):
        mapping.relationshipMappings.append(
          PropertyMapping(
            name: relationship.name,
            valueExpression: try value(of: relationship, draft, carried, implicit)
          )
        )
      case .fetchedProperty: break
      }
    }
    return mapping
  }

  /// Returns the source property of each destination property that both versions have.
  private func carriedNames(_ draft: Draft) -> [String: String] {
    guard let first = draft.mapping.sourceEntityName, let last = draft.mapping.destinationEntityName
    else { return [:] }
    let old = source.properties(of: first).map(\.property).filter(\.isPersistent)
    let new = destination.properties(of: last).map(\.property).filter(\.isPersistent)
    let matching = CanonicalMatching(source: old.map(\.key), destination: new.map(\.key))
    var result: [String: String] = [:]
    for (property, match) in zip(new, matching.matches) {
      result[property.name] = match.map { old[$0.source].name }
    }
    return result
  }

  // MARK: - Attributes

  private mutating func value(
    of attribute: AttributeDescription,
    _ draft: Draft,
    _ carried: String?
  ) throws(ModelImportError) -> Expression? {
    if let entry = draft.attributes.first(where: { $0.name == attribute.name }) {
      if entry.value.isNull { return nil }
      explicitCount += 1
      return try expression(entry.value, entry.name, draft)
    }
    if let membership = attribute.membership,
      let entry = draft.attributes.first(where: { $0.name == membership.attributeName })
    {
      if entry.value.isNull { return nil }
      explicitCount += 1
      return composites.value(
        of: attribute,
        in: try expression(entry.value, entry.name, draft),
        of: draft.mapping.sourceEntityName,
        making: draft.mapping.destinationEntityName
      )
    }
    if draft.relationships.contains(where: { $0.name == attribute.name }) {
      throw draft.node.error(
        "\(attribute.name) is an attribute and stands among the relationships.",
        "Move it to `attributes:`."
      )
    }
    guard attribute.derivationExpression == nil, let carried,
      let old = draft.mapping.sourceEntityName.flatMap({ source.property(carried, of: $0) })?
        .property.attribute
    else { return nil }
    guard attribute.attributeType.takesValues(of: old.attributeType) else {
      let entity = draft.mapping.destinationEntityName ?? ""
      throw draft.node.error(
        "\(entity).\(attribute.name) is of the type \(attribute.attributeType), and \(old.name) in "
          + "the source of the type \(old.attributeType): it cannot be carried as it is.",
        (draft.isListed ? "Say" : "List \(entity), and say")
          + " how: `attributes: {\(attribute.name): …}`, or null to drop it."
      )
    }
    return .source(carried)
  }

  // MARK: - Relationships

  private mutating func value(
    of relationship: RelationshipDescription,
    _ draft: Draft,
    _ carried: [String: String],
    _ implicit: ImplicitExpressions
  ) throws(ModelImportError) -> Expression? {
    let name = relationship.name
    if let entry = draft.relationships.first(where: { $0.name == name }) {
      if entry.value.isNull { return nil }
      explicitCount += 1
      guard case .map = entry.value.content else {
        return try expression(entry.value, name, draft)
      }
      return try related(entry, draft, implicit)
    }
    if draft.attributes.contains(where: { $0.name == name }) {
      throw draft.node.error(
        "\(name) is a relationship and stands among the attributes.",
        "Move it to `relationships:`."
      )
    }
    guard let old = carried[name] else { return nil }
    return implicit.relationship(
      name,
      in: draft.mapping,
      along: old == name ? nil : .source(old)
    )
  }

  /// Returns a relationship in words: `{from: images, mapping: ImageToAttachment}`, or a lookup.
  private func related(
    _ entry: HopEntry,
    _ draft: Draft,
    _ implicit: ImplicitExpressions
  ) throws(ModelImportError) -> Expression {
    let keys = try entry.value.map(entry.name, knowing: ["from", "mapping", "lookup", "piece"])
    if let piece = keys["piece"] {
      guard keys.count == 1 else {
        throw entry.value.error("Nothing can stand beside `piece`.", "Keep one of them.")
      }
      let name = try piece.text("piece", "next, previous, first, last or others")
      return .function(
        .variable("manager"),
        selector: Expression.pieceNamed,
        arguments: [.constant(.string(name))]
      )
    }
    if let lookup = keys["lookup"] {
      guard keys.count == 1 else {
        throw entry.value.error("Nothing can stand beside `lookup`.", "Keep one of them.")
      }
      return try self.lookup(lookup, entry.name, in: "destination", draft)
    }
    let producer = try keys["mapping"]?.text("mapping", "an entity mapping's name")
    if let producer, !implicit.entityMappings.contains(where: { $0.name == producer }) {
      throw (keys["mapping"] ?? entry.value).error(
        "No entity mapping is called \(producer).",
        Self.suggestion(producer, implicit.entityMappings.map(\.name))
      )
    }
    guard let from = keys["from"] else {
      guard let producer else {
        throw entry.value.error(
          "\(entry.name) says nothing.",
          "Write `from:`, `mapping:` or `lookup:`."
        )
      }
      return .destinationInstances(forMapping: producer, of: .variable("source"))
    }
    let path = try from.text("from", "a relationship of the source")
    let found = try self.path(path, from, entry.name, draft)
    let value = implicit.relationship(
      entry.name,
      in: draft.mapping,
      along: found,
      producer: producer
    )
    guard let value else {
      throw from.error(
        "Nothing says which entity mapping makes the objects of \(entry.name).",
        "Name it: `{from: \(path), mapping: …}`."
      )
    }
    return value
  }
}
