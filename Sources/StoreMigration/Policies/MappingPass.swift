import MigrationPlanning
package import ObjectModel
import StoreAccess

/// An entity mapping that is run object by object: its policy, and its expressions resolved to the slots
/// of its two entities.
package final class MappingPass {
  /// The assignment of an attribute of a new object.
  enum Assignment {
    /// The column is taken over as it is.
    case copy(from: Int, to: Int)
    /// The column's value is converted, or filled where it is absent.
    case convert(from: Int, to: AttributeSlot, ValueConversion)
    /// The expression is evaluated.
    case evaluate(Valuation)
  }

  /// A property that an expression gives its value.
  final class Valuation {
    let name: String
    let expression: Expression

    init(name: String, expression: Expression) {
      self.name = name
      self.expression = expression
    }
  }

  /// The place of the mapping in the mapping model, which associations name.
  package let index: Int
  /// The mapping.
  package let mapping: EntityMapping
  /// The policy of the mapping: the class that it names, or Core Data's own rules.
  package let policy: EntityMigrationPolicy
  /// The mapping as expressions know it.
  let reference: MappingReference
  let pieces: EntityMapping.Pieces?
  let hasPieces: Bool
  /// The condition on source objects that SQL cannot express.
  private let filter: Predicate?
  private let isFiltered: Bool
  let source: EntityLayout
  let destination: EntityLayout
  let assignments: [Assignment]
  /// The slots of new objects that take a column over as it is, and that column's slot for each slot; none
  /// where a slot is assigned twice.
  let carried: (slots: SlotSet, columns: [Int])
  let relationships: [Valuation]
  /// Whether the first object that each source object makes has the source object's key.
  let keepsKeys: Bool
  /// The source rows after a key, in order of their keys.
  let cursorSQL: String
  /// The pair that is being connected, in the second phase.
  var current: (destination: ManagedObject, source: AssociationTable.End)?
  /// The index of objects by the values of the mapping's deduplication keys.
  let deduplication: Deduplication?
  /// The part of the source object at hand, where the mapping cuts it into parts.
  var piece: (value: ExpressionValue, index: Int)?
  /// The objects that the parts of the last source object became, while relationships are created.
  var siblings: (source: AssociationTable.End, parts: [AssociationTable.End])?

  /// Prepares an entity mapping that leads from an entity to another.
  ///
  /// - Parameters:
  ///   - index: Its place in the manager's mapping model.
  ///   - keepsKeys: Whether the first object that each source object makes has its key.
  /// - Throws: ``MigrationError`` where the mapping names what the models do not have.
  package init(
    index: Int,
    policy: EntityMigrationPolicy,
    keepsKeys: Bool,
    manager: MigrationManager
  ) throws {
    let mapping = manager.mappingModel.entityMappings[index]
    guard let sourceName = mapping.sourceEntityName,
      let destinationName = mapping.destinationEntityName
    else {
      throw MigrationError(
        .refused,
        "The entity mapping \(mapping.name) has not both a source and a destination.",
        recovery: "Leave it to the engine, or name both entities."
      )
    }
    let source = try manager.sourceContext.layout(of: sourceName)
    let destination = try manager.destinationContext.layout(of: destinationName)
    let resolution = manager.resolved.entities[index]
    self.index = index
    self.mapping = mapping
    self.policy = policy
    reference = MappingReference(mapping, index: index)
    self.keepsKeys = keepsKeys
    self.source = source
    self.destination = destination
    let derived = resolution?.derived ?? []
    assignments =
      try mapping.attributeMappings.compactMap { attribute -> Assignment? in
        if derived.contains(attribute.name) { return nil }
        guard let expression = attribute.valueExpression else { return nil }
        guard case .attribute(let to) = try destination.property(attribute.name) else {
          return .evaluate(Valuation(name: attribute.name, expression: expression))
        }
        guard let origin = resolution?.attributes[attribute.name],
          origin.isOfStoredValue, let carried = origin.unchanged.carriedProperty,
          case .attribute(let from)? = source.properties[carried],
          to.attribute.attributeType.takesValues(of: from.attribute.attributeType)
        else { return .evaluate(Valuation(name: attribute.name, expression: expression)) }
        let conversion = ValueConversion(origin, from: from.attribute, to: to.attribute)
        let isCopy =
          conversion.steps.isEmpty
          && from.attribute.attributeType == to.attribute.attributeType
        return isCopy
          ? .copy(from: from.slot, to: to.slot)
          : .convert(from: from.slot, to: to, conversion)
      }
      + derived.sorted().compactMap { name in
        // The stored value is kept even if the mapping has another, as where SQL makes the objects.
        guard let carried = resolution?.attributes[name]?.carriedProperty,
          case .attribute(let from)? = source.properties[carried],
          case .attribute(let to)? = destination.properties[name]
        else { return nil }
        return .copy(from: from.slot, to: to.slot)
      }
    carried = Self.carried(assignments, of: destination)
    relationships = try mapping.relationshipMappings.compactMap { relationship in
      _ = try destination.property(relationship.name)
      return relationship.valueExpression.map {
        Valuation(name: relationship.name, expression: $0)
      }
    }
    pieces = mapping.pieces
    hasPieces = pieces != nil
    let compiler = ExpressionCompiler(
      schema: manager.sourceContext.schema,
      database: manager.sourceContext.configuration.schemaName,
      entity: sourceName,
      alias: "s",
      now: manager.now
    )
    let condition = mapping.sourcePredicate.flatMap { compiler.compile($0) }
    filter = condition == nil ? mapping.sourcePredicate : nil
    isFiltered = filter != nil
    let columns = source.columns.map { ", s.\(SQL.identifier($0))" }.joined()
    cursorSQL =
      "SELECT s.Z_PK\(columns) FROM \(source.table) AS s WHERE s.Z_ENT = \(source.number)"
      + " AND s.Z_PK > ?\(condition.map { " AND (\($0))" } ?? "") ORDER BY s.Z_PK LIMIT ?"
    let keys = mapping.deduplicationKeys
    deduplication =
      keys.isEmpty
      ? nil
      : try Deduplication(
        keys,
        of: destination,
        database: manager.destinationContext.database,
        scratch: manager.associations.schema
      )
  }

  /// Whether the second phase of the mapping has nothing to do.
  var connectsNothing: Bool {
    relationships.isEmpty && hasNoPolicy
  }

  /// Whether the mapping has no policy of its own, so that only its expressions decide.
  var hasNoPolicy: Bool { type(of: policy) == EntityMigrationPolicy.self }

  /// Returns whether the mapping takes a source object that the cursor gave.
  func accepts(_ source: ManagedObject, manager: MigrationManager) throws -> Bool {
    guard isFiltered, let predicate = filter else { return true }
    return try manager.evaluate(predicate, at: "filter", for: source)
  }
}

