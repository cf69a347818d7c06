extension Expression {
  /// The first source object of an entity whose property has a value: `FUNCTION($manager,
  /// "sourceInstanceForEntityNamed:key:value:", entity, key, value)`.
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

  /// The same among destination objects, for relationships to objects that others made.
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

  /// The destination objects that an entity mapping made from source objects: `FUNCTION($manager,
  /// "destinationInstancesForEntityMappingNamed:sourceInstances:", mapping, instances)`.
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

  /// The selector of ``sourceInstance(ofEntity:where:equals:)``.
  public static let sourceInstanceForKey = "sourceInstanceForEntityNamed:key:value:"
  /// The selector of ``destinationInstance(ofEntity:where:equals:)``.
  public static let destinationInstanceForKey = "destinationInstanceForEntityNamed:key:value:"
  /// The selector of `NSMigrationManager` that names an entity mapping.
  public static let destinationInstancesForEntityMapping =
    "destinationInstancesForEntityMappingNamed:sourceInstances:"
}
