/// A property, named with the entity that declares it.
package struct PropertyReference: Hashable, Sendable {
  /// The entity that declares the property.
  package var entityName: String
  /// The property.
  package var propertyName: String

  package init(entityName: String, propertyName: String) {
    self.entityName = entityName
    self.propertyName = propertyName
  }
}

extension PropertyReference: CustomStringConvertible {
  /// The two names with a dot between them.
  package var description: String { "\(entityName).\(propertyName)" }
}
