answer("09 opening a store whose framework version is newer than this system") { folder in
  let url = folder.appendingPathComponent("s.sqlite")
  let item = model([entity("Item", [attribute("title")])])
  try make(url, item, ["title": "kept"])
  // The numbers are in the property list of Z_METADATA, which is replaced as a whole.
  var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
    ofType: NSSQLiteStoreType,
    at: url,
    options: nil
  )
  metadata["NSPersistenceFrameworkVersion"] = 9999
  metadata["NSPersistenceMaximumFrameworkVersion"] = 1
  try NSPersistentStoreCoordinator.setMetadata(
    metadata,
    forPersistentStoreOfType: NSSQLiteStoreType,
    at: url,
    options: nil
  )
  return try value(url, item, "title")
}
