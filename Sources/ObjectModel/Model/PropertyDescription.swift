/// A property of an entity, of any kind.
///
/// Counterpart of `NSPropertyDescription`. Indirect, since an attribute is large and a property is copied
/// far more often than it is made: with it, checking a public app of 100 versions costs a tenth less.
public indirect enum PropertyDescription: Hashable, Sendable {
  /// A value.
  case attribute(AttributeDescription)
  /// A reference to other objects.
  case relationship(RelationshipDescription)
  /// The result of a fetch.
  case fetchedProperty(FetchedPropertyDescription)

  /// The name, unique among the entity's properties.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetchedProperty(let property): property.name
    }
  }

  /// The name under which versions match: the renaming identifier, else the name.
  public var canonicalName: String {
    switch self {
    case .attribute(let attribute): attribute.canonicalName
    case .relationship(let relationship): relationship.canonicalName
    case .fetchedProperty(let property): property.renamingIdentifier ?? property.name
    }
  }

  /// The attribute, if it is one.
  public var attribute: AttributeDescription? {
    if case .attribute(let attribute) = self { attribute } else { nil }
  }

  /// The relationship, if it is one.
  public var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = self { relationship } else { nil }
  }

  /// Whether stores keep it.
  public var isPersistent: Bool {
    switch self {
    case .attribute(let attribute): attribute.isPersistent
    case .relationship(let relationship): relationship.isPersistent
    case .fetchedProperty: false
    }
  }
}
