package import ObjectModel

/// The object `$manager` in expressions, with the keys that `NSMigrationManager` has.
package final class ManagerReference: KeyValueObject {
  weak var manager: MigrationManager?
  private let source: ContextReference
  private let destination: ContextReference

  init(source: ManagedObjectContext, destination: ManagedObjectContext) {
    self.source = ContextReference(source)
    self.destination = ContextReference(destination)
  }

  package let identity = ObjectIdentity(store: "migration", entity: "manager", key: 0)

  package func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "sourceContext": return .object(source)
    case "destinationContext": return .object(destination)
    case "currentEntityMapping": return manager?.pass.map { .object($0.reference) } ?? .nothing
    default: throw EvaluationError.unknownMethod(key, of: "$manager")
    }
  }
}

/// A context of the manager in expressions, good for fetching only.
package final class ContextReference: KeyValueObject {
  package private(set) weak var context: ManagedObjectContext?
  package let identity: ObjectIdentity

  init(_ context: ManagedObjectContext) {
    self.context = context
    let store = context.configuration.store.rawValue
    identity = ObjectIdentity(store: store, entity: "context", key: 0)
  }

  package func value(forKey key: String) throws -> ExpressionValue {
    throw EvaluationError.unknownMethod(key, of: "a context")
  }
}

/// The object `$entityMapping` in expressions.
package final class MappingReference: KeyValueObject {
  package let mapping: EntityMapping
  package let identity: ObjectIdentity

  init(_ mapping: EntityMapping, index: Int) {
    self.mapping = mapping
    identity = ObjectIdentity(store: "migration", entity: "entityMapping", key: Int64(index))
  }

  package func value(forKey key: String) throws -> ExpressionValue {
    func text(_ text: String?) -> ExpressionValue {
      text.map { .scalar(.string($0)) } ?? .nothing
    }
    switch key {
    case "name": return text(mapping.name)
    case "sourceEntityName": return text(mapping.sourceEntityName)
    case "destinationEntityName": return text(mapping.destinationEntityName)
    case "entityMigrationPolicyClassName": return text(mapping.entityMigrationPolicyClassName)
    default: throw EvaluationError.unknownMethod(key, of: "$entityMapping")
    }
  }
}

/// The value of `fetchRequestForSourceEntityNamed:predicateString:`.
final class FetchRequestReference: KeyValueObject {
  let entityName: String
  let predicate: Predicate?
  let identity: ObjectIdentity

  init(entityName: String, predicate: Predicate?) {
    self.entityName = entityName
    self.predicate = predicate
    identity = ObjectIdentity(store: "migration", entity: "fetchRequest", key: 0)
  }

  func value(forKey key: String) throws -> ExpressionValue {
    guard key == "entityName" else {
      throw EvaluationError.unknownMethod(key, of: "a fetch request")
    }
    return .scalar(.string(entityName))
  }
}
