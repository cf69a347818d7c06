import Files
import StoreAccess

/// The files of a whole store, for calls that put it elsewhere or remove it.
enum StoreFile {
  /// Removes a store's files; nothing where there is none.
  static func remove(_ url: URL) throws {
    let files = try StoreFiles(store: url.path)
    guard try FileSystem.exists(files.store) else { return try removeCompanions(of: files) }
    let lock = try StoreLock(path: files.store)
    try lock.leaveWriteAheadLogMode()
    try withExtendedLifetime(lock) { _ = try FileSystem.remove(files.store) }
    if try !isShared(files) { try removeFolder(files.support) }
  }

  /// Removes the logs of a store whose file is gone: SQLite would write them into the next one of its name.
  static func removeCompanions(of url: URL) throws {
    try removeCompanions(of: StoreFiles(store: url.path))
  }

  private static func removeCompanions(of files: StoreFiles) throws {
    for suffix in StoreFiles.companionSuffixes where try FileSystem.exists(files.store + suffix) {
      // Asked after the log was seen: another process may make the store now.
      guard try !FileSystem.exists(files.store) else { return }
      _ = try FileSystem.remove(files.store + suffix)
    }
  }

  /// Returns whether another store has the same folder of large values, as `Notes.db` beside `Notes.sqlite`.
  private static func isShared(_ files: StoreFiles) throws -> Bool {
    let folder = FileSystem.folder(of: files.store)
    let own = FileSystem.name(of: files.store)
    let support = StoreFiles.supportName(of: own)
    return try Folder(folder).names().contains { name in
      guard name != own, StoreFiles.supportName(of: name) == support else { return false }
      let path = "\(folder)/\(name)"
      // One that is open here is not touched but through SQLite.
      return OpenPaths.contain(URL(fileURLWithPath: path))
        || (try? DatabaseHeader(path: path)) != nil
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
        try removeCompanions(of: to)
        try FileSystem.rename(staging, to: to.store)
      }
      try FileSystem.synchronize(folder: FileSystem.folder(of: to.store))
    } catch {
      for suffix in [""] + StoreFiles.companionSuffixes {
        _ = try? FileSystem.remove(staging + suffix)
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
    try FileSystem.ensureFolders(files.externalData)
    let source = try Folder(folder)
    for name in try source.names() where try source.status(of: name)?.kind == .file {
      let target = "\(files.externalData)/\(name)"
      let path = source.path(of: name)
      // A killed copy left a file of another size.
      if let size = try FileSystem.size(of: target), try size == FileSystem.size(of: path) {
        continue
      }
      let staging = "\(target).waystone-new"
      _ = try FileSystem.remove(staging)
      try FileSystem.copy(path, toNewFile: staging)
      try FileSystem.rename(staging, to: target)
    }
    try FileSystem.synchronize(folder: files.externalData)
  }

  /// Removes a folder with everything in it; nothing where there is none.
  static func removeFolder(_ path: String) throws {
    guard try FileSystem.exists(path) else { return }
    try Folder(path).removeContents()
    try FileSystem.removeFolder(path)
  }
}
