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
    try withExtendedLifetime(lock) { _ = try FileSystem.remove(files.store) }
    try removeFolder(files.support)
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
      if try FileSystem.exists(target) { continue }
      try FileSystem.copy(source.path(of: name), toNewFile: target)
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
