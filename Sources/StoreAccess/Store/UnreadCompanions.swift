internal import Files

/// The logs and journals beside a store with contents that SQLite does not read.
///
/// SQLite treats a `-wal` whose header is damaged as empty, ends at the first frame that does not add up, and
/// passes over a `-journal` that begins with a zero. The last connection to close the store deletes them
/// all the same, with the only copy of their contents.
package enum UnreadCompanions {
  /// Returns the paths of the files, in the order of their names.
  ///
  /// Frames of an earlier log, which SQLite writes over, do not count: all of them are in the store.
  ///
  /// - Throws: ``StoreAccessError`` where that cannot be known.
  /// - Complexity: A pass over the log.
  package static func paths(beside files: StoreFiles) throws(StoreAccessError) -> [String] {
    let journal = try asStoreAccess { () throws(SQLiteError) in
      try DatabaseCompanions.rollbackJournal(of: files.store)
    }
    let hasLog = try files.writeAheadLogSize > 32
    return try asStoreAccess(files: { () throws(FileError) in
      var paths: [String] = []
      if let journal, !journal.isHot, journal.size > 0, try holdsBytes(files.rollbackJournal) {
        paths.append(files.rollbackJournal)
      }
      if hasLog, try isUnread(files.writeAheadLog) { paths.append(files.writeAheadLog) }
      return paths
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
    // Of this log, and behind the last transaction that counts.
    var offset = pages.end
    while offset + 24 <= size {
      let frame = try file.read(count: 16, at: offset)
      if frame.count == 16, frame[8...].elementsEqual(header.salts) { return true }
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
