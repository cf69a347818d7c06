public import Foundation
internal import MigrationPlanning
public import ObjectModel
internal import StoreAccess

/// A Core Data store as it was when it was read: its metadata, and none of its rows.
public struct Store: Hashable, Sendable {
  /// An entity that the store holds.
  public struct Entity: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The version hash that the store has for the entity.
    public let versionHash: VersionHash
  }

  /// The absolute path of the store's file.
  package let location: String
  /// The identifier that Core Data gave it.
  public let uuid: String
  /// The version hash of each entity by its name.
  public let versionHashes: [String: VersionHash]
  /// The identifiers that developers gave the model; apps often forget to change them.
  public let versionIdentifiers: [String]
  /// The model that the store carries with it, where it has one with exactly the store's entities:
  /// from it a version is recovered that no archive has.
  public let carriedModel: ManagedObjectModel?

  /// Reads a store without changing it, its `-wal` and its `-shm`.
  ///
  /// - Throws: ``WaystoneError``: `missingFile`, `badFile` where it is no store or damaged, or `inUse`
  ///   where it was written to meanwhile.
  public init(reading url: URL) throws(WaystoneError) {
    self = try WaystoneError.converting { try Store(at: url.filePath) }
  }

  /// Reads a store at an absolute path.
  init(at path: String) throws {
    self.init(try StoreInspection(of: path, at: path, versions: [], rows: .never))
  }

  /// A store whose file was read.
  init(_ inspection: StoreInspection) {
    location = inspection.location
    uuid = inspection.metadata.uuid
    versionHashes = inspection.metadata.versionHashes
    versionIdentifiers = inspection.metadata.versionIdentifiers
    carriedModel = inspection.carriedModel
  }

  /// The location of the store's file.
  public var url: URL { URL(filePath: location) }

  /// The entities, in byte order of their names.
  public var entities: [Entity] {
    versionHashes.map { Entity(name: $0.key, versionHash: $0.value) }
      .sorted { ByteOrder.precedes($0.name, $1.name) }
  }
}
