// Parts of Core Data that are not there, so that code which needs them is refused when it is compiled.

/// A request that inserts many objects at once.
@available(*, unavailable, message: "Insert objects and save them; batches are not there on Linux.")
open class NSBatchInsertRequest: NSObject {}

/// A request that changes many objects at once.
@available(*, unavailable, message: "Change objects and save them; batches are not there on Linux.")
open class NSBatchUpdateRequest: NSObject {}

/// A request that deletes many objects at once.
@available(*, unavailable, message: "Delete objects and save; batches are not there on Linux.")
open class NSBatchDeleteRequest: NSObject {}

/// A controller of the results of a request.
@available(*, unavailable, message: "Fetch again after a save; nothing is observed on Linux.")
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {}

/// A request for the history of a store.
@available(*, unavailable, message: "Waystone keeps no persistent history.")
open class NSPersistentHistoryChangeRequest: NSObject {}

/// A container whose store is mirrored by CloudKit.
@available(*, unavailable, message: "CloudKit is not there on Linux; use NSPersistentContainer.")
open class NSPersistentCloudKitContainer: NSObject {}

/// A kind of store of the app's own.
@available(*, unavailable, message: "Stores are SQLite databases alone.")
open class NSIncrementalStore: NSObject {}

extension NSManagedObjectContext {
  /// Runs a batch request.
  @available(*, unavailable, message: "Batch requests are not there on Linux; save objects.")
  public func execute(_ request: NSObject) throws -> NSObject { request }

  /// Takes over what another context saved.
  @available(
    *,
    unavailable,
    message: "Set automaticallyMergesChangesFromParent, or call refreshAllObjects()."
  )
  public func mergeChanges(fromContextDidSave notification: Notification) {}
}
