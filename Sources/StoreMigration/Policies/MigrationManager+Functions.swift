public import ObjectModel

// The functions that expressions can call of `$manager`.
extension MigrationManager {
  /// Answers `FUNCTION($manager, "selector:", …)`.
  ///
  /// - Throws: ``MigrationError`` where the manager has no such method, or an argument is not what
  ///   the method takes.
  public func call(
    _ selector: String,
    arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    switch (selector, arguments.count) {
    case (Expression.destinationInstancesForEntityMapping, 2):
      return .list(
        try destinationInstances(
          forEntityMappingName: text(arguments[0], selector),
          sourceInstances: objects(arguments[1], selector)
        ).map { .object($0) }
      )
    case (Expression.destinationInstancesForSourceRelationship, 2):
      return .list(
        try destinationInstances(
          forSourceRelationshipNamed: text(arguments[0], selector),
          sourceInstances: objects(arguments[1], selector)
        ).map { .object($0) }
      )
    case (Expression.sourceInstancesForEntityMapping, 2):
      return .list(
        try sourceInstances(
          forEntityMappingName: text(arguments[0], selector),
          destinationInstances: objects(arguments[1], selector)
        ).map { .object($0) }
      )
    case ("fetchRequestForSourceEntityNamed:predicateString:", 2):
      // An entity that is unknown is refused here, where it is known what the text comes from.
      let entityName = try text(arguments[0], selector)
      do {
        _ = try sourceContext.layout(of: entityName)
      } catch {
        guard (try? destinationContext.layout(of: entityName)) != nil else { throw error }
      }
      return .object(
        FetchRequestReference(
          entityName: entityName,
          predicate: try predicate(text(arguments[1], selector))
        )
      )
    case (Expression.pieceNamed, 1): return try piece(text(arguments[0], selector))
    case ("newUUID", 0): return .scalar(.uuid(try newUUID()))
    case (Expression.sourceInstanceForKey, 3):
      return try lookup(sourceContext, arguments, selector)
    case (Expression.destinationInstanceForKey, 3):
      return try lookup(destinationContext, arguments, selector)
    default:
      throw MigrationError(
        .failed,
        "The migration manager has no method for the selector \(selector) with"
          + " \(arguments.count) arguments.",
        recovery: "Correct the expression, or do it in a policy."
      )
    }
  }

  /// Returns the first source object of an entity whose attribute has a value; nil where there is none.
  ///
  /// The first call makes a table of the attribute's values, so that each further call is cheap.
  ///
  /// - Throws: ``MigrationError`` where the entity or the attribute is unknown.
  public func sourceInstance(
    ofEntity entityName: String,
    where key: String,
    equals value: ExpressionValue
  ) throws -> ManagedObject? {
    try find(sourceContext, entityName, key, value)
  }

  /// Returns the first destination object of an entity whose attribute has a value, new ones included;
  /// nil where there is none.
  ///
  /// For a policy that finds or creates objects without keeping them: an index on the attribute is
  /// made at the first call.
  ///
  /// - Throws: ``MigrationError`` where the entity or the attribute is unknown.
  public func destinationInstance(
    ofEntity entityName: String,
    where key: String,
    equals value: ExpressionValue
  ) throws -> ManagedObject? {
    try find(destinationContext, entityName, key, value)
  }

  private func find(
    _ context: ManagedObjectContext,
    _ entityName: String,
    _ key: String,
    _ value: ExpressionValue
  ) throws -> ManagedObject? {
    try lookup(in: context).object(ofEntity: entityName, where: key, equals: value)
  }

  private func lookup(
    _ context: ManagedObjectContext,
    _ arguments: [ExpressionValue],
    _ selector: String
  ) throws -> ExpressionValue {
    let found = try find(
      context,
      text(arguments[0], selector),
      text(arguments[1], selector),
      arguments[2]
    )
    if case .nothing = arguments[2] {
    } else {
      lookup.isAsked = true
      if found == nil { lookup.isMissed = true }
    }
    return found.map { .object($0) } ?? .nothing
  }

