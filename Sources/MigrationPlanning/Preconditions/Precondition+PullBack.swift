import ObjectModel

extension Precondition {
  /// A question to a later version, as one to the version from which its rows come.
  package enum PulledBack: Hashable, Sendable {
    /// The question whose answer is the same.
    case question(Precondition)
    /// A question that nothing at the source answers, with the reason.
    case unknown(String)
  }

  /// Returns the question for a store's rows before a run, as ``pulledBack(through:)`` does.
  ///
  /// Where the hops before leave these rows as they are, it is for all of them, also those of which it is not
  /// known whether they count: the run is refused where one of them does not fit.
  package func asked(through mapping: ComposedMapping) -> PulledBack {
    let result = pulledBack(through: mapping)
    guard case .fits = kind, case .question(var question) = result, question == self else {
      return result
    }
    for index in question.subjects.indices { question.subjects[index].isShared = false }
    return .question(question)
  }

  /// Returns the question rewritten for the source version of a mapping, about the rows that the mapping
  /// makes.
  ///
  /// It is unknown where anything is not certain: opaque steps, values that expressions make, links to
  /// objects that may not all be carried.
  /// - Parameter mapping: The mapping of objects up to the question's version.
  /// - Complexity: O(*s* · *o*) in subjects and the origins of their entities.
  package func pulledBack(through mapping: ComposedMapping) -> PulledBack {
    if let step = mapping.opaqueSteps.first { return .unknown("\(step), may change any object") }
    switch kind {
    case .sameLinks(let entity, let property) where !mapping.isIdentity:
      guard mapping.leavesEmpty(property, of: entity) else {
        return .unknown("both sides of \(place) come through earlier hops")
      }
      // A side that a step adds leads nowhere at the source.
      var question = self
      question.kind = .linkCount(least: 0, greatest: 0)
      return question.pulledBack(through: mapping)
    case .found where !mapping.isIdentity:
      return .unknown("earlier hops decide what \(place) finds")
    case .distinctLinks where !mapping.isIdentity:
      return .unknown("both ends of \(place) come through earlier hops")
    case .room where !mapping.isIdentity:
      return .unknown("both ends of \(place) come through earlier hops")
    case .noLinksTo where !mapping.isIdentity:
      return .unknown("earlier hops decide which objects \(place) leads to")
    default: break
    }
    var result = self
    result.subjects = []
    for subject in subjects {
      for origin in mapping.origins[subject.entity] ?? [] {
        switch pulledBack(subject, to: origin, mapping) {
        case .success(let made): result.subjects.append(made)
        case .failure(let doubt): return .unknown(doubt.reason)
        }
      }
    }
    return .question(result)
  }

  /// The reason why a question cannot be pulled back.
  private struct Doubt: Error {
    let reason: String
  }

  private func pulledBack(
    _ subject: Subject,
    to origin: ComposedMapping.Origin,
    _ mapping: ComposedMapping
  ) -> Result<Subject, Doubt> {
    if let step = origin.opaqueSteps.first {
      return .failure(Doubt(reason: "\(step), may change any object of \(subject.entity)"))
    }
    let isCopy = mapping.isIdentity
    guard isCopy || subject.predicates.isEmpty else {
      return .failure(Doubt(reason: "a filter chooses among rows that an earlier hop makes"))
    }
    guard isCopy || subject.pieces == nil else {
      return .failure(Doubt(reason: "an earlier hop makes what is split"))
    }
    let isShared = subject.isShared || !origin.deduplicationKeys.isEmpty
    if isShared, kind.isAboutLinks {
      return .failure(Doubt(reason: "one object of \(subject.entity) may stand for several"))
    }
    var values: [ValueOrigin] = []
    for value in subject.values {
      switch pulledBack(value, of: subject.entity, origin, mapping) {
      case .success(let value): values.append(value)
      case .failure(let doubt): return .failure(doubt)
      }
    }
    // A condition on what an earlier hop makes of a value leaves out rows, and it is not known which.
    let isOfRows = origin.conditions.allSatisfy(\.inputs.isEmpty)
    return .success(
      Subject(
        origin.sourceEntityName,
        values,
        predicates: origin.conditions.filter(\.inputs.isEmpty).map(\.predicate)
          + subject.predicates,
        pieces: subject.pieces,
        isShared: isShared || !isOfRows
      )
    )
  }