extension MappingPass {
  private static func carried(
    _ assignments: [Assignment],
    of destination: EntityLayout
  ) -> (slots: SlotSet, columns: [Int]) {
    var slots = SlotSet()
    var columns = destination.columns.map { _ in 0 }
    var assigned: Set<Int> = []
    for assignment in assignments {
      let slot: Int
      switch assignment {
      case .copy(let from, let to):
        slots.insert(to)
        columns[to] = from
        slot = to
      case .convert(_, let to, _): slot = to.slot
      case .evaluate(let property):
        guard case .attribute(let to)? = destination.properties[property.name] else { continue }
        slot = to.slot
      }
      guard assigned.insert(slot).inserted else { return (SlotSet(), columns) }
    }
    return (slots, columns)
  }

  /// Gives a new object the values of the attribute mappings.
  func assignAttributes(
    of object: ManagedObject,
    from source: ManagedObject,
    manager: MigrationManager
  ) throws {
    let folder = manager.sourceContext.externalData
    let isAtHand = manager.sourceContext.isAtHand(source)
    if isAtHand { object.carried = carried.slots }
    for assignment in assignments {
      switch assignment {
      case .copy(let from, let to):
        if isAtHand, carried.slots.contains(to) { continue }
        try object.set(source.stored(from), slot: to)
      case .convert(let from, let to, let conversion):
        // An expression before may have let the object be written.
        try object.set(converted(source.stored(from), to, conversion, folder), slot: to.slot)
      case .evaluate(let property):
        let value = try manager.evaluate(
          property.expression,
          at: property.name,
          source: source,
          destination: object
        )
        try Self.fitting(source) { try object.setValue(value, forKey: property.name) }
      }
    }
  }

