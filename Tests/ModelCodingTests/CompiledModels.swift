import MigrationTestSupport
import ModelCoding
import ObjectModel
import PropertyLists
import StoreAccess

/// The compiled models of public apps: `.mom` files, and those that stores carry.
struct CompiledModel: Sendable, CustomStringConvertible {
  let path: String
  /// The keyed archive, empty where a store's cache does not inflate.
  let archive: [UInt8]
  let decoded: Result<DecodedModel, ModelCodingError>
  let isCache: Bool
  /// The version hashes that Core Data itself wrote for the model.
  let hashes: [String: VersionHash]

  var description: String { String(path.dropFirst((Corpus.root ?? "").count + 1)) }

  static let all: [CompiledModel] = {
    let others = [".omo", ".plist", "-wal", "-shm", "contents", ".swift", ".json", ".xml"]
    let files = Corpus.files { path in others.allSatisfy { !path.hasSuffix($0) } }
    return files.compactMap { path in
      path.hasSuffix(".mom") ? compiled(path) : cached(path)
    }
  }()

  private static func compiled(_ path: String) -> CompiledModel? {
    guard let bytes = TemporaryFolder.bytes(of: path), let slash = path.lastIndex(of: "/") else {
      return nil
    }
    let folder = path[..<slash]
    let name = String(path[path.index(after: slash)...].dropLast(4))
    let list = TemporaryFolder.bytes(of: "\(folder)/VersionInfo.plist").flatMap {
      try? PropertyList(binary: $0)
    }
    let versions = list?.dictionary?["NSManagedObjectModel_VersionHashes"]?.dictionary
    let hashes = Self.hashes(versions?[name])
    return CompiledModel(
      path: path,
      archive: bytes,
      decoded: Result { () throws(ModelCodingError) in try ModelArchiveDecoder.decode(bytes) },
      isCache: false,
      hashes: hashes
    )
  }

  private static func cached(_ path: String) -> CompiledModel? {
    let magic = Array("SQLite format 3".utf8)
    guard let file = TemporaryFolder.bytes(of: path), file.starts(with: magic),
      let store = try? SQLiteConnection(path: path, access: .quiescent),
      let blob = try? store.rows("SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first?.blob,
      let metadata = try? store.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first?.blob,
      let list = try? PropertyList(binary: metadata).dictionary
    else { return nil }
    return CompiledModel(
      path: path,
      archive: (try? RawDeflate.inflate(blob, maximumSize: ModelCache.maximumSize)) ?? [],
      decoded: Result { () throws(ModelCodingError) in try ModelCache.decode(blob) },
      isCache: true,
      hashes: hashes(list["NSStoreModelVersionHashes"])
    )
  }

  private static func hashes(_ list: PropertyList?) -> [String: VersionHash] {
    (list?.dictionary ?? [:]).compactMapValues { $0.data.flatMap { VersionHash($0) } }
  }
}
