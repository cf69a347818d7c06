import Files

/// A folder of our own that goes, with what it holds, when its owner lets go of it.
package final class PrivateCopy {
  /// The path of the copied store.
  package let store: String
  private let folder: String

  /// Makes the folder, with nothing in it.
  ///
  /// - Parameter parent: The folder to make the private one in.
  package init(emptyIn parent: String) throws(StoreAccessError) {
    folder = "\(parent)/waystone-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    // A plain name, so that nothing in the original's can be too long with the folder's.
    store = folder + "/store.sqlite"
    do throws(FileError) { try FileSystem.createFolder(folder) } catch {
      throw StoreAccessError(error)
    }
  }

  /// Copies a store and those of its journals that are there.
  ///
  /// - Parameter parent: The folder to make the private one in.
  convenience init(of files: StoreFiles, in parent: String) throws(StoreAccessError) {
    try self.init(emptyIn: parent)
    let copies = try StoreFiles(store: store)
    // What SQLite reads of a journal, and not the hole that may follow.
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
    // What cannot be removed is left to the system's cleaning of temporary files.
    for name in (try? FileSystem.names(inFolder: folder)) ?? [] {
      _ = try? FileSystem.remove("\(folder)/\(name)")
    }
    try? FileSystem.removeFolder(folder)
  }
}
