import ObjectModel
import Synchronization

/// The classes of managed objects that an app declares, by their names in its models.
public enum ManagedObjectClasses {
  private static let classes = Mutex<[String: NSManagedObject.Type]>([:])
  /// The number of registrations, after which classes that were found before are looked for again.
  private static let registrations = Atomic<Int>(0)
  /// The names that no class of the program has.
  private static let missing = Mutex<Set<String>>([])

  /// Lets objects whose entity names a class be of that class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - name: The name in models; nil for its own. A module before it does not count.
  public static func register(_ type: NSManagedObject.Type, as name: String? = nil) {
    classes.withLock { $0[plain(name ?? String(describing: type))] = type }
    registrations.add(1, ordering: .releasing)
  }

  /// The number of registrations so far.
  static var registrationCount: Int { registrations.load(ordering: .acquiring) }

  static func type(of entity: NSEntityDescription) -> NSManagedObject.Type {
    let name = entity.managedObjectClassName
    if let known = classes.withLock({ $0[plain(name)] }) { return known }
    guard name != "NSManagedObject", missing.withLock({ !$0.contains(name) }) else {
      return NSManagedObject.self
    }
    guard let found = AppClass.named(name) as? NSManagedObject.Type else {
      missing.withLock { _ = $0.insert(name) }
      return NSManagedObject.self
    }
    register(found, as: name)
    return found
  }

  /// Returns the name of the entity whose class a type is; the type's name where none has it.
  static func entityName(of type: NSManagedObject.Type, in model: NSManagedObjectModel) -> String {
    let named = model.model.entities.filter {
      $0.managedObjectClassName.map(plain) == plain(name(of: type))
    }
    return named.first?.name ?? String(describing: type)
  }

  private static func name(of type: NSManagedObject.Type) -> String {
    classes.withLock { $0.first { $0.value == type }?.key } ?? String(describing: type)
  }

  private static func plain(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}