  /// Removes the indexes that lookups left in the destination.
  ///
  /// - Throws: An error of the database.
  package func dropLookups() throws {
    try lookup(in: destinationContext).drop()
  }

  private func lookup(in context: ManagedObjectContext) -> KeyLookup {
    KeyLookup(
      context: context,
      database: destinationContext.database,
      scratch: associations.schema
    )
  }

  /// Returns a UUID for the current property of an object made from the current source object:
  /// another one for each property, object, part and run, and the same when the run is resumed.
  private func newUUID() throws -> [UInt8] {
    guard let pass, let (place, source) = evaluated, let source, !runSeed.isEmpty else {
      throw MigrationError(
        .failed,
        "newUUID is asked for outside of a mapping of objects.",
        recovery: "Use it in the value of an attribute."
      )
    }
    let text = [
      pass.mapping.name, place, source.layout.entity.name, "\(source.key)",
      pass.piece.map { "\($0.index)" } ?? "",
    ]
    var bytes = Array(SHA256.hash(runSeed + text.joined(separator: "\u{0}").utf8).prefix(16))
    // Version 4 and the variant of RFC 9562, as for random ones: the seed is random.
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }

  /// Returns the objects of other parts of the source object whose part the object at hand is; nothing
  /// where there is no such part.
  private func piece(_ name: String) throws -> ExpressionValue {
    guard let pass, pass.hasPieces, pass.mapping.deduplicationKeys.isEmpty,
      let current = pass.current, let place = EntityMapping.Pieces.Place(rawValue: name)
    else {
      throw MigrationError(
        .failed,
        "A part is asked for outside of the relationships of parts.",
        recovery: "Use it in a relationship of an entity mapping that has a split without keys."
      )
    }
    // The first part may have the source's key, and all others get greater ones, in their order.
    let all: [AssociationTable.End]
    if let known = pass.siblings, known.source == current.source {
      all = known.parts
    } else {
      all = try associations.destinations(mapping: pass.index, source: current.source)
      pass.siblings = (current.source, all)
    }
    guard let own = all.firstIndex(of: current.destination.end) else { return .nothing }
    func object(at index: Int) throws -> ExpressionValue? {
      guard all.indices.contains(index) else { return nil }
      return try destinationContext.object(number: all[index].entity, key: all[index].key)
        .map { .object($0) }
    }
    let found: ExpressionValue? =
      switch place {
      case .next: try object(at: own + 1)
      case .previous: try object(at: own - 1)
      case .first: try object(at: 0)
      case .last: try object(at: all.count - 1)
      case .others:
        .list(try all.indices.filter { $0 != own }.compactMap { try object(at: $0) })
      }
    return found ?? .nothing
  }

  private func predicate(_ format: String) throws -> Predicate {
    do {
      return try Predicate(format: format)
    } catch {
      throw MigrationError(
        .failed,
        "The predicate of a fetch request cannot be read: \(error)",
        recovery: "Correct the predicate in the mapping."
      )
    }
  }

  private func text(_ value: ExpressionValue, _ selector: String) throws -> String {
    guard case .scalar(.string(let text)) = value else { throw unfit(selector, "text") }
    return text
  }

  private func objects(_ value: ExpressionValue, _ selector: String) throws -> [ManagedObject] {
    let members: [ExpressionValue]
    switch value {
    case .nothing: return []
    case .list(let list), .set(let list): members = list
    default: members = [value]
    }
    return try members.map { member in
      guard case .object(let object as ManagedObject) = member else {
        throw unfit(selector, "managed objects")
      }
      return object
    }
  }

  private func unfit(_ selector: String, _ expected: String) -> MigrationError {
    MigrationError(
      .failed,
      "An argument of the migration manager's \(selector) is not \(expected).",
      recovery: "Correct the expression."
    )
  }
}
