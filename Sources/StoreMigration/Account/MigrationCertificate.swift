import Files
public import MigrationPlanning
package import ObjectModel
package import StoreAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The counts that a run carried, hop by hop and in all, with digests of the store and its result.
///
/// It names entities, properties, counts and digests, and never a value of a row. Digests are those
/// of `waystone digest`: of a store's content, and not of its bytes.
public struct MigrationCertificate: Codable, Hashable, Sendable {
  /// A store at one end of the run.
  public struct Side: Codable, Hashable, Sendable {
    /// The name of the version.
    public var version: String
    /// The version hash of each entity, in hexadecimal digits.
    public var versionHashes: [String: String]
    /// The digest of the store's content, in hexadecimal digits.
    public var digest: String
    /// The concrete entities, by name.
    public var entities: [Entity]
    /// The identity of the store beside its objects: identifier, triggers, own tables.
    public var identity: StoreIdentity
    /// The links that lead from or to no object, which are in no account; nil where there are none.
    ///
    /// Links that the source has and the result lacks are lost.
    public var dangling: [DanglingLinks]?

    /// The objects of one entity.
    public struct Entity: Codable, Hashable, Sendable {
      /// The name.
      public var name: String
      /// The number of objects.
      public var objects: Int64
      /// The digest of the objects.
      public var digest: String
      /// Their values whose external files are not there, so that the files' names were digested
      /// instead; nil where there are none.
      public var missingFiles: Int64?
    }
  }

  /// The handlers and SQL of a hop, which run around its mapping and may change any count.
  public struct Actions: Codable, Hashable, Sendable {
    /// The place of its account, from 1.
    public var hop: Int
    /// Whether some run before the mapping.
    public var before: Bool
    /// Whether some run after it.
    public var after: Bool
  }

  /// A piece of content beyond the store's model that the run dropped because the user accepted it.
  public struct Unexplained: Codable, Hashable, Sendable {
    /// The table, and the column where it is one.
    public var place: String
    /// The number of values, or of rows.
    public var count: Int64
  }

  /// The form of the certificate: `waystone.certificate/1`.
  public var schema = Self.schema
  /// The store as the run found it.
  public var source: Side
  /// The result's side.
  public var result: Side
  /// The account of each hop; hops that ran in one pass have one.
  public var hops: [HopReconciliation]
  /// The account of all hops together.
  public var total: HopReconciliation
  /// The hops with actions, whose work no account counts; nil where no hop has any.
  public var actions: [Actions]?
  /// The dropped content that the model does not explain; nil where there is none.
  public var unexplained: [Unexplained]?

  package static let schema = "waystone.certificate/1"
  /// The greatest file that is read as one, in bytes.
  package static let greatestSize = 256 << 20

  /// An end of the run.
  package enum End: String, Hashable, Sendable, CaseIterable {
    case result
    case source
  }

  /// Returns the certified side of an end.
  package func side(_ end: End) -> Side {
    switch end {
    case .result: result
    case .source: source
    }
  }

  /// Returns the end of the run whose content digest a store has; nil where neither end has it.
  ///
  /// Where both ends have the same digest, the version hashes decide.
  package func end(_ digest: LogicalDigest, _ hashes: [String: VersionHash]) -> End? {
    let ends = End.allCases.filter { side($0).digest == digest.hash }
    return ends.first { side($0).isOfVersion(hashes) } ?? ends.first
  }
}

extension MigrationCertificate {
  /// Writes the certificate as JSON, in an order that does not change, to a path where nothing is, or
  /// that very certificate.
  ///
  /// - Throws: `FileError`; `exists` where something else is there.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    do throws(FileError) {
      try AtomicFile.write(text, to: path, as: .newFile)
    } catch {
      guard error.code == .exists, try Self.bytes(at: path) == Array(text.utf8) else { throw error }
    }
  }

  private static func bytes(at path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(plainFile: path, limit: Int64(greatestSize))
    return try file.read(count: Int(file.status().size), at: 0)
  }
}

extension MigrationCertificate.Side {
  /// Makes a side of a store's version, digest and identity.
  init(
    _ version: String,
    _ model: ManagedObjectModel,
    _ digest: LogicalDigest,
    _ identity: StoreIdentity,
    dangling: [DanglingLinks]
  ) {
    self.identity = identity
    self.dangling = dangling.isEmpty ? nil : dangling
    self.version = version
    versionHashes = model.entityVersionHashes.mapValues(\.description)
    self.digest = digest.hash
    entities = digest.entities.map { entity in
      Entity(
        name: entity.name,
        objects: entity.rowCount,
        digest: entity.hash,
        missingFiles: entity.missingFileCount > 0 ? entity.missingFileCount : nil
      )
    }
  }

  /// Returns whether it has the version hashes of a store.
  package func isOfVersion(_ hashes: [String: VersionHash]) -> Bool {
    versionHashes == hashes.mapValues(\.description)
  }

  /// Returns the entities whose digests differ from those of another store.
  package func differences(from digest: LogicalDigest) -> [String] {
    let found = Dictionary(
      digest.entities.map { ($0.name, $0.hash) },
      uniquingKeysWith: { $1 }
    )
    let names = Set(entities.map(\.name)).union(found.keys)
    let own = Dictionary(entities.map { ($0.name, $0.digest) }, uniquingKeysWith: { $1 })
    return names.filter { own[$0] != found[$0] }.sorted()
  }
}