  /// Runs a closure that sets the value of an expression, and reports a value that does not fit as a plan
  /// does.
  private static func fitting<Value>(
    _ source: ManagedObject,
    _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch var error as MigrationError
      where error.code == .failed && error.refusal == nil
    {
      error.refusal = FindingCode.expressionDoesNotFit.rawValue
      error.message +=
        " An expression gives it for the row of \(source.entity.name) with the key \(source.key)."
      throw error
    }
  }

  /// Returns the row that the attribute mappings give, of an object that may not come to be.
  func attributeValues(
    from source: ManagedObject,
    manager: MigrationManager
  ) throws -> [SQLiteValue] {
    try source.load()
    let folder = manager.sourceContext.externalData
    var values = try destination.defaults
    for assignment in assignments {
      switch assignment {
      case .copy(let from, let to): values[to] = source.values[from]
      case .convert(let from, let to, let conversion):
        values[to.slot] = try converted(source.values[from], to, conversion, folder)
      case .evaluate(let property):
        guard case .attribute(let slot)? = destination.properties[property.name] else {
          continue
        }
        let value = try manager.evaluate(
          property.expression,
          at: property.name,
          source: source,
          destination: nil
        )
        values[slot.slot] = try Self.fitting(source) { try slot.stored(value) }
      }
    }
    return values
  }

  /// Returns a source column's value in the form that another column keeps.
  ///
  /// For a mapping without a policy the run has checked its rows, and the user may have accepted
  /// changes of numbers that do not fit: these are bounded, as where SQL makes the objects.
  private func converted(
    _ stored: SQLiteValue,
    _ slot: AttributeSlot,
    _ conversion: ValueConversion,
    _ folder: String
  ) throws -> SQLiteValue {
    mapping.entityMigrationPolicyClassName == nil
      ? try conversion.value(stored, folder: folder)
      : try slot.whole(stored, conversion, folder: folder)
  }

  /// Throws if a relationship depends on the part that made its object, now unknown.
  func checkPieces() throws {
    guard hasPieces else { return }
    let names: Set = [EntityMapping.Pieces.variable, EntityMapping.Pieces.indexVariable]
    let mentions = relationships.first { relationship in
      names.contains { relationship.expression.description.contains("$\($0)") }
    }
    guard let mentions else { return }
    throw MigrationError(
      .refused,
      "The relationship \(mentions.name) of the entity mapping \(mapping.name) depends on the part"
        + " that made the object.",
      recovery: "Keep the part in an attribute, and use that."
    )
  }
}

extension AttributeSlot {
  /// Returns a source column's value as this column keeps it.
  ///
  /// No precondition covers the values that a policy gets: a number that does not fit is refused, and not
  /// bounded.
  fileprivate func whole(
    _ stored: SQLiteValue,
    _ conversion: ValueConversion,
    folder: String
  ) throws -> SQLiteValue {
    let value = try conversion.value(stored, folder: folder)
    let fits =
      switch (stored, value) {
      case (.integer(let old), .integer(let new)): old == new
      case (.integer(let old), .real(let new)): Int64(exactly: new) == old
      case (.real(let old), .integer(let new)): Int64(exactly: old) == new
      case (.real, .real(let new)):
        attribute.attributeType != .float || Float(new).isFinite || !new.isFinite
      default: true
      }
    guard fits else {
      throw MigrationError(
        .failed,
        "A row has a number that \(place) cannot hold as it is.",
        recovery: "Convert it by an expression, or leave such rows out by the mapping's predicate."
      )
    }
    return value
  }
}
