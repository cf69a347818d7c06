import Files
import ModelImport
import ObjectModel
import Waystone

/// The key of the version hashes of a store's entities in its metadata.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The key of the identifiers of a store's model in its metadata.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The key of a store's type in its metadata.
public let NSStoreTypeKey = "NSStoreType"
/// The key of a store's identifier in its metadata.
public let NSStoreUUIDKey = "NSStoreUUID"

extension NSManagedObjectModel {
  /// Reads a model: a `.momd`, whose current version it is, a `.mom`, an `.xcdatamodeld` or an `.xcdatamodel`.
  ///
  /// - Returns: Nil where it cannot be read. `ModelArchive(contentsOf:)` of the library gives the reason.
  public convenience init?(contentsOf url: URL) {
    guard let read = try? Self.version(at: url) else { return nil }
    self.init(read.model, of: read.archive)
  }

  /// Returns the version at a place, with the other versions beside it.
  static func version(at url: URL) throws -> (model: ManagedObjectModel, archive: ModelArchive) {
    let isVersion = ["mom", "xcdatamodel", "omo"].contains(url.pathExtension)
    let folder = url.deletingLastPathComponent()
    let isInside = isVersion && ["momd", "xcdatamodeld"].contains(folder.pathExtension)
    let archive = try ModelArchive(contentsOf: isInside ? folder : url)
    let name = url.deletingPathExtension().lastPathComponent
    let versions = archive.versions
    let named = isInside ? versions.first { $0.name == name } : nil
    guard let found = named ?? (isInside ? nil : archive.models.first?.current) else {
      throw WaystoneError(
        .unknownVersion,
        "\(url.path) is no version of a model that can be read.",
        recovery: "Look at `waystone versions`."
      )
    }
    return (found.model, archive)
  }

  /// Returns the union of the current versions of all models in some bundles; nil where there are none.
  ///
  /// - Parameter bundles: The folders to search; nil for the program's own. There are no application bundles on
  ///   Linux: a bundle's own folder and its folder of resources are searched, and for the program's the folder
  ///   beside it and the resources of the packages that it was built of (`*.resources`).
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let archive = ModelPlaces.archive(of: bundles)
    let current = archive.models.compactMap { $0.current?.model }
    guard !current.isEmpty, let model = try? ManagedObjectModel.merging(current) else { return nil }
    return NSManagedObjectModel(model, of: archive)
  }

  /// Returns the version of the models in some bundles that a store is of; nil where none is.
  public class func mergedModel(
    from bundles: [Bundle]?,
    forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let archive = ModelPlaces.archive(of: bundles)
    let hashes = StoreMetadataKeys.hashes(in: metadata)
    if let version = archive.versions.last(where: { $0.model.entityVersionHashes == hashes }) {
      return NSManagedObjectModel(version.model, of: archive)
    }
    let parts = archive.models.compactMap { model in
      model.versions.last { version in
        !version.model.entities.isEmpty
          && version.model.entityVersionHashes.allSatisfy { hashes[$0.key] == $0.value }
      }?.model
    }
    guard let model = try? ManagedObjectModel.merging(parts), model.entityVersionHashes == hashes
    else { return nil }
    return NSManagedObjectModel(model, of: archive)
  }

  /// Returns the union of models; nil for none, or where two have different entities of one name.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models, !models.isEmpty,
      let merged = try? ManagedObjectModel.merging(models.map(\.model))
    else { return nil }
    self.init(merged, of: models.count == 1 ? models[0].archive : nil)
  }

  /// Returns whether a store is of this version.
  ///
  /// - Parameters:
  ///   - configuration: The configuration whose entities the store has; nil for all.
  ///   - metadata: The store's metadata, with its version hashes.
  public func isConfiguration(
    withName configuration: String?,
    compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    guard let part = try? self.part(configuration) else { return false }
    return part.entityVersionHashes == StoreMetadataKeys.hashes(in: metadata)
  }

  /// Returns the part of the model that a configuration has.
  func part(_ configuration: String?) throws -> ManagedObjectModel {
    guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else { return model }
    guard let names = model.configurations[configuration] else {
      throw NSError.coreData(
        NSPersistentStoreOpenError,
        "The model has no configuration \(configuration).",
        recovery: "Name one of the model's configurations."
      )
    }
    return try model.restricted(to: Set(names))
  }
}

/// The keys of a store's metadata as Core Data's dictionaries have them.
enum StoreMetadataKeys {
  static func hashes(in metadata: [String: Any]) -> [String: VersionHash] {
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    return hashes.compactMapValues { VersionHash(Array($0)) }
  }

  static func dictionary(of store: Store) -> [String: Any] {
    dictionary(store.uuid, store.versionHashes, store.versionIdentifiers)
  }

  static func dictionary(
    _ uuid: String,
    _ hashes: [String: VersionHash],
    _ identifiers: [String]
  ) -> [String: Any] {
    [
      NSStoreTypeKey: NSSQLiteStoreType,
      NSStoreUUIDKey: uuid,
      NSStoreModelVersionHashesKey: hashes.mapValues { Data($0.bytes) },
      NSStoreModelVersionIdentifiersKey: identifiers,
    ]
  }
}

/// The folders in which models and mapping models are searched, as there are no application bundles on Linux.
enum ModelPlaces {
  /// Returns the folders of some bundles; of the program where they are nil.
  static func folders(of bundles: [Bundle]?) -> [URL] {
    var folders: [URL] = []
    for bundle in bundles ?? [Bundle.main] {
      folders += [bundle.resourceURL, bundle.bundleURL].compactMap(\.self)
    }
    if bundles == nil, let program = Bundle.main.executableURL {
      let folder = program.deletingLastPathComponent()
      folders.append(folder)
      let names = (try? Folder(following: folder.path).names()) ?? []
      folders += names.sorted().filter { $0.hasSuffix(".resources") }
        .map { folder.appendingPathComponent($0) }
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  /// Returns the files and folders of some kinds that are right in the folders.
  static func items(of bundles: [Bundle]?, _ kinds: Set<String>) -> [URL] {
    folders(of: bundles).flatMap { folder in
      ((try? Folder(following: folder.path).names()) ?? []).sorted()
        .map { folder.appendingPathComponent($0) }
        .filter { kinds.contains($0.pathExtension) }
    }
  }

  /// The kinds of models.
  static let kinds: Set<String> = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

  /// Returns the models in some bundles; those that cannot be read are left out.
  static func archive(of bundles: [Bundle]?) -> ModelArchive {
    var archive = ModelArchive(models: [])
    var paths: [String] = []
    for url in items(of: bundles, kinds) {
      guard let read = try? ModelArchive(contentsOf: url) else { continue }
      archive.models += read.models
      paths.append(read.path)
    }
    archive.path = paths.joined(separator: "\n")
    return archive
  }

  /// Returns the place of a model by its name; nil where there is none.
  static func model(named name: String, in bundles: [Bundle]? = nil) -> URL? {
    let found = items(of: bundles, kinds).filter {
      $0.deletingPathExtension().lastPathComponent == name
    }
    return found.first { $0.pathExtension == "momd" } ?? found.first
  }
}
