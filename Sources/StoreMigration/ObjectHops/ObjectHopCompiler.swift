import MigrationPlanning
import ObjectModel
import StoreAccess

/// A compiler of an authored mapping into SQL, which marks the parts that are left to code.
///
/// The source's tables are named through the schema `old`; a source row is `s`.
struct ObjectHopCompiler {
  let source: PhysicalSchema
  let destination: PhysicalSchema
  let resolved: ResolvedMapping
  let keys: KeyAllocator

  var mapping: MappingModel { resolved.mapping }

  /// Compiles a mapping.
  ///
  /// - Throws: ``MigrationError`` with `refused` where it names a part that the models lack.
  static func compile(
    source: PhysicalSchema,
    destination: PhysicalSchema,
    mapping: ResolvedMapping
  ) throws(MigrationError) -> ObjectHopProgram {
    let compiler = ObjectHopCompiler(
      source: source,
      destination: destination,
      resolved: mapping,
      keys: KeyAllocator(
        source: source.model,
        destination: destination.model,
        mapping: mapping.mapping
      )
    )
    return try compiler.program()
  }

  private func program() throws(MigrationError) -> ObjectHopProgram {
    var creations: [ObjectHopProgram.Creation?] = []
    var connections: [[ObjectHopProgram.Connection]] = []
    var rowCreations: Set<Int> = []
    var rowConnections: Set<Int> = []
    var names: Set<String> = []
    for (index, entity) in mapping.entityMappings.enumerated() {
      guard names.insert(entity.name).inserted else {
        throw refusal(entity, "has the name of another one", "Give each a name of its own.")
      }
      guard let ends = try ends(of: entity), let choice = keys.choices[index],
        let resolution = resolved.entities[index]
      else {
        creations.append(nil)
        connections.append([])
        continue
      }
      try checkProperties(of: entity)
      let isCoded = entity.entityMigrationPolicyClassName != nil
      let creation = isCoded ? nil : try creation(index, resolution, ends, choice)
      creations.append(creation)
      if creation == nil { rowCreations.insert(index) }
      if !isCoded, let links = try self.connections(index, resolution, ends) {
        connections.append(links)
      } else {
        connections.append([])
        rowConnections.insert(index)
      }
    }
    for index in mapping.entityMappings.indices where sharesObjects(index, rowCreations) {
      creations[index] = nil
      rowCreations.insert(index)
    }
    connections = unrepeated(contested(connections, rowConnections))
    // Code that makes objects finds none connected yet.
    for index in connections.indices where rowCreations.isEmpty && rowConnections.isEmpty {
      guard creations[index]?.deduplication.isEmpty == true else { continue }
      connections[index].removeAll { connection in
        guard let value = createdKey(connection) else { return false }
        creations[index]?.values.append(value)
        return true
      }
    }
    return ObjectHopProgram(
      mapping: mapping,
      keys: keys,
      creations: creations,
      connections: connections,
      rowCreations: rowCreations,
      rowConnections: rowConnections,
      preconditions: HopPreconditions(mapping: resolved).ofValues
    )
  }

  /// Returns whether a mapping must find the objects that another one's code makes: either both are run
  /// by SQL, or none is.
  private func sharesObjects(_ index: Int, _ rowCreations: Set<Int>) -> Bool {
    let entity = mapping.entityMappings[index]
    guard !entity.deduplicationKeys.isEmpty else { return false }
    return rowCreations.contains { other in
      let other = mapping.entityMappings[other]
      return !other.deduplicationKeys.isEmpty
        && other.destinationEntityName == entity.destinationEntityName
    }
  }

  /// The two entities of a mapping that makes objects.
  struct Ends {
    let source: String
    let sourceTable: EntityTable
    let sourceNumber: Int
    let destination: String
    let destinationTable: EntityTable
    let destinationNumber: Int
  }

