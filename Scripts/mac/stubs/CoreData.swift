// As much of Core Data's interface as the questions use, so that they are type-checked without a Mac.
@_exported import Foundation

public let NSSQLiteStoreType = "SQLite"
public let NSMigratePersistentStoresAutomaticallyOption = "m"
public let NSInferMappingModelAutomaticallyOption = "i"
public let NSSQLitePragmasOption = "p"

public enum NSAttributeType: UInt {
  case integer16AttributeType = 100, integer64AttributeType = 300, doubleAttributeType = 500
  case stringAttributeType = 700
}
open class NSPropertyDescription {
  public var name = ""
  public var isOptional = true
  public var renamingIdentifier: String?
  public init() {}
}
open class NSAttributeDescription: NSPropertyDescription {
  public var attributeType = NSAttributeType.stringAttributeType
}
open class NSRelationshipDescription: NSPropertyDescription {
  public var maxCount = 0
  public weak var destinationEntity: NSEntityDescription?
  public weak var inverseRelationship: NSRelationshipDescription?
}
open class NSEntityDescription {
  public var name: String?
  public var managedObjectClassName: String!
  public var properties: [NSPropertyDescription] = []
  public var subentities: [NSEntityDescription] = []
  public init() {}
  public class func insertNewObject(
    forEntityName: String,
    into: NSManagedObjectContext
  ) -> NSManagedObject { NSManagedObject() }
}
open class NSManagedObjectModel {
  public var entities: [NSEntityDescription] = []
  public init() {}
}
open class NSManagedObject {
  public init() {}
  public func setValue(_ value: Any?, forKey: String) {}
  public func value(forKey: String) -> Any? { nil }
}
open class NSPersistentStore {}
open class NSPersistentStoreCoordinator {
  public init(managedObjectModel: NSManagedObjectModel) {}
  public func addPersistentStore(
    ofType: String,
    configurationName: String?,
    at: URL?,
    options: [AnyHashable: Any]?
  ) throws -> NSPersistentStore { fatalError() }
  public class func metadataForPersistentStore(
    ofType: String,
    at: URL,
    options: [AnyHashable: Any]?
  ) throws -> [String: Any] { [:] }
  public class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreOfType: String,
    at: URL,
    options: [AnyHashable: Any]?
  ) throws {}
}
public enum NSManagedObjectContextConcurrencyType { case mainQueueConcurrencyType }
open class NSManagedObjectContext {
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {}
  public func save() throws {}
  public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] { [] }
}
open class NSFetchRequest<T> {
  public init(entityName: String) {}
}
