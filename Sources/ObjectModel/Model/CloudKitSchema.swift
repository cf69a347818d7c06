/// The record types and fields in which CloudKit keeps the objects of mirrored stores.
///
/// Apple's *Reading CloudKit Records for Core Data* states them: a record type for each entity without a
/// parent, with the fields of all entities below it; a field for each attribute and for each to-one
/// relationship, and records of their own for links of many to many. Once deployed, a schema only grows: no
/// record type or field is removed or changed.
/// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
package struct CloudKitSchema: Hashable, Sendable {
  /// The values of a field.
  package enum Kind: String, Hashable, Sendable {
    /// Whole numbers and Booleans.
    case integer = "Int(64)"
    /// Numbers with a fraction.
    case double = "Double"
    /// Text, UUIDs and URIs.
    case string = "String"
    /// Instants.
    case date = "Date/Time"
    /// Bytes, and what a transformer makes of values.
    case bytes = "Bytes"
  }

  /// A field, as far as it cannot be changed.
  package struct Field: Hashable, Sendable {
    /// The type of its values; nil for a relationship, and for a composite attribute, whose fields Apple
    /// does not document.
    package var kind: Kind?
    /// Whether CloudKit encrypts them.
    package var isEncrypted = false

    /// Returns whether a deployed field can keep the values of another one.
    package func holds(_ other: Field) -> Bool {
      guard let kind, let otherKind = other.kind else { return true }
      return kind == otherKind && isEncrypted == other.isEncrypted
    }
  }

  /// The fields by the name of the root entity and that of the property.
  package private(set) var recordTypes: [String: [String: Field]] = [:]

  /// The schema of some entities of a model.
  package init(of entities: Set<String>, in model: ManagedObjectModel) {
    for entity in model.entities where entities.contains(entity.name) {
      let root = model.rootEntityName(of: entity.name)
      var fields = recordTypes[root] ?? [:]
      for attribute in entity.attributes where attribute.isPersistent {
        fields[attribute.name] = Field(attribute)
      }
      for relationship in entity.relationships where model.isRecorded(relationship) {
        fields[relationship.name] = Field()
      }
      recordTypes[root] = fields
    }
  }
}

extension ManagedObjectModel {
  /// Returns whether records of CloudKit keep the links of a relationship by its own name: not where the
  /// other side does.
  fileprivate func isRecorded(_ relationship: RelationshipDescription) -> Bool {
    guard relationship.isPersistent, relationship.isToMany else { return relationship.isPersistent }
    return inverse(of: relationship)?.property.relationship?.isToMany ?? true
  }
}

extension CloudKitSchema.Field {
  fileprivate init(_ attribute: AttributeDescription) {
    isEncrypted = attribute.allowsCloudEncryption
    // A type that is not known is none that differs.
    guard attribute.unknownType == nil else { return }
    kind =
      switch attribute.attributeType {
      case .integer16, .integer32, .integer64, .boolean: .integer
      case .double, .float, .decimal: .double
      case .string, .uuid, .uri: .string
      case .date: .date
      case .binary, .transformable: .bytes
      case .composite, .objectID, .undefined: nil
      }
  }
}