  /// Returns the ends of a mapping; nil for one that makes no objects.
  private func ends(of entity: EntityMapping) throws(MigrationError) -> Ends? {
    guard let old = entity.sourceEntityName, let new = entity.destinationEntityName else {
      return nil
    }
    guard let sourceTable = source.table(of: old), let sourceNumber = source.entityNumber(old)
    else {
      throw refusal(entity, "maps \(old), which the source version does not have", Self.correct)
    }
    guard let table = destination.table(of: new), let number = destination.entityNumber(new) else {
      throw refusal(entity, "makes \(new), which the next version does not have", Self.correct)
    }
    if source.model[old]?.isAbstract == true { return nil }
    // A policy may make its objects of any subentity.
    guard
      destination.model[new]?.isAbstract != true || entity.entityMigrationPolicyClassName != nil
    else {
      throw refusal(entity, "makes objects of \(new), which is abstract", Self.correct)
    }
    return Ends(
      source: old,
      sourceTable: sourceTable,
      sourceNumber: sourceNumber,
      destination: new,
      destinationTable: table,
      destinationNumber: number
    )
  }

  static let correct = "Correct the mapping."

  /// Refuses mappings of properties that the destination does not have.
  private func checkProperties(of entity: EntityMapping) throws(MigrationError) {
    let new = entity.destinationEntityName ?? ""
    for property in entity.attributeMappings
    where destination.model.property(property.name, of: new)?.property.attribute == nil {
      throw refusal(
        entity,
        "sets the attribute \(property.name), which \(new) does not have",
        Self.correct
      )
    }
    for property in entity.relationshipMappings
    where destination.model.property(property.name, of: new)?.property.relationship == nil {
      throw refusal(
        entity,
        "sets the relationship \(property.name), which \(new) does not have",
        Self.correct
      )
    }
    for key in entity.deduplicationKeys where destination.column(of: key, in: new) == nil {
      throw refusal(
        entity,
        "deduplicates by \(key), which is no stored attribute of \(new)",
        Self.correct
      )
    }
  }

  func refusal(_ entity: EntityMapping, _ what: String, _ remedy: String) -> MigrationError {
    MigrationError(.refused, "The entity mapping \(entity.name) \(what).", recovery: remedy)
  }

  /// Compiles the SQL that makes a mapping's objects; nil where an expression is for code.
  private func creation(
    _ index: Int,
    _ resolution: ResolvedEntityMapping,
    _ ends: Ends,
    _ choice: KeyAllocator.Choice
  ) throws(MigrationError) -> ObjectHopProgram.Creation? {
    let entity = resolution.mapping
    // The parts of an object are cut by code.
    guard entity.pieces == nil else { return nil }
    var filter: String?
    if let predicate = entity.sourcePredicate, predicate != .all([]) {
      guard let sql = condition(predicate, ends) else { return nil }
      filter = sql
    }
    var values: [(column: String, sql: String)] = []
    for attribute in destination.model.attributes(of: ends.destination) {
      guard let column = destination.column(of: attribute.name, in: ends.destination) else {
        continue
      }
      guard let sql = try value(of: attribute, resolution, ends) else { return nil }
      if sql != "NULL" { values.append((column.name, sql)) }
    }
    return ObjectHopProgram.Creation(
      mapping: index,
      source: ends.sourceTable,
      sourceNumber: ends.sourceNumber,
      destination: ends.destinationTable,
      destinationNumber: ends.destinationNumber,
      values: values,
      filter: filter,
      keys: choice,
      deduplication: entity.deduplicationKeys.compactMap {
        destination.column(of: $0, in: ends.destination)?.name
      }
    )
  }

  /// Returns the SQL of a predicate over source rows `s`; nil where it is for code.
  private func condition(_ predicate: Predicate, _ ends: Ends) -> String? {
    expressions(ends).compile(predicate)
  }

  /// Returns the compiler of expressions over source rows `s`.
  func expressions(_ ends: Ends) -> ExpressionCompiler {
    ExpressionCompiler(schema: source, database: "old", entity: ends.source, alias: "s")
  }
}
