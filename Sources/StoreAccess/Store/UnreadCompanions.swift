internal import Files

/// The logs and journals beside a store with contents that SQLite does not read.
///
/// SQLite treats a `-wal` whose header is damaged as empty, ends at the first frame that does not add up, and
/// passes over a `-journal` that begins with a zero. The last connection to close the store deletes them
/// all the same, with the only copy of their contents.
package enum UnreadCompanions {
  /// A file that SQLite does not read whole.
  package struct File: Hashable, Sendable {
    /// The path of the file.
    package let path: String
    /// Whether it is a journal that SQLite undoes in part, and deletes, once it locks the store.
    package let isHotJournal: Bool
  }

  /// Returns the files, in the order of their names.
  ///
  /// A finished journal does not count, nor do frames of an earlier log, which SQLite writes over, and of a
  /// transaction that was never ended: nothing that was committed is in them alone.
  ///
  /// - Throws: ``StoreAccessError`` where that cannot be known.
  /// - Complexity: A pass over the log.
  package static func files(beside files: StoreFiles) throws(StoreAccessError) -> [File] {
    let journal = try asStoreAccess { () throws(SQLiteError) in
      try DatabaseCompanions.rollbackJournal(of: files.store)
    }
    let hasLog = try files.writeAheadLogSize > 32
    return try asStoreAccess(files: { () throws(FileError) in
      var unread: [File] = []
      if let journal, !journal.isWhole {
        unread.append(File(path: files.rollbackJournal, isHotJournal: journal.isHot))
      }
      if hasLog, try isUnread(files.writeAheadLog) {
        unread.append(File(path: files.writeAheadLog, isHotJournal: false))
      }
      return unread
    })
  }

  private static func isUnread(_ path: String) throws(FileError) -> Bool {
    let file = try OpenFile(plainFile: path)
    let size = try file.status().size
    guard let header = try LogHeader(of: file), header.isSound else { return try holdsBytes(path) }
    var failure: FileError?
    let pages = unsafe try? LogPages(pageSize: header.pageSize, size: size) { bytes, offset in
      do throws(FileError) {
        let read = try file.read(count: bytes.count, at: offset)
        guard read.count == bytes.count else { return false }
        unsafe bytes.copyBytes(from: read)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    guard let pages else { return try holdsBytes(path) }
    // Behind it only the end of a transaction counts: SQLite writes frames of one that is not ended
    // over, and sets their checksums right at its end.
    var offset = pages.chainEnd
    var isOfLog = true
    while offset < size {
      let frame = try file.read(count: 16, at: offset)
      if frame.count == 16 {
        // Both numbers of an earlier log differ.
        isOfLog =
          frame[8..<12].elementsEqual(header.salts[..<4])
          || frame[12...].elementsEqual(header.salts[4...])
        if isOfLog, frame[4..<8] != [0, 0, 0, 0] { return true }
      }
      let rest = size - offset
      // A writer may die between a frame's header and its page; what ends elsewhere was cut off.
      if rest < 24 + Int64(header.pageSize) { return isOfLog && rest != 24 }
      offset += Int64(24 + header.pageSize)
    }
    return false
  }

  /// Returns whether a file has a byte that is not zero.
  private static func holdsBytes(_ path: String) throws(FileError) -> Bool {
    let file = try OpenFile(plainFile: path)
    var offset: Int64 = 0
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    while let next = try file.nextData(from: offset) {
      let count = try file.read(into: &bytes, at: next)
      guard count > 0 else { return false }
      if bytes[..<count].contains(where: { $0 != 0 }) { return true }
      offset = next + Int64(count)
    }
    return false
  }
}

/// The first bytes of a write-ahead log (sqlite.org/fileformat2.html#the_write_ahead_log).
struct LogHeader {
  /// The bytes of a page, according to the log.
  let pageSize: Int
  /// The numbers that each frame of this log bears.
  let salts: [UInt8]
  /// Whether SQLite reads frames behind this header.
  let isSound: Bool

  /// Reads the header; nil where the file is too short for one.
  init?(of file: borrowing OpenFile) throws(FileError) {
    let bytes = try file.read(count: 32, at: 0)
    guard bytes.count == 32 else { return nil }
    pageSize = bytes[8..<12].reduce(0) { $0 << 8 | Int($1) }
    salts = Array(bytes[16..<24])
    let isPage = (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0
    isSound = isPage && LogPages.isHeader(bytes)
  }
}
