import ModelCoding
public import ObjectModel
import StoreAccess

extension Corpus {
  /// A store of a public app whose model cache can be read.
  public struct Store: Sendable {
    /// The path of the store's file.
    public let path: String
    /// The model in its cache.
    public let model: ManagedObjectModel
  }

  /// All stores of the public apps whose model caches can be read.
  public static let stores: [Store] = files { path in
    ["sqlite", "storedata", "wiredatabase", ".db", ".graphdb", "moody", ".store"].contains {
      path.hasSuffix($0)
    }
  }.compactMap { path in
    guard let connection = try? SQLiteConnection(path: path, access: .quiescent),
      let blob = try? connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first?.blob,
      let model = try? ModelCache.decode(blob).model
    else { return nil }
    return Store(path: path, model: model)
  }
}

extension Corpus.Store: CustomStringConvertible {
  /// The path inside the corpus.
  public var description: String { String(path.dropFirst(Corpus.path("").count)) }
}
