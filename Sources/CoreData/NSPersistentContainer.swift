import Files
import ObjectModel

/// A container: a model, a store, and the contexts of a program.
///
/// As Core Data's. Work runs at once, on the thread that asks; contexts of several threads are made by each
/// thread from its own container or coordinator.
open class NSPersistentContainer: NSObject {
  /// The name, which the file of the store has too, unless a description names another.
  public let name: String
  /// The model; without entities where none of the name was found, which opening a store then reports.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context for the program's own thread.
  public internal(set) var viewContext: NSManagedObjectContext
  /// The stores to open: one, `NAME.sqlite` in ``defaultDirectoryURL()``, unless another is set.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]

  /// Makes a container with the model of its name, which is searched as
  /// ``NSManagedObjectModel/mergedModel(from:)`` searches, as `NAME.momd`, `NAME.mom` or `NAME.xcdatamodeld`.
  public convenience init(name: String) {
    let model = ModelPlaces.model(named: name).flatMap { NSManagedObjectModel(contentsOf: $0) }
    self.init(name: name, managedObjectModel: model ?? NSManagedObjectModel.none)
  }

  /// Makes a container with a model.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(
      managedObjectModel: managedObjectModel
    )
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    persistentStoreDescriptions = []
    super.init()
    let url = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
  }

  /// Returns the folder of stores without a place of their own: the program's own in `XDG_DATA_HOME`, else in
  /// `~/.local/share`.
  open class func defaultDirectoryURL() -> URL {
    let environment = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
    let folder =
      environment.hasPrefix("/")
      ? URL(fileURLWithPath: environment)
      : URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
    return folder.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// Opens the stores of the descriptions, before the call returns; the folder of one is made where there is
  /// none.
  ///
  /// - Parameter block: Called with each description, and the error of a store that was not opened.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      guard !managedObjectModel.model.entities.isEmpty else {
        block(
          description,
          NSError.coreData(
            NSPersistentStoreOpenError,
            "There is no model \(name).momd, .mom or .xcdatamodeld beside the program.",
            recovery: "Put it there, or make the container with a model."
          )
        )
        continue
      }
      if !description.isReadOnly, let url = description.url, url.isFileURL {
        // Where that fails, opening the store reports it.
        try? FileSystem.ensureFolders(url.deletingLastPathComponent().path)
      }
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// Returns a new context of the store.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block with a new context, before the call returns.
  open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    block(newBackgroundContext())
  }

  /// Runs a block with a new context, and returns its result.
  open func performBackgroundTask<Result>(
    _ block: @escaping (NSManagedObjectContext) throws -> Result
  ) async rethrows -> Result { try block(newBackgroundContext()) }
}
