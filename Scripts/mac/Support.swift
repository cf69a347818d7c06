import CoreData
import Foundation

/// Prints the one line that answers a question; an error is an answer, too.
func answer(_ question: String, _ body: (URL) throws -> String) {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  defer { try? FileManager.default.removeItem(at: folder) }
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    print("\(question): \(try body(folder))")
  } catch {
    print("\(question): fails: \(error)".replacingOccurrences(of: "\n", with: " "))
  }
}

func attribute(
  _ name: String,
  _ type: NSAttributeType = .stringAttributeType,
  renaming: String? = nil
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  attribute.isOptional = true
  attribute.renamingIdentifier = renaming
  return attribute
}

func relationship(_ name: String) -> NSRelationshipDescription {
  let relationship = NSRelationshipDescription()
  relationship.name = name
  relationship.isOptional = true
  relationship.maxCount = 0
  return relationship
}

func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  entity.managedObjectClassName = "NSManagedObject"
  entity.properties = properties
  return entity
}

func model(_ entities: [NSEntityDescription]) -> NSManagedObjectModel {
  let model = NSManagedObjectModel()
  model.entities = entities
  return model
}

/// Opens a store, which is made where there is none, and migrated where it is of another version.
func context(_ url: URL, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  _ = try coordinator.addPersistentStore(
    ofType: NSSQLiteStoreType,
    configurationName: nil,
    at: url,
    options: [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      // The file alone, without a log beside it.
      NSSQLitePragmasOption: ["journal_mode": "DELETE"],
    ]
  )
  let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}

/// Makes a store with one object.
func make(_ url: URL, _ model: NSManagedObjectModel, _ values: [String: Any]) throws {
  let context = try context(url, model)
  let object = NSEntityDescription.insertNewObject(
    forEntityName: model.entities[0].name ?? "",
    into: context
  )
  for (name, value) in values { object.setValue(value, forKey: name) }
  try context.save()
}

/// What a property of the one object holds.
func value(_ url: URL, _ model: NSManagedObjectModel, _ name: String) throws -> String {
  let request = NSFetchRequest<NSManagedObject>(entityName: model.entities[0].name ?? "")
  guard let object = try context(url, model).fetch(request).first else { return "no object" }
  return object.value(forKey: name).map { "\($0)" } ?? "nothing"
}

/// What SQLite says, its lines joined by blanks.
func sql(_ url: URL, _ statement: String) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
  process.arguments = [url.path, statement]
  let pipe = Pipe()
  process.standardOutput = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self).split(separator: "\n").joined(separator: " ")
}

func hex(_ data: Data?) -> String { (data ?? Data()).map { String(format: "%02x", $0) }.joined() }
