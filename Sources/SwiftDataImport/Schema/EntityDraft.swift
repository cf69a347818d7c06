internal import ObjectModel

/// A relationship as a property declares it, whose inverse is not decided yet.
struct RelationshipDraft {
  /// The known part of the relationship.
  var relationship: RelationshipDescription
  /// The class at the other end.
  var destination: TypeDeclaration
  /// The property that `inverse:` names, and the class before it.
  var inverse: (root: [String], name: String)?
  /// The place of the property.
  var place: SourcePlace
}

/// An entity that is being made of a class.
struct EntityDraft {
  /// The class.
  let type: TypeDeclaration
  /// The known part of the entity: all but its relationships.
  var entity: EntityDescription
  /// The composites by the property that holds one.
  var composites: [String: [ShapeElement]] = [:]
  /// The relationships.
  var relationships: [RelationshipDraft] = []
  /// The superclass, where that is a model too.
  var superclass: TypeDeclaration?
  /// The properties whose types make no attribute that is known.
  var unknownTypes: [UnknownType] = []
  /// The further reasons why the hash is unknown.
  var doubts: [SchemaDoubt] = []
  /// The rules on which it rests and that no measured store shows.
  var rules: [RuleUse] = []
  /// The declaration of each property, and of each element of a composite.
  var declarations: [String: SourceSchema.Declaration] = [:]
  /// The places of types that decide how values are encoded, and of their cases and properties, by the names
  /// joined by a dot.
  var codingPlaces: [String: SourcePlace] = [:]
  /// The structures and enumerations on which the hash depends.
  var values: [TypeDeclaration] = []

  init(_ type: TypeDeclaration) {
    self.type = type
    entity = EntityDescription(name: type.name)
  }
}
