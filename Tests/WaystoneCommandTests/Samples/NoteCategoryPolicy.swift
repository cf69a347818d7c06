import ObjectModel
import StoreMigration

/// Library v1 to v2: notes whose categories read alike share a category.
///
/// Which categories there are is noted in the manager's user info, which each batch keeps, so that
/// the run can go on after any of them.
final class NoteCategoryPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let note = try manager.createDefaultInstance(forSource: source)
    guard let name = try source.string(forKey: "category"), !name.isEmpty else { return }
    try note?.set(try category(named: name, manager: manager), forKey: "category")
  }

  private func category(named name: String, manager: MigrationManager) throws -> ManagedObject {
    let context = manager.destinationContext
    if case .integer(let key)? = manager.userInfo["category \(name)"],
      let category = try context.object(entityName: "Category", key: key)
    {
      return category
    }
    let category = try context.insert(entityName: "Category")
    try category.set(name, forKey: "name")
    manager.userInfo["category \(name)"] = .integer(category.objectID.key)
    return category
  }
}
