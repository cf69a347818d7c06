internal import ObjectModel
package import StoreAccess

/// The facts about a store that no digest of its objects covers.
public struct StoreIdentity: Codable, Hashable, Sendable {
  /// `Z_UUID`, which is part of every object's URI.
  public var identifier: String
  /// The digest of the statement of each trigger that the model does not explain, by its name; nil where
  /// there are none.
  public var triggers: [String: String]?
  /// The app's own tables, which neither a model nor Core Data explains, by their names; nil in
  /// certificates of earlier builds, which do not record them.
  public var tables: [String: Table]?

  /// A table of the app's own.
  public struct Table: Codable, Hashable, Sendable {
    /// The number of rows.
    public var rows: Int64
    /// The digest of the rows.
    public var digest: String
  }

  /// Makes the identity of an open store, whose metadata and schema were read already.
  ///
  /// - Throws: `SQLiteError` where a table cannot be read.
  /// - Complexity: One pass over the tables of the app's own.
  package init(
    _ metadata: StoreMetadata,
    _ real: StoreSchema,
    _ schema: PhysicalSchema,
    of connection: borrowing SQLiteConnection
  ) throws {
    identifier = metadata.uuid
    let known = Set(schema.triggers.map(\.name))
    let foreign = real.triggers.filter { !known.contains($0.name) }.map { trigger in
      var hash = SHA256()
      hash.update(trigger.sql.utf8)
      return (trigger.name, Hexadecimal.string(hash.finalize()))
    }
    triggers = foreign.isEmpty ? nil : Dictionary(foreign) { $1 }
    var tables: [String: Table] = [:]
    for name in try Self.foreignTables(of: connection, schema) {
      let digest = try TableDigest(
        of: SQL.scan("main", name),
        columns: UnmodeledTable(name, in: "main", on: connection).columns,
        connection
      )
      tables[name] = Table(rows: digest.rowCount, digest: digest.hash)
    }
    self.tables = tables
  }

  /// Returns the names of the tables that neither the model nor Core Data explains.
  ///
  /// A table in Core Data's form, or named as a join table, was left by a deferred cleanup. Unlike
  /// `UnmodeledObjects`, which a run uses, this refuses nothing.
  private static func foreignTables(
    of connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema
  ) throws -> [String] {
    let known = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    return try SchemaObject.all(in: connection).filter {
      $0.kind == .table && !$0.isVirtual && !$0.isOfEntities && !known.contains($0.name)
        && !$0.name.lowercased().hasPrefix("sqlite_") && $0.name.prefixMatch(of: /Z_[0-9]/) == nil
        && SystemTable(rawValue: $0.name) == nil && !SystemTable.isInternal($0.name)
    }.map(\.name)
  }

  /// Reads the identity of a store.
  ///
  /// - Throws: `StoreAccessError` or `SQLiteError` where it cannot be read.
  init(of connection: borrowing SQLiteConnection, _ schema: PhysicalSchema) throws {
    try self.init(
      StoreMetadata(reading: connection, schema: "main"),
      StoreSchema(of: connection),
      schema,
      of: connection
    )
  }

  /// Returns whether a store has the app's own tables that were written down here, if any were.
  package func hasTables(of other: StoreIdentity) -> Bool {
    guard let tables, let found = other.tables else { return true }
    return tables == found
  }

  /// Returns the differences from a store that should be the same one.
  package func differences(from other: StoreIdentity) -> [String] {
    var differences: [String] = []
    if identifier != other.identifier {
      differences.append("its identifier (Z_UUID) is not the one that was certified")
    }
    differences += Self.differences("trigger", triggers ?? [:], other.triggers ?? [:])
    if let tables, let found = other.tables {
      differences += Self.differences("table", tables, found)
    }
    return differences
  }

  private static func differences<Value: Equatable>(
    _ kind: String,
    _ own: [String: Value],
    _ found: [String: Value]
  ) -> [String] {
    Set(own.keys).union(found.keys).sorted().filter { own[$0] != found[$0] }.map { name in
      let what = own[name] == nil ? "was added" : found[name] == nil ? "is gone" : "has changed"
      return "the \(kind) \(name) \(what) since it was certified"
    }
  }
}
