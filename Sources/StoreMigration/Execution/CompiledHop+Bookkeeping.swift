import MigrationPlanning
import ObjectModel
import StoreAccess

extension CompiledHop {
  /// Makes all that a fresh file has beside rows and indexes, and marks it.
  ///
  /// - Parameters:
  ///   - carried: The source's objects beyond its model, whose tables are copied already.
  ///   - keys: `Z_PRIMARYKEY` of the source.
  ///   - metadata: `Z_METADATA` of the source.
  ///   - issued: The greatest keys that the hop issued, by root entity.
  func writeSurroundings(
    _ carried: UnmodeledObjects,
    keys: PrimaryKeyTable,
    metadata: StoreMetadata,
    issued: [String: Int64] = [:],
    on connection: borrowing SQLiteConnection
  ) throws {
    let writer = SchemaWriter(destination)
    try writer.createTriggers(connection)
    try writer.createSystemTables(connection)
    try writeBookkeeping(on: connection, keys: keys, metadata: metadata, issued: issued)
    for object in carried.others { try connection.create(object) }
    try writeMark(on: connection)
  }

  /// Writes what Core Data keeps beside the rows: numbers and keys, metadata, model cache.
  ///
  /// - Parameters:
  ///   - keys: `Z_PRIMARYKEY` of the source.
  ///   - metadata: `Z_METADATA` of the source.
  ///   - issued: The greatest keys that the hop issued, by root entity.
  func writeBookkeeping(
    on connection: borrowing SQLiteConnection,
    keys: PrimaryKeyTable,
    metadata old: StoreMetadata,
    issued: [String: Int64] = [:]
  ) throws {
    let writer = SchemaWriter(destination)
    try writer.writePrimaryKeys(
      connection,
      greatestKeys: try greatestKeys(on: connection, keys: keys).merging(
        issued,
        uniquingKeysWith: max
      ),
      internalRows: keys.rows.filter {
        $0.entityNumber >= Int64(SystemTable.firstInternalEntityNumber)
      }
    )
    try metadata(from: old).write(to: connection)
    try writer.writeModelCache(connection, modelCache)
  }

  /// Returns the greatest key ever issued in each table, by its root entity: it never falls.
  private func greatestKeys(
    on connection: borrowing SQLiteConnection,
    keys: PrimaryKeyTable
  ) throws -> [String: Int64] {
    var greatest: [String: Int64] = [:]
    for table in destination.tables {
      let (name, root) = (SQL.identifier(table.name), table.rootEntityName)
      let present = try connection.integer("SELECT MAX(Z_PK) FROM main.\(name)") ?? 0
      // An abstract entity has had no object in the table that its rows would have been in.
      let hadObjects = destination.model.hierarchyNames(below: root)
        .flatMap { resolved.makers[$0] ?? [] }
        .contains { source.model[$0.source]?.isAbstract == false }
      let issued = (hadObjects ? keeper(of: root) : nil).flatMap(source.entityNumber)
        .flatMap { keys[Int64($0)]?.maximum }
      greatest[root] = max(present, issued ?? 0)
    }
    return greatest
  }

  /// Returns the root of the source hierarchy that keeps its keys, in the table of a destination's root.
  private func keeper(of root: String) -> String? {
    switch program {
    case .inPlace(_, let program), .tables(let program):
      program.tables.first { $0.destination.rootEntityName == root }?.source?.rootEntityName
    case .objects(let program): program.keys.keepers[root]
    }
  }

  /// The destination entity of each source entity whose objects keep their keys, by name.
  private var destinations: [String: String] {
    if case .objects(let program) = program { return program.destinations }
    return resolved.readers.compactMapValues(\.first?.destination)
  }

  /// The number of each entity that lives on, before and after the hop.
  var renumberings: [(old: Int, new: Int)] {
    let destinations = self.destinations
    return source.entityNumbers.compactMap { name, number in
      guard let new = destinations[name], let renumbered = destination.entityNumber(new)
      else { return nil }
      return (number, renumbered)
    }
  }

  /// The new entity numbers and masks of changed columns of the persistent history.
  ///
  /// The bit mask of changed columns counts the entity's properties. Once these change it would
  /// mean others, so that it is cleared, which means that the columns are not known.
  var historyValues: [String: String] {
    let destinations = self.destinations
    let unchanged = source.entityNumbers.filter { name, _ in
      guard let new = destinations[name] else { return false }
      return Self.persistentNames(source.model, name)
        == Self.persistentNames(destination.model, new)
    }
    let numbers = unchanged.values.sorted().map(String.init).joined(separator: ", ")
    return [
      "ZENTITY": TableHopCompiler.renumber("s.ZENTITY", renumberings.map { ($0.old, $0.new) }),
      "ZCOLUMNS": "CASE WHEN s.ZENTITY IN (\(numbers)) THEN s.ZCOLUMNS END",
    ]
  }

  private static func persistentNames(_ model: ManagedObjectModel, _ entity: String) -> [String] {
    model.properties(of: entity).map(\.property).filter(\.isPersistent).map {
      ($0.relationship == nil ? "a " : "r ") + $0.name
    }
  }
}
