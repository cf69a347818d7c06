import ObjectModel
import StoreAccess
public import StoreMigration

/// The type of stores in a SQLite database, the only one that is opened.
public let NSSQLiteStoreType = "SQLite"
/// The type of stores that end with the program: a SQLite database in a temporary folder.
public let NSInMemoryStoreType = "InMemory"
/// The type of binary stores, which are not opened.
public let NSBinaryStoreType = "Binary"
/// The type of stores in an XML document, which are not opened.
public let NSXMLStoreType = "XML"

/// The option by which a store of an older version is migrated when it is opened.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The option by which mappings may be inferred where no mapping model leads on.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option by which nothing of a store may be changed.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option that gives the seconds to wait for other writers.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option of SQLite's pragmas, which has no effect: they are the store's own.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option by which a history of changes is kept, which is refused: Waystone writes none.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option whose value, a ``WaystoneMigrationOptions``, has the acceptances, policies and handlers of a
/// migration when a store is opened.
public let WaystoneMigrationOptionsKey = "WaystoneMigrationOptions"

/// The options of Waystone's migration as a value for a store's options.
public final class WaystoneMigrationOptions: NSObject {
  /// The options.
  public var options: MigrationOptions

  /// Makes a value of options.
  public init(_ options: MigrationOptions) { self.options = options }
}

/// A store of a coordinator.
open class NSPersistentStore: NSObject {
  /// The type of a store.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// A type of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database.
    public static let sqlite = Self(rawValue: NSSQLiteStoreType)
    /// A store that ends with the program.
    public static let inMemory = Self(rawValue: NSInMemoryStoreType)
    /// A binary store, which is not opened.
    public static let binary = Self(rawValue: NSBinaryStoreType)
    /// An XML document, which is not opened.
    public static let xml = Self(rawValue: NSXMLStoreType)
  }

  let opened: OpenedStore
  private let storedMetadata: [String: Any]
  /// The folder that ends with the store; nil for a store of a file.
  private let temporaryFolder: URL?
  /// The coordinator, as long as it has the store.
  public internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// The type, such as ``NSSQLiteStoreType``.
  public let type: String
  /// The name of the configuration whose entities the store has.
  public let configurationName: String
  /// The options that it was opened with.
  public let options: [AnyHashable: Any]?
  /// The place of the file.
  public let url: URL?

  init(
    _ opened: OpenedStore,
    type: String,
    configuration: String?,
    url: URL,
    options: [AnyHashable: Any]?,
    temporaryFolder: URL?
  ) {
    self.opened = opened
    self.type = type
    configurationName = configuration ?? "PF_DEFAULT_CONFIGURATION_NAME"
    self.url = url
    self.options = options
    self.temporaryFolder = temporaryFolder
    let model = opened.schema.model
    storedMetadata = StoreMetadataKeys.dictionary(
      opened.uuid,
      model.entityVersionHashes,
      model.versionIdentifiers
    )
  }

  deinit {
    if let temporaryFolder { try? StoreFile.removeFolder(temporaryFolder.path) }
  }

  // Apple declares both so: code unwraps them, or not.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The identifier that Core Data gave the store, part of every object's URI.
  public var identifier: String! { opened.uuid }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The version hashes and the identifiers of the store's version.
  public var metadata: [String: Any]! { storedMetadata }

  /// Whether nothing can be changed; a save then reports the reason.
  public var isReadOnly: Bool { opened.refusal != nil }
}
