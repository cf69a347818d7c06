internal import ObjectModel
package import StoreAccess

/// What a store is besides what its objects say: no digest of these tells it.
public struct StoreIdentity: Codable, Hashable, Sendable {
  /// `Z_UUID`, which is part of every object's URI.
  public var identifier: String
  /// The digest of the statement of each trigger that the model does not explain, by its name; nil where
  /// there are none.
  public var triggers: [String: String]?

  /// What a store is that was read already.
  package init(_ metadata: StoreMetadata, _ real: StoreSchema, _ schema: PhysicalSchema) {
    identifier = metadata.uuid
    let known = Set(schema.triggers.map(\.name))
    let foreign = real.triggers.filter { !known.contains($0.name) }.map { trigger in
      var hash = SHA256()
      hash.update(trigger.sql.utf8)
      return (trigger.name, Hexadecimal.string(hash.finalize()))
    }
    triggers = foreign.isEmpty ? nil : Dictionary(foreign) { $1 }
  }

  /// What a store is.
  ///
  /// - Throws: `StoreAccessError` or `SQLiteError` where it cannot be read.
  init(of connection: borrowing SQLiteConnection, _ schema: PhysicalSchema) throws {
    self.init(
      try StoreMetadata(reading: connection, schema: "main"),
      try StoreSchema(of: connection),
      schema
    )
  }

  /// In what a store differs that is to be the same one.
  package func differences(from other: StoreIdentity) -> [String] {
    var differences: [String] = []
    if identifier != other.identifier {
      differences.append("its identifier (Z_UUID) is not the one that was certified")
    }
    let (own, found) = (triggers ?? [:], other.triggers ?? [:])
    for name in Set(own.keys).union(found.keys).sorted() where own[name] != found[name] {
      let what = own[name] == nil ? "was added" : found[name] == nil ? "is gone" : "is another"
      differences.append("the trigger \(name) \(what) since it was certified")
    }
    return differences
  }
}
