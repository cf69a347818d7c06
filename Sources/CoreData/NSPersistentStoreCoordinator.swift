import Files
import ObjectModel
import StoreMigration
import Synchronization
import Waystone

/// A coordinator: a model, and the store whose objects contexts read and change.
///
/// As Core Data's, for one store. A store of an older version is migrated along Waystone's safe path, where the
/// options ask for it: its original is kept in the folder `STORE.waystone`.
open class NSPersistentStoreCoordinator: NSObject {
  /// The model.
  public let managedObjectModel: NSManagedObjectModel
  /// The stores: one, or none.
  public private(set) var persistentStores: [NSPersistentStore] = []
  /// The name that the app gave the coordinator.
  public var name: String?
  /// The number of saves of all contexts.
  let saves = Atomic<Int>(0)
  /// The contexts that have the coordinator's store open.
  private var contexts: [WeakContext] = []

  /// A context, as long as it is there.
  private struct WeakContext {
    weak var context: NSManagedObjectContext?
  }

  /// Notes a context that opens the store, so that it lets go of it when the store is removed.
  func note(_ context: NSManagedObjectContext) {
    contexts.removeAll { $0.context == nil || $0.context === context }
    contexts.append(WeakContext(context: context))
  }

  /// Makes a coordinator without a store.
  public init(managedObjectModel model: NSManagedObjectModel) { managedObjectModel = model }

  /// Opens a store, which is made where there is none.
  ///
  /// - Parameters:
  ///   - storeType: ``NSSQLiteStoreType`` or ``NSInMemoryStoreType``.
  ///   - configuration: The configuration whose entities the store has; nil for all.
  ///   - storeURL: The file; `/dev/null` for a store that ends with the program.
  ///   - options: The options, such as ``NSMigratePersistentStoresAutomaticallyOption``.
  /// - Throws: An `NSError` of Cocoa's domain: ``NSPersistentStoreIncompatibleVersionHashError`` where the store
  ///   is of another version and the options do not ask for a migration, an error of the migration, or of the
  ///   file.
  /// - Complexity: A few readings of the store, where it is migrated.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String,
    configurationName configuration: String?,
    at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    guard persistentStores.isEmpty else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "The coordinator has a store, and Waystone's have one each.",
        recovery: "Make a coordinator for each store."
      )
    }
    if Self.flag(options, NSPersistentHistoryTrackingKey) {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "The options ask for a persistent history, which Waystone does not write.",
        recovery: "Leave NSPersistentHistoryTrackingKey out."
      )
    }
    do {
      let store = try open(storeType, configuration, storeURL, options)
      store.persistentStoreCoordinator = self
      persistentStores.append(store)
      return store
    } catch { throw NSError.coreData(error, code: NSPersistentStoreOpenError) }
  }

  /// Opens a store, which is made where there is none, as the function with the type's name does.
  @discardableResult
  public func addPersistentStore(
    type storeType: NSPersistentStore.StoreType,
    configuration: String? = nil,
    at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: storeType.rawValue,
      configurationName: configuration,
      at: storeURL,
      options: options
    )
  }

  /// Opens the store that a description names, before the call returns, also where it asks for a later time.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    do {
      try addPersistentStore(
        ofType: storeDescription.type,
        configurationName: storeDescription.configuration,
        at: storeDescription.url,
        options: storeDescription.allOptions
      )
      block(storeDescription, nil)
    } catch { block(storeDescription, error) }
  }

  /// Lets go of a store; contexts of it have no objects afterwards.
  public func remove(_ store: NSPersistentStore) throws {
    persistentStores.removeAll { $0 === store }
    store.persistentStoreCoordinator = nil
    for context in contexts { context.context?.close() }
  }

  /// Returns the store of a file; nil where it is not open here.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// Returns the file of a store.
  public func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: store.opened.path)
  }

  /// Returns the metadata of a store.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

  /// Returns the identifier that a URI means; nil where it is of no store of the coordinator.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let parts = url.path.split(separator: "/")
    guard url.scheme == "x-coredata", parts.count == 2, parts[1].hasPrefix("p"),
      let key = Int64(parts[1].dropFirst()), managedObjectModel.model[String(parts[0])] != nil,
      let store = persistentStores.first(where: {
        $0.identifier.lowercased() == url.host?.lowercased()
      })
    else { return nil }
    let name = String(parts[0])
    return NSManagedObjectID(
      ManagedObjectID(store: .opened, entityName: name, key: key),
      managedObjectModel.entity(named: name),
      in: store
    )
  }

  /// Runs a block.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try block()
  }

  /// Runs a block, at once.
  public func perform(_ block: @escaping () -> Void) { block() }

  static func flag(_ options: [AnyHashable: Any]?, _ key: String) -> Bool {
    switch options?[key] {
    case let flag as Bool: flag
    case let number as NSNumber: number.boolValue
    default: false
    }
  }
}

// MARK: Opening

