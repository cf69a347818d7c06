extension Expression {
  /// Returns an expression for the first source object of an entity whose property has a value:
  /// `FUNCTION($manager, "sourceInstanceForEntityNamed:key:value:", entity, key, value)`.
  ///
  /// Waystone's own addition to the migration manager, for hop files: rows that are joined by a key
  /// rather than by a relationship. Subentities' objects count; of several the one with the least
  /// primary key is meant, and nothing where there is none or the value is nil.
  public static func sourceInstance(
    ofEntity name: String,
    where key: String,
    equals value: Expression
  ) -> Expression {
    .function(
      .variable("manager"),
      selector: sourceInstanceForKey,
      arguments: [.constant(.string(name)), .constant(.string(key)), value]
    )
  }

  /// Returns the same for destination objects, for relationships to objects that others made.
  public static func destinationInstance(
    ofEntity name: String,
    where key: String,
    equals value: Expression
  ) -> Expression {
    .function(
      .variable("manager"),
      selector: destinationInstanceForKey,
      arguments: [.constant(.string(name)), .constant(.string(key)), value]
    )
  }

  /// Returns an expression for the destination objects that an entity mapping made from source objects:
  /// `FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", mapping,
  /// instances)`.
  ///
  /// The form that Xcode's mapping models have where one entity mapping can make them.
  public static func destinationInstances(
    forMapping name: String,
    of instances: Expression
  ) -> Expression {
    .function(
      .variable("manager"),
      selector: destinationInstancesForEntityMapping,
      arguments: [.constant(.string(name)), instances]
    )
  }

  /// The methods that the migration manager has for expressions, each with the number of its
  /// arguments.
  package static let managerSelectors: [String: Int] = [
    destinationInstancesForEntityMapping: 2, destinationInstancesForSourceRelationship: 2,
    sourceInstancesForEntityMapping: 2, "fetchRequestForSourceEntityNamed:predicateString:": 2,
    "newUUID": 0, sourceInstanceForKey: 3, destinationInstanceForKey: 3, pieceNamed: 1,
  ]

  /// The selector of ``sourceInstance(ofEntity:where:equals:)``.
  public static let sourceInstanceForKey = "sourceInstanceForEntityNamed:key:value:"
  /// The selector of ``destinationInstance(ofEntity:where:equals:)``.
  public static let destinationInstanceForKey = "destinationInstanceForEntityNamed:key:value:"
  /// The selector that gives the objects of other parts of the same source object.
  package static let pieceNamed = "pieceNamed:"
  /// The method of bytes that reads a part of a keyed archive; Waystone's own.
  public static let archivedValueAtPath = "archivedValueAtPath:"
  /// The selector of `NSMigrationManager` that names an entity mapping.
  public static let destinationInstancesForEntityMapping =
    "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The selector of `NSMigrationManager` for the source objects that an entity mapping read.
  package static let sourceInstancesForEntityMapping =
    "sourceInstancesForEntityMappingNamed:destinationInstances:"
}

/// An object, or a value of it, that is found by a key.
package struct ExpressionLookup: Hashable, Sendable {
  /// Whether objects of the source, rather than of the destination, are searched.
  package let isOfSource: Bool
  /// The entity whose objects are searched, those of subentities too.
  package let entity: String
  /// The attribute that has the key.
  package let key: String
  /// The value that the attribute must have.
  package let wanted: Expression
  /// The path to the value that is wanted; empty for the object itself.
  package let path: [String]
}

extension Expression {
  /// The lookup that the expression makes, where it does nothing else.
  package var lookup: ExpressionLookup? {
    switch self {
    case .keyPath(let operand, let path):
      guard let found = operand.lookup, found.path.isEmpty else { return nil }
      return ExpressionLookup(
        isOfSource: found.isOfSource,
        entity: found.entity,
        key: found.key,
        wanted: found.wanted,
        path: path
      )
    case .function(.variable("manager"), let selector, let arguments) where arguments.count == 3:
      guard [Self.sourceInstanceForKey, Self.destinationInstanceForKey].contains(selector),
        case .constant(.string(let entity)?) = arguments[0],
        case .constant(.string(let key)?) = arguments[1]
      else { return nil }
      return ExpressionLookup(
        isOfSource: selector == Self.sourceInstanceForKey,
        entity: entity,
        key: key,
        wanted: arguments[2],
        path: []
      )
    default: return nil
    }
  }
}
