package import ObjectModel

/// The destination objects that a relationship's expression asks the migration manager for: those made of
/// the objects at the end of a path.
package struct DestinationInstancesRequest: Hashable, Sendable {
  /// The path from the source object; empty for itself.
  package let path: [String]
  /// The entity mapping whose objects are wanted; nil for those of all that fit.
  package let mapping: String?

  /// The source relationship whose links are carried, where it is just one.
  package var relationship: String? { path.count == 1 ? path[0] : nil }

  /// Returns the entity mappings that make the objects of a destination entity, or below it, of those of
  /// a source entity, or below it, and that are wanted; each with its place.
  ///
  /// Keys of other entities' objects may be the same numbers.
  package static func makers(
    in mapping: MappingModel,
    named name: String?,
    of origin: String,
    in source: ManagedObjectModel,
    for end: String,
    in destination: ManagedObjectModel
  ) -> [(offset: Int, element: EntityMapping)] {
    mapping.entityMappings.enumerated().filter { _, maker in
      guard let old = maker.sourceEntityName, let new = maker.destinationEntityName,
        source[old]?.isAbstract == false
      else { return false }
      return source.isKind(old, of: origin) && destination.isKind(new, of: end)
        && (name == nil || name == maker.name)
    }
  }

  /// Parses an expression; nil where it is another value.
  init?(_ expression: Expression) {
    switch expression {
    case .keyPath(.variable("source"), let path): self.init(path: path, mapping: nil)
    case .function(.variable("manager"), let selector, let arguments) where arguments.count == 2:
      guard case .constant(.string(let name)?) = arguments[0] else { return nil }
      let path: [String]
      switch arguments[1] {
      case .variable("source"): path = []
      case .keyPath(.variable("source"), let names): path = names
      default: return nil
      }
      switch selector {
      case Expression.destinationInstancesForSourceRelationship:
        self.init(path: path, mapping: nil)
      case Expression.destinationInstancesForEntityMapping:
        self.init(path: path, mapping: name)
      default: return nil
      }
    default: return nil
    }
  }

  private init(path: [String], mapping: String?) {
    self.path = path
    self.mapping = mapping
  }
}

extension Expression {
  /// Whether the expression asks the migration manager for the results of no objects.
  var asksForNothing: Bool {
    guard case .function(.variable("manager"), let selector, let arguments) = self,
      [
        Expression.destinationInstancesForSourceRelationship,
        Expression.destinationInstancesForEntityMapping,
      ].contains(selector)
    else { return false }
    return arguments.count == 2 && arguments[1] == .constant(nil)
  }
}