  private func pulledBack(
    _ value: ValueOrigin,
    of entity: String,
    _ origin: ComposedMapping.Origin,
    _ mapping: ComposedMapping
  ) -> Result<ValueOrigin, Doubt> {
    switch value {
    case .filled(let inner, let fill):
      return pulledBack(inner, of: entity, origin, mapping).map { .filled($0, fill) }
    case .converted(let inner, let from, let to):
      return pulledBack(inner, of: entity, origin, mapping).map {
        .converted($0, from: from, to: to)
      }
    case .carried(let path) where path.count == 1:
      let name = path[0]
      guard let property = mapping.destination.property(name, of: entity)?.property else {
        return .failure(Doubt(reason: "\(entity) has no \(name)"))
      }
      if mapping.isIdentity { return .success(value) }
      switch property {
      case .attribute(let attribute):
        return pulledBack(attribute, of: entity, origin.values[name])
      case .relationship(let relationship):
        return pulledBack(relationship, of: entity, origin, mapping)
      case .fetchedProperty: return .failure(Doubt(reason: "\(entity).\(name) is not stored"))
      }
    case .computed where !mapping.isIdentity:
      return .failure(Doubt(reason: "an expression reads what an earlier hop makes"))
    default: return .success(value)
    }
  }

  // MARK: Attributes

  private func pulledBack(
    _ attribute: AttributeDescription,
    of entity: String,
    _ value: ValueOrigin?
  ) -> Result<ValueOrigin, Doubt> {
    let place = "\(entity).\(attribute.name)"
    guard attribute.derivationExpression == nil else {
      return .failure(Doubt(reason: "the store computes \(place) anew"))
    }
    if case .filesPresent = kind {
      return .failure(Doubt(reason: "an earlier hop may move the files of \(place)"))
    }
    guard let value else { return .success(.nothing) }
    guard value.isOfStoredValue else {
      return .failure(Doubt(reason: "an expression of an earlier mapping makes \(place)"))
    }
    return .success(value)
  }

  // MARK: Relationships

  /// Returns the origin of a relationship's links, which are the same where the mapping carries the
  /// relationship unchanged, and all objects that it may lead to.
  private func pulledBack(
    _ relationship: RelationshipDescription,
    of entity: String,
    _ origin: ComposedMapping.Origin,
    _ mapping: ComposedMapping
  ) -> Result<ValueOrigin, Doubt> {
    let place = "\(entity).\(relationship.name)"
    guard let value = origin.values[relationship.name] else { return .success(.nothing) }
    guard let name = value.carriedProperty,
      let old = mapping.source.property(name, of: origin.sourceEntityName)?.property.relationship,
      old.isToMany == relationship.isToMany,
      Self.inverse(of: old, in: mapping.source)
        == Self.inverse(of: relationship, in: mapping.destination)
    else { return .failure(Doubt(reason: "an earlier hop changes how \(place) is kept")) }
    guard arrivesWhole(below: old.destinationEntityName, mapping) else {
      return .failure(
        Doubt(reason: "some of the objects to which \(place) leads do not arrive as they are")
      )
    }
    return .success(value)
  }

  /// Returns whether a relationship's inverse is to-many; nil where it has no inverse.
  private static func inverse(
    of relationship: RelationshipDescription,
    in model: ManagedObjectModel
  ) -> Bool? {
    model.inverse(of: relationship)?.property.relationship?.isToMany
  }

  /// Returns whether each object of an entity, or below it, becomes exactly one.
  private func arrivesWhole(below entity: String, _ mapping: ComposedMapping) -> Bool {
    mapping.source.hierarchyNames(below: entity).allSatisfy { name in
      guard mapping.source[name]?.isAbstract == false else { return true }
      let made = mapping.origins.values.joined().filter { $0.sourceEntityName == name }
      return made.count == 1
        && made.allSatisfy {
          $0.conditions.isEmpty && $0.deduplicationKeys.isEmpty && $0.opaqueSteps.isEmpty
        }
    }
  }
}

extension ComposedMapping {
  /// Returns whether a relationship has no link in any object of an entity, or below it.
  fileprivate func leavesEmpty(_ relationship: String, of entity: String) -> Bool {
    destination.hierarchyNames(below: entity).flatMap { origins[$0] ?? [] }.allSatisfy { origin in
      origin.opaqueSteps.isEmpty && (origin.values[relationship] ?? .nothing) == .nothing
    }
  }

  /// Whether it is known that every object stays as it is.
  var isIdentity: Bool {
    opaqueSteps.isEmpty && copies.count == origins.count
      && source.entityVersionHashes == destination.entityVersionHashes
  }
}
