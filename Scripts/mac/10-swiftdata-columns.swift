import SwiftData

@Model final class Sample {
  var texts: [String] = []
  var numbers: [Int] = []
  var big: UInt64 = 0
  init() {}
}

answer("10 columns and hash of SwiftData's [String], [Int] and UInt64") { folder in
  let url = folder.appendingPathComponent("s.sqlite")
  let container = try ModelContainer(for: Sample.self, configurations: .init(url: url))
  let context = ModelContext(container)
  let sample = Sample()
  sample.big = .max
  context.insert(sample)
  try context.save()
  let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType,
    at: url,
    options: nil
  )
  let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data]
  return try sql(url, "SELECT name || ' ' || type FROM pragma_table_info('ZSAMPLE')")
    + "; ZBIG " + sql(url, "SELECT quote(ZBIG) FROM ZSAMPLE") + "; " + hex(hashes?["Sample"])
}
