import Files

/// The state of a store's files that every write changes: equal identities prove that nothing was written.
///
/// Cheap: two calls and 100 bytes. It is no digest, and a writer that sets times back defeats it.
package struct StoreFileIdentity: Hashable, Sendable {
  /// A file as the operating system identifies it.
  package struct File: Hashable, Sendable {
    package var size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    package var modified: Int64
    package var inode: UInt64
    package var device: UInt64

    init(_ status: FileStatus) {
      size = status.size
      modified = status.modified
      inode = status.inode
      device = status.device
    }

    init?(_ fields: ArraySlice<Substring>) {
      let fields = Array(fields)
      guard fields.count == 4, let size = Int64(fields[0]), let modified = Int64(fields[1]),
        let inode = UInt64(fields[2]), let device = UInt64(fields[3])
      else { return nil }
      (self.size, self.modified, self.inode, self.device) = (size, modified, inode, device)
    }

    var fields: [String] { ["\(size)", "\(modified)", "\(inode)", "\(device)"] }
  }

  /// The database file.
  package var store: File
  /// The header's count of transactions, or nil in a file too short to have one.
  package var changeCounter: UInt32?
  /// The `-wal` file, or nil where there is none.
  package var writeAheadLog: File?

  /// The identity of the store at a path.
  ///
  /// Opens and closes the file: never call it while a connection of this process holds a lock on
  /// the file, which that would drop; ``StoreLock/identity()`` is for then.
  ///
  /// - Throws: ``StoreAccessError``.
  package init(path: String) throws(StoreAccessError) {
    try self.init(asStoreAccess(files: { () throws(FileError) in try OpenFile(reading: path) }))
  }

  /// Returns whether the store's files have the same contents as another's: a `-wal` without a byte, which
  /// SQLite makes where it takes a lock, does not count.
  package func hasContent(of other: StoreFileIdentity) -> Bool {
    func filled(_ log: File?) -> File? { log?.size == 0 ? nil : log }
    return store == other.store && changeCounter == other.changeCounter
      && filled(writeAheadLog) == filled(other.writeAheadLog)
  }

  init(_ file: borrowing OpenFile) throws(StoreAccessError) {
    let path = file.path
    let log = try StoreFiles(store: path).writeAheadLog
    do throws(FileError) {
      store = File(try file.status())
      let counter = try file.read(count: 4, at: 24)
      changeCounter = counter.count == 4 ? counter.reduce(0) { $0 << 8 | UInt32($1) } : nil
      writeAheadLog = try FileSystem.status(log).map(File.init)
    } catch {
      throw StoreAccessError(error)
    }
  }
}

extension StoreFileIdentity: LosslessStringConvertible {
  /// Reads back what ``description`` wrote; nil for anything else.
  package init?(_ description: String) {
    let fields = description.split(separator: " ", omittingEmptySubsequences: false)
    guard fields.count == 6 || fields.count == 10, fields[0] == "1",
      let store = File(fields[1..<5])
    else { return nil }
    self.store = store
    if fields[5] == "-" {
      changeCounter = nil
    } else {
      guard let counter = UInt32(fields[5]) else { return nil }
      changeCounter = counter
    }
    writeAheadLog = nil
    guard fields.count == 10 else { return }
    guard let log = File(fields[6...]) else { return nil }
    writeAheadLog = log
  }

  /// Numbers between single spaces, the form's version first; for journals.
  package var description: String {
    let counter = changeCounter.map { "\($0)" } ?? "-"
    return (["1"] + store.fields + [counter] + (writeAheadLog?.fields ?? []))
      .joined(separator: " ")
  }
}
