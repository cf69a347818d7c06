import ObjectModel
import StoreMigration
import Synchronization

/// The classes of the program, by the names that models and mapping models have for them.
enum AppClass {
  /// Returns the class of a name, with its module or in the program's own; nil where there is none.
  static func named(_ name: String) -> AnyClass? {
    if name.contains("."), let found = NSClassFromString(name) { return found }
    let own = name.split(separator: ".").last.map(String.init) ?? name
    let module = ProcessInfo.processInfo.processName.replacingOccurrences(of: "-", with: "_")
    return NSClassFromString("\(module).\(own)")
  }
}

/// The classes of the app's migration policies, by their names in mapping models.
///
/// A class is found by the name of its module and its own, as `App.NotePolicy`; one that is not, such as one
/// in another type, is registered before stores are migrated.
public enum EntityMigrationPolicyClasses {
  private static let classes = Mutex<[String: NSEntityMigrationPolicy.Type]>([:])

  /// Lets mappings that name a class be of that class.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - name: The name in mapping models; nil for its own. A module before it does not count.
  public static func register(_ type: NSEntityMigrationPolicy.Type, as name: String? = nil) {
    classes.withLock { $0[AppPolicies.plain(name ?? String(describing: type))] = type }
  }

  static func type(named name: String) -> NSEntityMigrationPolicy.Type? {
    classes.withLock { $0[AppPolicies.plain(name)] }
      ?? AppClass.named(name) as? NSEntityMigrationPolicy.Type
  }
}

/// The app's policies on their way to the engine.
enum AppPolicies {
  static func plain(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }

  /// Registers the classes that mappings name, where the program has them and has registered none.
  static func register(_ mappings: [MappingModel], in registry: inout MigrationRegistry) {
    for name in Set(mappings.flatMap(\.policyNames)) where registry.policy(named: name) == nil {
      guard let type = EntityMigrationPolicyClasses.type(named: name) else { continue }
      // Opened, it is the very class rather than the one that all policies have in common.
      let opened: any MigrationPolicyClass.Type = type
      add(opened, name, &registry)
    }
  }

  private static func add<Policy: MigrationPolicyClass>(
    _ policy: Policy.Type,
    _ name: String,
    _ registry: inout MigrationRegistry
  ) { registry.register(BridgedPolicy<Policy>.self, as: name) }
}
