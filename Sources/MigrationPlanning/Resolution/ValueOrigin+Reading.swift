import ObjectModel

extension ValueOrigin {
  /// Returns whether the value reads a property of other objects than the source object itself.
  ///
  /// - Parameters:
  ///   - property: A property of the source model.
  ///   - entity: The entity of the source object.
  func reads(
    _ property: ManagedObjectModel.DeclaredProperty,
    from entity: String,
    in model: ManagedObjectModel
  ) -> Bool {
    switch self {
    case .constant, .opaque: false
    case .carried(let path): path.count > 1 && model.path(path, from: entity, leadsOver: property)
    case .owners(let owner, let relationship):
      model.property(relationship, of: owner)?.id == property.id
    case .converted(let inner, _, _), .filled(let inner, _), .first(let inner),
      .unordered(let inner), .cut(let inner), .chosen(let inner, by: _), .without(let inner, _),
      .partly(let inner):
      inner.reads(property, from: entity, in: model)
    case .computed(let expression, let inputs):
      inputs.contains { $0.reads(property, from: entity, in: model) }
        || expression.reads(property, from: ["source": entity], in: model)
    }
  }
}

extension Expression {
  /// Returns whether a path of several names, or one from another object, reads a property.
  ///
  /// - Parameter entities: The entities of the objects that variables are.
  fileprivate func reads(
    _ property: ManagedObjectModel.DeclaredProperty,
    from entities: [String: String],
    in model: ManagedObjectModel
  ) -> Bool {
    contains { part in
      switch part {
      case .keyPath(.variable("source"), let path):
        path.count > 1 && model.path(path, from: entities["source"], leadsOver: property)
      case .keyPath(.variable(let variable), let path):
        model.path(path, from: entities[variable], leadsOver: property)
      case .keyPath(.evaluatedObject, let path):
        model.path(path, from: nil, leadsOver: property)
      case .keyPath(let operand, let path):
        model.path(path, from: operand.member(entities, model), leadsOver: property)
      case .subquery(let collection, let variable, let predicate):
        collection.reads(property, from: entities, in: model)
          || {
            var inner = entities
            inner[variable] = collection.member(entities, model)
            return predicate.reads(property, from: inner, in: model)
          }()
      default: false
      }
    }
  }

  /// Returns the entity of the objects that it gives; nil where that is not known.
  private func member(_ entities: [String: String], _ model: ManagedObjectModel) -> String? {
    switch self {
    case .variable(let name): entities[name]
    case .keyPath(let operand, let path): model.end(of: path, from: operand.member(entities, model))
    case .subquery(let collection, _, _): collection.member(entities, model)
    case .call("objectFrom:withIndex:", let list): list.first?.member(entities, model)
    default: nil
    }
  }
}

extension Predicate {
  fileprivate func reads(
    _ property: ManagedObjectModel.DeclaredProperty,
    from entities: [String: String],
    in model: ManagedObjectModel
  ) -> Bool {
    switch self {
    case .comparison(let comparison):
      [comparison.left, comparison.right].contains { $0.reads(property, from: entities, in: model) }
    case .all(let parts), .any(let parts):
      parts.contains { $0.reads(property, from: entities, in: model) }
    case .not(let part): part.reads(property, from: entities, in: model)
    }
  }
}

extension ManagedObjectModel {
  /// Returns the entity to which a path of relationships leads; nil where it is none.
  func end(of path: [String], from entity: String?) -> String? {
    path.reduce(entity) { end, name in
      end.flatMap { property(name, of: $0)?.property.relationship?.destinationEntityName }
    }
  }

  /// Returns whether a name of a path is a property; where the entity is not known, any of its name is.
  fileprivate func path(
    _ path: [String],
    from entity: String?,
    leadsOver property: DeclaredProperty
  ) -> Bool {
    var entity = entity
    for name in path where !name.hasPrefix("@") {
      guard let start = entity else { return path.contains(property.property.name) }
      // The object may be of an entity below, which alone has the property.
      let found = hierarchyNames(below: start).compactMap { self.property(name, of: $0) }
      if found.contains(where: { $0.id == property.id }) { return true }
      entity = found.lazy.compactMap(\.property.relationship?.destinationEntityName).first
    }
    return false
  }
}
