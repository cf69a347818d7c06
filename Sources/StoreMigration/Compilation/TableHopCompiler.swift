import MigrationPlanning
import ObjectModel
import StoreAccess

/// A compiler of a hop's mapping into SQL on the tables of two physical schemas.
///
/// The source's tables are named through the schema `old`, where the previous checkpoint is
/// attached; a source row is `s`.
struct TableHopCompiler {
  let source: PhysicalSchema
  let destination: PhysicalSchema
  let mapping: ResolvedMapping
  /// The SQL of values that expressions compute, by destination entity and column.
  private let computed: [String: [String: String]]
  var linkQueries: [String] = []

  /// Returns the program of the hop.
  ///
  /// - Parameters:
  ///   - objects: The program of an authored mapping, which has the values that its expressions compute,
  ///     and its preconditions; nil for any other mapping.
  ///   - preconditions: The preconditions checked on the rows before it; nil for the mapping's own.
  /// - Throws: ``MigrationError`` where the mapping is not one that SQL can run.
  /// - Complexity: O(*c* · *e*) in the columns and entities of the largest table.
  static func compile(
    source: PhysicalSchema,
    destination: PhysicalSchema,
    mapping: ResolvedMapping,
    values objects: ObjectHopProgram?,
    asking preconditions: [Precondition]?
  ) throws(MigrationError) -> TableHopProgram {
    try mapping.checkOneToOne()
    var computed: [String: [String: String]] = [:]
    for creation in objects?.creations.compactMap(\.self) ?? [] {
      let entity = mapping.mapping.entityMappings[creation.mapping].destinationEntityName ?? ""
      computed[entity] = Dictionary(creation.values.map { ($0.column, $0.sql) }) { first, _ in first
      }
    }
    var compiler = TableHopCompiler(
      source: source,
      destination: destination,
      mapping: mapping,
      computed: computed
    )
    var tables: [TableHopProgram.Table] = []
    for table in destination.tables { tables.append(try compiler.compile(table)) }
    let joins = destination.joinTables.map { compiler.compile($0) }
    return TableHopProgram(
      tables: tables,
      joins: joins,
      links: compiler.linkQueries.enumerated().map {
        TableHopProgram.Links(name: linksName($0), query: $1)
      },
      preconditions: objects?.preconditions ?? preconditions
        ?? HopPreconditions(mapping: mapping).all
    )
  }

  /// Returns the name of the temporary table with the links of the given number.
  static func linksName(_ index: Int) -> String { "waystone_links_\(index)" }

  // MARK: Entity tables

  private mutating func compile(_ table: EntityTable) throws(MigrationError)
    -> TableHopProgram.Table
  {
    let members = destination.model.hierarchyNames(below: table.rootEntityName)
    let rows = members.compactMap(mapping.maker)
    let roots = Set(rows.map { source.model.rootEntityName(of: $0.source) })
    guard roots.count <= 1 else {
      throw MigrationError(
        .refused,
        "The entities below \(table.rootEntityName) come from several hierarchies: "
          + "\(roots.sorted(by: ByteOrder.precedes).joined(separator: ", ")).",
        recovery: "Keep them apart, or write an authored edge."
      )
    }
    guard let root = roots.first, let sourceTable = source.table(of: root) else {
      return TableHopProgram.Table(
        destination: table,
        source: nil,
        values: table.columns.map { _ in .null },
        filter: nil
      )
    }
    let all = source.model.hierarchyNames(below: root)
    let isDropped = all.contains { name in
      source.model[name]?.isAbstract != true && !rows.contains { $0.source == name }
    }
    var values: [ColumnValue] = []
    for column in table.columns { values.append(value(of: column, rows: rows)) }
    let numbers = rows.compactMap { source.entityNumber($0.source) }.sorted()
    return TableHopProgram.Table(
      destination: table,
      source: sourceTable,
      values: values,
      filter: isDropped
        ? "s.Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))" : nil
    )
  }

