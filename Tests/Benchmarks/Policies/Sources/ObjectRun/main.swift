import CoreData

/// Seconds of processor time that the process has had.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The attributes of a note.
let names = [
  "body", "created", "identifier", "isPinned", "modified", "price", "rating", "sketch", "title",
  "words",
]

/// Returns the number of attributes of an object that have a value, after reading all.
func read(_ object: NSManagedObject) -> Int {
  var count = 0
  for name in names where object.value(forKey: name) != nil { count += 1 }
  return count
}

/// Fetches all notes and reads each attribute by its key.
func readObjects(_ context: NSManagedObjectContext, batch: Int = 0) throws -> Int {
  let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
  request.fetchBatchSize = batch
  return try context.fetch(request).reduce(0) { $0 + read($1) }
}

/// Reads the notes of all notebooks, of which a hundred are fetched at a time; none is kept.
func readRelationships(_ context: NSManagedObjectContext) throws -> Int {
  let request = NSFetchRequest<NSManagedObject>(entityName: "Notebook")
  request.fetchLimit = 100
  var count = 0
  while true {
    let page = try context.fetch(request)
    if page.isEmpty { return count }
    for notebook in page {
      for case let note as NSManagedObject in notebook.value(forKey: "notes") as? NSSet ?? NSSet() {
        count += read(note)
      }
    }
    request.fetchOffset += page.count
  }
}

func readKeys(_ context: NSManagedObjectContext) throws -> Int {
  let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
  request.resultType = .managedObjectIDResultType
  return try context.fetch(request).count
}

func countNotes(_ context: NSManagedObjectContext) throws -> Int {
  try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
}

/// Returns an identifier that is a number; a random one would cost more than the whole row.
func identifier(_ number: Int) -> UUID {
  func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * place)) }
  return UUID(
    uuid: (
      byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), 0, 0, 0, 0, 0, 0, 0, 0
    )
  )
}

/// Inserts notes, each with a notebook, and saves.
func insert(_ count: Int, _ context: NSManagedObjectContext) throws {
  let notebooks = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Notebook"))
  for number in 0..<count {
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue("The body of a note, which is a line of text.", forKey: "body")
    note.setValue(Date(timeIntervalSinceReferenceDate: Double(number)), forKey: "created")
    note.setValue(identifier(number), forKey: "identifier")
    note.setValue(number % 7 == 0, forKey: "isPinned")
    note.setValue(Date(timeIntervalSinceReferenceDate: Double(number) + 0.5), forKey: "modified")
    note.setValue(NSDecimalNumber(value: number), forKey: "price")
    note.setValue(1 + Double(number) / 3, forKey: "rating")
    note.setValue(Data(repeating: 7, count: 32), forKey: "sketch")
    note.setValue("Note \(number)", forKey: "title")
    note.setValue(number, forKey: "words")
    note.setValue(notebooks[number % notebooks.count], forKey: "notebook")
  }
  try context.save()
}

// usage: ObjectRun objects|batches|links|keys|count|insert STORE MODEL [COUNT]
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3,
  let model = NSManagedObjectModel(contentsOf: URL(filePath: arguments[2]))
else {
  print("usage: ObjectRun objects|batches|links|keys|count|insert STORE MODEL [COUNT]")
  throw CancellationError()
}
let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
_ = try coordinator.addPersistentStore(
  ofType: NSSQLiteStoreType,
  configurationName: nil,
  at: URL(filePath: arguments[1]),
  options: nil
)
let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
context.persistentStoreCoordinator = coordinator
/// A context has a connection of its own, which is opened at its first use and not measured.
_ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
let start = processorSeconds()
let result =
  switch arguments[0] {
  case "objects": try readObjects(context)
  case "batches": try readObjects(context, batch: 500)
  case "links": try readRelationships(context)
  case "keys": try readKeys(context)
  case "count": try (0..<100).reduce(0) { count, _ in try count + countNotes(context) }
  default:
    try {
      try insert(Int(arguments[3]) ?? 0, context); return 0
    }()
  }
print(#"{"seconds": \#(processorSeconds() - start), "count": \#(result)}"#)
