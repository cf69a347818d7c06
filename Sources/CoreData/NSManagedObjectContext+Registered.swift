extension NSManagedObjectContext {
  /// The objects that the context knows: in a migration all of its store, whether read yet or not; of an opened
  /// store those with changes that are not saved.
  ///
  /// - Complexity: O(*objects* of the store) in a migration.
  public var registeredObjects: Set<NSManagedObject> {
    guard isOfMigration else { return insertedObjects.union(updatedObjects).union(deletedObjects) }
    var objects: Set<NSManagedObject> = []
    for entity in managedObjectModel.entities where !entity.isAbstract {
      guard let name = entity.name else { continue }
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.includesSubentities = false
      do { objects.formUnion(try fetch(request)) } catch { pendingError.record(error) }
    }
    return objects
  }
}
