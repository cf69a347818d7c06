package import Files

/// A copy of a store in a folder of Waystone's own, removed when its owner releases it.
///
/// The folder's name cannot be guessed, and only this user may enter it. Only files that the copy can
/// consist of are removed, below the folder's descriptor; anything else stays, and the folder with it.
package final class PrivateCopy: Sendable {
  /// The path of the copied store.
  package let store: String
  private let parent: Folder
  private let folderName: String

  // A plain name, so that nothing in the original's can be too long with the folder's.
  private static let storeName = "store.sqlite"
  private static let folderPrefix = "waystone-"

  /// Makes the folder, with nothing in it.
  ///
  /// - Parameter parent: The folder to make the private one in.
  package init(emptyIn parent: String) throws(StoreAccessError) {
    folderName = Self.folderPrefix + String(UInt64.random(in: .min ... .max), radix: 36)
    do throws(FileError) {
      self.parent = try Folder(following: parent)
      store = self.parent.path(of: folderName) + "/" + Self.storeName
      try self.parent.createFolder(folderName)
    } catch {
      throw StoreAccessError(error)
    }
  }

  /// Copies a store and those of its journals that are there.
  ///
  /// - Parameter parent: The folder to make the private one in.
  convenience init(of files: StoreFiles, in parent: String) throws(StoreAccessError) {
    try self.init(emptyIn: parent)
    let copies = try StoreFiles(store: store)
    // The copy has the part of a journal that SQLite reads, and not the hole that may follow.
    let journal = try asStoreAccess { () throws(SQLiteError) in
      try DatabaseCompanions.rollbackJournal(of: files.store)
    }
    let journalSize = journal.map { $0.superJournal == nil ? $0.usedSize : $0.size }
    let parts = [
      (files.store, copies.store, Int64.max),
      (files.writeAheadLog, copies.writeAheadLog, try files.writeAheadLogUsedSize),
      (files.rollbackJournal, copies.rollbackJournal, journalSize ?? 0),
    ]
    do throws(FileError) {
      for (original, copy, length) in parts where try FileSystem.exists(original) {
        try OpenFile(plainFile: original).copy(toNewFile: copy, length: length)
      }
    } catch {
      throw StoreAccessError(error)
    }
  }

  deinit {
    // Files that cannot be removed are left to the system's cleaning of temporary files, or to `clean`.
    try? Self.remove(folderName, in: parent)
  }

  /// Returns whether a name is one that such a folder has.
  package static func isName(_ name: String) -> Bool {
    let number = name.dropFirst(folderPrefix.count)
    return name.hasPrefix(folderPrefix) && UInt64(number, radix: 36) != nil
      && number.allSatisfy { $0.isNumber || $0.isLowercase }
  }

  /// Removes such a folder with the files of a copy, as a killed reader may have left it.
  ///
  /// - Throws: ``FileError``; `exists` where it holds anything else.
  package static func remove(_ name: String, in parent: Folder) throws(FileError) {
    let folder = try parent.folder(name)
    for suffix in ["", "-wal", "-shm", "-journal"]
    where try folder.status(of: storeName + suffix)?.kind == .file {
      try folder.remove(storeName + suffix)
    }
    try parent.removeFolder(name)
  }
}
