import Files
import StoreAccess

/// The files of a whole store, for calls that put it elsewhere or remove it.
enum StoreFile {
  /// Removes a store's files; nothing where there is none.
  static func remove(_ url: URL) throws {
    let files = try StoreFiles(store: url.path)
    guard try FileSystem.exists(files.store) else { return }
    let lock = try StoreLock(path: files.store)
    try lock.leaveWriteAheadLogMode()
    try withExtendedLifetime(lock) {
      try FileManager.default.removeItem(atPath: files.store)
    }
    if try FileSystem.exists(files.support) {
      try FileManager.default.removeItem(atPath: files.support)
    }
  }

  /// Puts a copy of a store at a place; one that is there has its content until one rename.
  static func copy(_ source: URL, over destination: URL) throws {
    let from = try StoreFiles(store: source.path)
    let to = try StoreFiles(store: destination.path)
    let staging = to.store + ".waystone-\(UUID().uuidString.prefix(8))"
    do {
      try write(from.store, to: staging)
      if try FileSystem.exists(from.externalData) { try copyFolder(from.externalData, to) }
      if try FileSystem.exists(to.store) {
        let lock = try StoreLock(path: to.store)
        try lock.leaveWriteAheadLogMode()
        try withExtendedLifetime(lock) { try FileSystem.rename(staging, to: to.store) }
      } else {
        try FileSystem.rename(staging, to: to.store)
      }
      try FileSystem.synchronize(folder: FileSystem.folder(of: to.store))
    } catch {
      for suffix in [""] + StoreFiles.companionSuffixes {
        try? FileManager.default.removeItem(atPath: staging + suffix)
      }
      throw error
    }
  }

  private static func write(_ source: String, to path: String) throws {
    let reader = try SQLiteConnection(path: source, access: .readOnly, busyTimeout: 5000)
    let writer = try SQLiteConnection(path: path, access: .create)
    try reader.backup(to: writer)
    // A store of one file, which is on the disk before it takes its place.
    try writer.execute(script: "PRAGMA main.journal_mode = DELETE")
    try OpenFile(reading: path).synchronize()
  }

  private static func copyFolder(_ folder: String, _ files: StoreFiles) throws {
    try FileManager.default.createDirectory(
      atPath: files.externalData,
      withIntermediateDirectories: true
    )
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let target = "\(files.externalData)/\(name)"
      guard !FileManager.default.fileExists(atPath: target) else { continue }
      try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: target)
    }
  }
}
