import ObjectModel

/// A check of an authored mapping for errors that no store avoids, so that each run of it fails.
///
/// A policy gives its objects' values and links itself; the check reads only its filter.
struct MappingValidation {
  let bound: MappingBinding.Bound
  /// All entity mappings that run with those of the mapping.
  let others: [EntityMapping]
  private(set) var findings: [Finding] = []

  var source: ManagedObjectModel { bound.source.model }
  var destination: ManagedObjectModel { bound.destination.model }

  /// Checks each part of a mapping.
  ///
  /// - Complexity: O(*n*) in the parts of its expressions, and O(*r* · *m*) in relationships and entity
  ///   mappings.
  init(_ bound: MappingBinding.Bound, among others: [EntityMapping]) {
    self.bound = bound
    self.others = others
    for entity in bound.mapping.mapping.entityMappings {
      guard let old = entity.sourceEntityName, let new = entity.destinationEntityName,
        source[old]?.isAbstract == false, destination[new] != nil
      else { continue }
      check(entity, making: new)
    }
    checkEnds()
  }

  private mutating func check(_ entity: EntityMapping, making new: String) {
    // A policy may make its objects of any entity; only its filter is read.
    let hasPolicy = entity.entityMigrationPolicyClassName != nil
    if !hasPolicy, destination[new]?.isAbstract == true {
      note(
        nil,
        entity,
        "\(entity.name) makes objects of \(new), which is abstract.",
        "Make objects of a subentity of \(new)."
      )
    }
    if let predicate = entity.sourcePredicate {
      check("where", entity) { $0.check(predicate) }
    }
    guard !hasPolicy else { return }
    if let pieces = entity.pieces { check("split", entity) { $0.check(pieces) } }
    for key in entity.deduplicationKeys
    where destination.property(key, of: new)?.property.isPersistent != true {
      note(
        "deduplicate",
        entity,
        "\(entity.name) deduplicates by \(key), which \(new) does not store.",
        "Name a stored attribute."
      )
    }
    for property in entity.attributeMappings {
      guard let expression = property.valueExpression,
        let attribute = destination.property(property.name, of: new)?.property.attribute,
        attribute.isPersistent, attribute.derivationExpression == nil
      else { continue }
      check(property.name, entity) { $0.check(expression, for: attribute) }
    }
    for property in entity.relationshipMappings {
      guard let expression = property.valueExpression,
        let relationship = destination.property(property.name, of: new)?.property.relationship,
        relationship.isPersistent
      else { continue }
      if entity.pieces != nil, expression.readsPiece {
        note(
          property.name,
          entity,
          "\(subject: "\(new).\(property.name)") depends on the part that made the object, which is not known any "
            + "more when \(entity.name) sets links.",
          "Keep the part in an attribute, and use that."
        )
      }
      check(property.name, entity) { $0.check(expression, for: relationship) }
    }
  }

  private mutating func check(
    _ part: String,
    _ entity: EntityMapping,
    _ body: (inout ExpressionCheck) -> Void
  ) {
    var check = ExpressionCheck(of: entity, among: others, from: source, to: destination)
    body(&check)
    guard let mistake = check.mistake else { return }
    let place =
      switch part {
      case "where": "The filter"
      case "split": "The split"
      default: "\(entity.destinationEntityName ?? "").\(part)"
      }
    note(
      part,
      entity,
      "\(subject: place) cannot be computed by \(entity.name): \(mistake.message)",
      "\(mistake.recovery)"
    )
  }

  mutating func note(
    _ part: String?,
    _ entity: EntityMapping,
    _ message: Finding.Text,
    _ remedy: Finding.Text
  ) {
    let lines = bound.mapping.lines
    findings.append(
      Finding(
        .unusableMapping,
        .error,
        at: Finding.Place(
          file: bound.mapping.path,
          line: lines[.init(part, of: entity.name)] ?? lines[.init(nil, of: entity.name)],
          version: bound.destination.name,
          entity: entity.destinationEntityName ?? entity.sourceEntityName,
          property: part.flatMap { name in
            destination.property(name, of: entity.destinationEntityName ?? "") == nil ? nil : name
          }
        ),
        message: message,
        advice: remedy
      )
    )
  }
}
