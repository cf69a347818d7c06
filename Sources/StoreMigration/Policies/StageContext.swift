/// The store that a handler of a custom stage works on, in the version that it then has.
///
/// It is the counterpart of the argument that `NSCustomMigrationStage` passes to its
/// `willMigrateHandler` and `didMigrateHandler`.
public final class StageContext {
  /// The objects of the store, which the handler may change; they are saved when it returns.
  public let managedObjectContext: ManagedObjectContext
  /// The name under which the stage mentions the handler.
  public let handlerName: String

  package init(managedObjectContext: ManagedObjectContext, handlerName: String) {
    self.managedObjectContext = managedObjectContext
    self.handlerName = handlerName
  }
}
