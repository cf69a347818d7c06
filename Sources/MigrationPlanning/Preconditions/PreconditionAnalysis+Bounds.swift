import ObjectModel

extension PreconditionAnalysis {
  /// Returns the questions whether validation accepts carried, computed and missing values and links.
  ///
  /// They apply where each object is validated after it is made.
  ///
  /// The result repeats questions of ``preconditions()`` where they are the same.
  func validationPreconditions() -> [Precondition] {
    var gathered = Gathered()
    for row in rows where !row.hasPolicy {
      if row.mapping.pieces == nil { askForCounts(row, &gathered) }
      for attribute in destination.attributes(of: row.destination) {
        guard let value = row.resolution.attributes[attribute.name], !value.isOpaque,
          !row.resolution.derived.contains(attribute.name)
        else { continue }
        // The question about a value that the source need not have includes the step's changes.
        let carried = value.unchanged.carriedProperty
          .flatMap { source.property($0, of: row.source)?.property.attribute }
        if !attribute.isOptional, !value.isFilled, !value.isPiece,
          carried.map({ !$0.isOptional }) ?? true
        {
          gathered.add(
            .requiredWithoutDefault,
            row.destination,
            attribute.name,
            .present,
            row.made([value])
          )
        }
        for bound in attribute.bounds {
          gathered.add(
            bound.code,
            row.destination,
            attribute.name,
            .within(bound),
            row.made([value])
          )
        }
      }
    }
    return gathered.sorted
  }

  /// Adds the questions whether objects have as many links as validation requires.
  private func askForCounts(_ row: Row, _ gathered: inout Gathered) {
    for declared in destination.properties(of: row.destination) {
      guard let relationship = declared.property.relationship, relationship.isPersistent,
        let counts = relationship.validatedCounts, !isGivenByOthers(relationship, row)
      else { continue }
      let name = relationship.name
      guard row.resolution.given.contains(name) else {
        guard counts.least > 0, !relationship.isOptional else { continue }
        // An authored mapping is found at the entity that it makes, not at the declaring one.
        gathered.add(.countsTightened, row.destination, name, .noRows, row.subject([]))
        continue
      }
      guard let request = row.resolution.requests[name], let carried = request.relationship,
        let before = source.property(carried, of: row.source)?.property.relationship
      else { continue }
      var subject = row.subject([.carried([carried])])
      if let mapping = request.mapping, !carriesAll(below: before.destinationEntityName, mapping) {
        subject.isShared = true
      }
      gathered.add(
        .countsTightened,
        declared.entityName,
        name,
        .linkCount(
          least: counts.least,
          greatest: counts.greatest,
          orNone: relationship.isOptional
        ),
        subject
      )
    }
  }

  /// Returns whether objects at the other end bring links that are not those which a mapping gives a
  /// relationship itself.
  private func isGivenByOthers(_ relationship: RelationshipDescription, _ row: Row) -> Bool {
    guard let inverse = destination.inverse(of: relationship)?.property.name else { return false }
    let back = row.resolution.requests[relationship.name]?.relationship
      .flatMap { source.property($0, of: row.source)?.property.relationship }
      .flatMap { source.inverse(of: $0)?.property.name }
    let others = destination.hierarchyNames(below: relationship.destinationEntityName)
    return rows.contains { other in
      guard others.contains(other.destination) else { return false }
      guard other.resolution.given.contains(inverse) else { return other.isOpaque }
      return back == nil || other.resolution.requests[inverse]?.relationship != back
    }
  }
}

extension ValueOrigin {
  /// Whether it is the part of an object, or the part's place, which are always there.
  fileprivate var isPiece: Bool {
    if case .computed(let expression, _) = self { expression.isPiece } else { false }
  }

  /// Whether a default replaces a missing value.
  fileprivate var isFilled: Bool {
    switch self {
    case .filled: true
    case .converted(let inner, _, _): inner.isFilled
    default: false
    }
  }
}

extension RelationshipDescription {
  /// The range of link counts that validation accepts; nil where it accepts any.
  ///
  /// The least count of an optional relationship is that of objects that have links.
  var validatedCounts: (least: Int, greatest: Int)? {
    let greatest = isToMany && maxCount > 0 ? Int(maxCount) : Int.max
    let least = isOptional ? leastCountOfSome > 1 ? leastCountOfSome : 0 : leastCount
    return least > 0 || greatest < .max ? (Int(least), greatest) : nil
  }
}