  private mutating func value(of column: SchemaColumn, rows: [ResolvedEntityMapping]) -> ColumnValue
  {
    switch column.role {
    case .primaryKey: return .column("Z_PK")
    case .optimisticLock: return .column("Z_OPT")
    case .entityNumber: return entityNumber(rows)
    case .attribute(let entity, let name):
      return fold(rows) { compiler, row in
        guard compiler.destination.model.isKind(row.destination, of: entity) else { return nil }
        return compiler.attribute(name, row: row)
      }
    case .toOneKey(let entity, let relationship):
      return fold(rows) { compiler, row in
        guard compiler.destination.model.isKind(row.destination, of: entity) else { return nil }
        return compiler.key(of: relationship, row: row)
      }
    case .toOneEntity(let entity, let relationship):
      return fold(rows) { compiler, row in
        guard compiler.destination.model.isKind(row.destination, of: entity) else { return nil }
        return compiler.referencedEntity(of: relationship, row: row)
      }
    case .orderKey(let entity, let relationship):
      return fold(rows) { compiler, row in
        guard compiler.destination.model.isKind(row.destination, of: entity) else { return nil }
        return compiler.order(of: relationship, row: row)
      }
    case .oneSidedOwner(let entity, let relationship):
      return oneSided(relationship, of: entity, rows: rows, wantsOrder: false)
    case .oneSidedOrder(let entity, let relationship):
      return oneSided(relationship, of: entity, rows: rows, wantsOrder: true)
    case .joinKey, .joinOrder: return .null
    }
  }

  private func entityNumber(_ rows: [ResolvedEntityMapping]) -> ColumnValue {
    let pairs = rows.compactMap { row -> (Int, Int)? in
      guard let old = source.entityNumber(row.source),
        let new = destination.entityNumber(row.destination)
      else { return nil }
      return (old, new)
    }
    guard pairs.contains(where: { $0.0 != $0.1 }) else { return .column("Z_ENT") }
    return .expression(Self.renumber("s.Z_ENT", pairs))
  }

  /// Returns the expression that maps old entity numbers to new ones, and all others to NULL.
  static func renumber(_ operand: String, _ pairs: [(Int, Int)]) -> String {
    let cases = pairs.sorted { $0.0 < $1.0 }.map { "WHEN \($0.0) THEN \($0.1)" }
    return cases.isEmpty ? "NULL" : "CASE \(operand) \(cases.joined(separator: " ")) END"
  }

  /// Returns one value for all rows of a table, from the value for each source entity.
  ///
  /// A source column is carried as it is only if every entity whose rows use it agrees.
  mutating func fold(
    _ rows: [ResolvedEntityMapping],
    _ value: (inout TableHopCompiler, ResolvedEntityMapping) -> ColumnValue?
  ) -> ColumnValue {
    let rows = rows.filter { source.model[$0.source]?.isAbstract != true }
    if rows.count == 1 { return value(&self, rows[0]) ?? .null }
    var values: [(row: ResolvedEntityMapping, value: ColumnValue)] = []
    for row in rows { values.append((row, value(&self, row) ?? .null)) }
    let distinct = Set(values.map(\.value))
    if distinct.count <= 1 { return distinct.first ?? .null }
    let carried = distinct.subtracting([.null])
    if carried.count == 1, case .column(let name)? = carried.first,
      values.allSatisfy({ $0.value != .null || !uses(column: name, $0.row.source) })
    {
      return .column(name)
    }
    let cases = values.compactMap { row, value -> String? in
      guard value != .null, let number = source.entityNumber(row.source) else { return nil }
      return "WHEN \(number) THEN \(value.sql)"
    }
    return .expression("CASE s.Z_ENT \(cases.joined(separator: " ")) END")
  }

  /// Returns whether rows of a source entity may have a value in a column of their table.
  private func uses(column name: String, _ entity: String) -> Bool {
    guard let column = source.table(of: entity)?.columns.first(where: { $0.name == name }) else {
      return true
    }
    switch column.role {
    case .primaryKey, .entityNumber, .optimisticLock: return true
    case .attribute(let owner, _), .toOneKey(let owner, _), .toOneEntity(let owner, _),
      .orderKey(let owner, _):
      return source.model.isKind(entity, of: owner)
    case .joinKey, .joinOrder: return true
    case .oneSidedOwner(let owner, let name), .oneSidedOrder(let owner, let name):
      let relationship = source.model.property(name, of: owner)?.property.relationship
      return relationship.map { source.model.isKind(entity, of: $0.destinationEntityName) } ?? true
    }
  }

  // MARK: Attributes

  private func attribute(_ name: String, row: ResolvedEntityMapping) -> ColumnValue? {
    guard
      let attribute = destination.model.property(name, of: row.destination)?.property.attribute,
      let origin = row.attributes[name]
    else { return nil }
    if origin.isComputed {
      let column = destination.column(of: name, in: row.destination)?.name
      return column.flatMap { computed[row.destination]?[$0] }.map { .expression($0) }
    }
    return ColumnValue(origin, of: attribute, from: row.source, in: source)
  }
}
