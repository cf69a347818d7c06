/// A rewriter of mappings in terms of the elements of composite attributes: stores have values of
/// elements only.
///
/// A key path such as `location.latitude` names an element, and so becomes the one key that a model has
/// for it (``ManagedObjectModel/properties(of:)``). A value that a mapping gives to a composite attribute
/// as a whole is given to each element. Rewritten twice, a mapping stays as it is.
package struct CompositeExpansion {
  /// The objects that a key path begins or ends at: those of an entity.
  package struct Place {
    let model: ManagedObjectModel
    let entity: String

    /// The objects of an entity.
    package init(_ entity: String, in model: ManagedObjectModel) {
      self.model = model
      self.entity = entity
    }
  }

  /// The objects that variables refer to, and the object that bare names belong to.
  private struct Scope {
    var evaluated: Place?
    var variables: [String: Place] = [:]
  }

  /// The end of a key path.
  private enum End {
    case objects(Place)
    case composite(AttributeDescription, ManagedObjectModel)
  }

  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel

  /// An expansion for mappings between two versions.
  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// Whether either version has a composite; without one there is nothing to do.
  private var isNeeded: Bool { !source.composites.isEmpty || !destination.composites.isEmpty }

  /// Returns the mapping in terms of elements.
  ///
  /// - Complexity: O(*n*) in the parts of its expressions and the elements.
  package func expanded(_ mapping: MappingModel) -> MappingModel {
    guard isNeeded else { return mapping }
    var mapping = mapping
    mapping.entityMappings = mapping.entityMappings.map(expanded)
    return mapping
  }

  private func expanded(_ mapping: EntityMapping) -> EntityMapping {
    var mapping = mapping
    let scope = scope(of: mapping.sourceEntityName, mapping.destinationEntityName)
    mapping.sourcePredicate = mapping.sourcePredicate.map { joined($0, scope) }
    if let value = mapping.pieces?.value { mapping.pieces?.value = joined(value, scope) }
    mapping.relationshipMappings = mapping.relationshipMappings.map { property in
      var property = property
      property.valueExpression = property.valueExpression.map { joined($0, scope) }
      return property
    }
    let given = Set(mapping.attributeMappings.map(\.name))
    mapping.attributeMappings = mapping.attributeMappings.flatMap { property in
      let value = property.valueExpression.map { joined($0, scope) }
      guard let entity = mapping.destinationEntityName,
        let attribute = destination.declaredProperty(property.name, of: entity)?.property.attribute,
        let elements = destination.elements(of: attribute)
      else {
        var property = property
        property.valueExpression = value
        return [property]
      }
      return elements.filter { !given.contains($0.name) }.map { element in
        var part = property
        part.name = element.name
        part.valueExpression = value.flatMap { self.part($0, element, scope) }
        return part
      }
    }
    mapping.attributeMappings.sort { ByteOrder.precedes($0.name, $1.name) }
    return mapping
  }

  // MARK: Authored expressions

  /// Returns an expression over a source object in terms of elements.
  package func expression(
    _ expression: Expression,
    of source: String?,
    making destination: String?
  ) -> Expression {
    isNeeded ? joined(expression, scope(of: source, destination)) : expression
  }

  /// Returns a filter of source objects in terms of elements.
  package func predicate(_ predicate: Predicate, of source: String?) -> Predicate {
    isNeeded ? joined(predicate, scope(of: source, nil)) : predicate
  }

  /// Returns the value that an element has where its composite attribute is given an expression's.
  package func value(
    of element: AttributeDescription,
    in expression: Expression,
    of source: String?,
    making destination: String?
  ) -> Expression? {
    let scope = scope(of: source, destination)
    return part(joined(expression, scope), element, scope)
  }

  /// Returns a key path from the objects of an entity in terms of elements.
  package func path(_ path: [String], from place: Place) -> [String] { walk(path, place).path }

  private func scope(of old: String?, _ new: String?) -> Scope {
    var scope = Scope(evaluated: old.map { Place($0, in: source) })
    scope.variables["source"] = scope.evaluated
    scope.variables["destination"] = new.map { Place($0, in: destination) }
    return scope
  }

  // MARK: Parts

  /// Returns the part of a composite's value that is an element's; nil leaves it at its default.
  private func part(
    _ value: Expression,
    _ element: AttributeDescription,
    _ scope: Scope
  ) -> Expression? {
    switch value {
    case .constant(nil): return value
    case .conditional(let predicate, let first, let second):
      return .conditional(
        predicate,
        part(first, element, scope) ?? .constant(nil),
        part(second, element, scope) ?? .constant(nil)
      )
    case .keyPath(let operand, let path):
      guard case .composite(let attribute, let model)? = end(of: value, scope) else { break }
      let same = model.elements(of: attribute)?.first { $0.ownName == element.ownName }
      return same.map { .keyPath(operand, path.dropLast() + [$0.name]) }
    default: break
    }
    return .keyPath(value, [element.ownName])
  }

  // MARK: Key paths

  private func joined(_ expression: Expression, _ scope: Scope) -> Expression {
    func all(_ list: [Expression]) -> [Expression] { list.map { joined($0, scope) } }
    switch expression {
    case .constant, .evaluatedObject, .variable, .className: return expression
    case .keyPath(let operand, let path):
      let operand = joined(operand, scope)
      guard case .objects(let place)? = end(of: operand, scope) else {
        return .keyPath(operand, path)
      }
      return .keyPath(operand, walk(path, place).path)
    case .function(let target, let selector, let arguments):
      return .function(joined(target, scope), selector: selector, arguments: all(arguments))
    case .call(let name, let arguments): return .call(name, all(arguments))
    case .aggregate(let members): return .aggregate(all(members))
    case .conditional(let predicate, let first, let second):
      return .conditional(joined(predicate, scope), joined(first, scope), joined(second, scope))
    case .subquery(let collection, let variable, let predicate):
      let collection = joined(collection, scope)
      var inner = scope
      inner.variables[variable] = objects(of: collection, scope)
      return .subquery(collection, variable: variable, joined(predicate, inner))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, joined(left, scope), joined(right, scope))
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        joined(request, scope),
        context: joined(context, scope),
        countOnly: countOnly
      )
    }
  }

  private func joined(_ predicate: Predicate, _ scope: Scope) -> Predicate {
    switch predicate {
    case .comparison(var comparison):
      comparison.left = joined(comparison.left, scope)
      comparison.right = joined(comparison.right, scope)
      return emptiness(comparison, scope) ?? .comparison(comparison)
    case .all(let parts): return .all(parts.map { joined($0, scope) })
    case .any(let parts): return .any(parts.map { joined($0, scope) })
    case .not(let part): return .not(joined(part, scope))
    }
  }

  /// Returns the comparison of a composite with nil in terms of its elements: each of them is nil.
  private func emptiness(_ comparison: Predicate.Comparison, _ scope: Scope) -> Predicate? {
    guard comparison.quantifier == .direct, comparison.right == .constant(nil),
      comparison.relation == .equal || comparison.relation == .notEqual,
      case .keyPath(let operand, let path) = comparison.left,
      case .composite(let attribute, let model)? = end(of: comparison.left, scope)
    else { return nil }
    let parts = (model.elements(of: attribute) ?? []).map { element in
      var part = comparison
      part.left = .keyPath(operand, path.dropLast() + [element.name])
      return Predicate.comparison(part)
    }
    return comparison.relation == .equal ? .all(parts) : .any(parts)
  }

  private func objects(of expression: Expression, _ scope: Scope) -> Place? {
    if case .objects(let place)? = end(of: expression, scope) { place } else { nil }
  }

  private func end(of expression: Expression, _ scope: Scope) -> End? {
    if let lookup = expression.lookup, lookup.path.isEmpty {
      return .objects(Place(lookup.entity, in: lookup.isOfSource ? source : destination))
    }
    switch expression {
    case .evaluatedObject: return scope.evaluated.map { .objects($0) }
    case .variable(let name): return scope.variables[name].map { .objects($0) }
    case .keyPath(let operand, let path):
      return objects(of: operand, scope).flatMap { walk(path, $0).end }
    case .call("objectFrom:withIndex:", let arguments):
      return arguments.first.flatMap { end(of: $0, scope) }
    case .subquery(let collection, _, _): return end(of: collection, scope)
    case .setOperation(_, let left, _): return end(of: left, scope)
    default: return nil
    }
  }

  /// Returns a path with the key of each element in one, and what is at its end.
  private func walk(_ path: [String], _ start: Place) -> (path: [String], end: End?) {
    var result: [String] = []
    var end: End? = .objects(start)
    for key in path {
      switch end {
      case .composite(let attribute, let model)?:
        guard let element = model.elements(of: attribute)?.first(where: { $0.ownName == key })
        else {
          result.append(key)
          end = nil
          continue
        }
        result[result.count - 1] = element.name
        end = nil
      case .objects(let place)?:
        result.append(key)
        // A collection's operator is asked of all its objects.
        guard !key.hasPrefix("@") else { continue }
        end = Self.step(key, from: place)
      case nil: result.append(key)
      }
    }
    return (result, end)
  }

  /// Returns the end of a key from objects of an entity or, as an object may be of one, of its subentities.
  private static func step(_ key: String, from place: Place) -> End? {
    let model = place.model
    let found = model.hierarchyNames(below: place.entity).lazy
      .compactMap { model.declaredProperty(key, of: $0)?.property }.first
    switch found {
    case .relationship(let relationship)?:
      return .objects(Place(relationship.destinationEntityName, in: model))
    case .attribute(let attribute)? where model.elements(of: attribute) != nil:
      return .composite(attribute, model)
    default: return nil
    }
  }
}