extension NSPersistentStoreCoordinator {
  private func open(
    _ type: String,
    _ configuration: String?,
    _ url: URL?,
    _ options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore {
    guard [NSSQLiteStoreType, NSInMemoryStoreType].contains(type) else {
      throw NSError.coreData(
        NSPersistentStoreInvalidTypeError,
        "Stores of the type \(type) are not opened.",
        recovery: "Open a store of the type NSSQLiteStoreType."
      )
    }
    var folder: URL?
    if type == NSInMemoryStoreType || url?.path == "/dev/null" {
      folder = URL(fileURLWithPath: FileSystem.temporaryFolder)
        .appendingPathComponent("waystone-memory-\(UUID().uuidString)")
    }
    guard let file = folder?.appendingPathComponent("Memory.sqlite") ?? url, file.isFileURL else {
      throw NSError.coreData(
        NSPersistentStoreOpenError,
        "There is no file to open.",
        recovery: "Give the URL of a file."
      )
    }
    if let folder { try FileSystem.createFolder(folder.path) }
    do {
      let part = try managedObjectModel.part(configuration)
      let isReadOnly = Self.flag(options, NSReadOnlyPersistentStoreOption)
      if try FileSystem.exists(file.path) {
        try Self.bring(file, to: part, of: managedObjectModel, options)
      } else if isReadOnly {
        throw NSError(
          domain: NSCocoaErrorDomain,
          code: CocoaError.fileReadNoSuchFile.rawValue,
          userInfo: [NSFilePathErrorKey: file.path]
        )
      } else {
        try Self.create(file, of: part)
      }
      let seconds = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 10
      return NSPersistentStore(
        try OpenedStore(
          path: file.path,
          model: part,
          isReadOnly: isReadOnly,
          patience: Int32(clamping: Int(max(0, min(seconds, 3600)) * 1000))
        ),
        type: type,
        configuration: configuration,
        url: type == NSInMemoryStoreType ? file : url ?? file,
        options: options,
        temporaryFolder: folder
      )
    } catch {
      if let folder { try? StoreFile.removeFolder(folder.path) }
      throw error
    }
  }

  /// Makes an empty store of a model.
  private static func create(_ file: URL, of model: ManagedObjectModel) throws {
    try StoreFile.removeCompanions(of: file)
    let version = ModelVersion(modelName: "", name: "model", model: model, isCurrent: true)
    try ModelArchive(models: [VersionedModel(name: "model", versions: [version])])
      .generateStore(at: file, rows: 0, seed: .random(in: 0 ... .max))
  }

  /// Brings a store to the version of a model, where it is not of it and the options ask for it.
  private static func bring(
    _ file: URL,
    to model: ManagedObjectModel,
    of whole: NSManagedObjectModel,
    _ options: [AnyHashable: Any]?
  ) throws {
    let metadata = try metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file)
    let hashes = StoreMetadataKeys.hashes(in: metadata)
    guard hashes != model.entityVersionHashes else { return }
    guard flag(options, NSMigratePersistentStoresAutomaticallyOption),
      !flag(options, NSReadOnlyPersistentStoreOption)
    else {
      throw NSError.coreData(
        NSPersistentStoreIncompatibleVersionHashError,
        "The model used to open the store is incompatible with the one used to create the store.",
        recovery: "Open it with NSMigratePersistentStoresAutomaticallyOption, or migrate it first.",
        ["metadata": metadata, NSFilePathErrorKey: file.path]
      )
    }
    try OpenPaths.requireClosed(file, to: "migrated")
    try StoreUpgrade(file, to: model, of: whole, options).run()
  }
}

// MARK: Metadata and files

extension NSPersistentStoreCoordinator {
  /// Returns the metadata of a store that is not open: its version hashes, identifiers and type.
  ///
  /// - Throws: An `NSError` of Cocoa's domain where there is no such store.
  public class func metadataForPersistentStore(
    ofType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    do {
      if OpenPaths.contain(url) { return try OpenPaths.metadata(of: url) }
      return StoreMetadataKeys.dictionary(of: try Store(reading: url))
    } catch let error as WaystoneError where error.code == .missingFile {
      throw NSError(
        domain: NSCocoaErrorDomain,
        code: CocoaError.fileReadNoSuchFile.rawValue,
        userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error]
      )
    } catch { throw NSError.coreData(error, code: NSPersistentStoreOpenError) }
  }

  /// Returns the metadata of a store, as the function with the type's name does.
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: storeType.rawValue, at: url, options: options)
  }

  /// Removes a store's files, which no process may have open; nothing where there is none.
  public func destroyPersistentStore(
    at url: URL,
    ofType storeType: String,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try OpenPaths.requireClosed(url, to: "destroyed")
    do { try StoreFile.remove(url) } catch {
      throw NSError.coreData(error, code: NSPersistentStoreOperationError)
    }
  }

  /// Removes a store's files, as the function with the type's name does.
  public func destroyPersistentStore(
    at url: URL,
    type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws { try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options) }

  /// Puts a copy of a store in the place of another, which no process may have open, by one rename.
  public func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    try OpenPaths.requireClosed(destinationURL, to: "replaced")
    do { try StoreFile.copy(sourceURL, over: destinationURL) } catch {
      throw NSError.coreData(error, code: NSPersistentStoreOperationError)
    }
  }

  /// Puts a copy of a store in the place of another, as the function with the type's name does.
  public func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    type sourceType: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL,
      destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions,
      ofType: sourceType.rawValue
    )
  }

  /// Copies a store to another place, as the function with the type's name does.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore,
    to storeURL: URL,
    options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// Copies a store to another place, where none may be, and opens the copy in its stead.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    let source = self.url(for: store)
    guard [NSSQLiteStoreType, NSInMemoryStoreType].contains(storeType),
      try !FileSystem.exists(url.path)
    else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "\(url.path) is there already, or the type \(storeType) is not written.",
        recovery: "Name a new file of the type NSSQLiteStoreType."
      )
    }
    guard !contexts.contains(where: { $0.context?.hasChanges == true }) else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "A context has changes that are not saved, which would not come with the store.",
        recovery: "Save them, or roll them back, before the store is migrated."
      )
    }
    let configuration =
      store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : store.configurationName
    do { try StoreFile.copy(source, over: url) } catch {
      throw NSError.coreData(error, code: NSPersistentStoreOperationError)
    }
    try remove(store)
    return try addPersistentStore(
      ofType: storeType,
      configurationName: configuration,
      at: url,
      options: options
    )
  }
}
