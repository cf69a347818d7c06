/// A description of a store that a container opens: its file, and the options.
open class NSPersistentStoreDescription: NSObject {
  /// The type, ``NSSQLiteStoreType`` unless another is set.
  open var type = NSSQLiteStoreType
  /// The configuration whose entities the store has; nil for all.
  open var configuration: String?
  /// The file; `/dev/null` for a store that ends with the program.
  open var url: URL?
  /// Whether nothing of the store may be changed.
  open var isReadOnly = false
  /// The seconds to wait for other writers.
  open var timeout: TimeInterval = 240
  /// Whether a store of an older version is migrated; it is, unless this is unset.
  open var shouldMigrateStoreAutomatically = true
  /// Whether mappings may be inferred; they may, unless this is unset.
  open var shouldInferMappingModelAutomatically = true
  /// Whether the store is opened later; it is opened before the call returns in any case.
  open var shouldAddStoreAsynchronously = false
  private var others: [String: NSObject] = [:]

  /// A description of the store in a file.
  public init(url: URL) { self.url = url }

  /// A description without a file.
  override public init() {}

  /// The options that were set one by one.
  open var options: [String: NSObject] { others }

  /// Sets an option, such as ``NSPersistentStoreStagedMigrationManagerOptionKey``; nil removes it.
  open func setOption(_ option: NSObject?, forKey key: String) {
    switch (key, option) {
    case (NSMigratePersistentStoresAutomaticallyOption, let flag as NSNumber):
      shouldMigrateStoreAutomatically = flag.boolValue
    case (NSInferMappingModelAutomaticallyOption, let flag as NSNumber):
      shouldInferMappingModelAutomatically = flag.boolValue
    case (NSReadOnlyPersistentStoreOption, let flag as NSNumber): isReadOnly = flag.boolValue
    default: others[key] = option
    }
  }

  /// The pragmas of SQLite that were set, which have no effect: they are the store's own.
  open private(set) var sqlitePragmas: [String: NSObject] = [:]

  /// Notes a pragma, which has no effect.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    sqlitePragmas[name] = value
  }

  /// The options as a coordinator takes them.
  var allOptions: [AnyHashable: Any] {
    var all: [AnyHashable: Any] = others
    all[NSMigratePersistentStoresAutomaticallyOption] = shouldMigrateStoreAutomatically
    all[NSInferMappingModelAutomaticallyOption] = shouldInferMappingModelAutomatically
    all[NSReadOnlyPersistentStoreOption] = isReadOnly
    all[NSPersistentStoreTimeoutOption] = NSNumber(value: timeout)
    return all
  }
}
