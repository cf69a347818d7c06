import ObjectModel
import StoreMigration

/// An entity of a context, as all of its objects share it.
final class EntityBinding {
  /// The entity.
  let entity: NSEntityDescription
  /// The class of the objects.
  let type: NSManagedObject.Type
  /// The identities of the objects but for their keys.
  let identity: NSManagedObjectID.Space
  /// The context and its store.
  let place: NSManagedObjectContext.Place
  /// The engine's layout of the objects.
  let layout: EntityLayout
  /// The number of registered classes when the class was found.
  private let registrationCount: Int

  private init(_ layout: EntityLayout, of context: NSManagedObjectContext) {
    registrationCount = ManagedObjectClasses.registrationCount
    place = context.place
    self.layout = layout
    entity = context.managedObjectModel.entity(named: layout.entity.name)
    type = ManagedObjectClasses.type(of: entity)
    identity = NSManagedObjectID.Space(
      layout.identity,
      entity,
      in: context.persistentStore
    )
  }

  /// Returns the binding of an entity, made at the first call.
  static func of(_ layout: EntityLayout, _ context: NSManagedObjectContext) -> EntityBinding {
    if let known = layout.counterpart as? EntityBinding,
      known.registrationCount == ManagedObjectClasses.registrationCount
    {
      return known
    }
    let binding = EntityBinding(layout, of: context)
    layout.counterpart = binding
    return binding
  }
}
