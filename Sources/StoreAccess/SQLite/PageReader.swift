private import CSQLite

/// Reads the pages of a database's file through the handle that SQLite has open.
///
/// No file is opened: closing one would drop the locks that SQLite holds on it. Several threads may read at
/// once: SQLite's `unix` file systems read by `pread`, and write to their own state only where that fails.
@safe struct PageReader: Sendable {
  let layout: PageLayout
  /// Where SQLite has its file.
  private let address: UInt

  /// The file of a database whose snapshot is held, and which is all of it.
  ///
  /// - Throws: ``Unproven`` where a part of it is elsewhere, as in a `-wal`, or where it cannot be read.
  init(_ connection: borrowing SQLiteConnection, schema: String) throws(Unproven) {
    let opened = try unsafe Self.handle(SQLITE_FCNTL_FILE_POINTER, connection, schema)
    guard let file = unsafe opened else { throw Unproven() }
    let journalMode: String?
    do { journalMode = try connection.text("PRAGMA \(SQL.identifier(schema)).journal_mode") } catch
    {
      throw Unproven()
    }
    if journalMode == "wal" {
      let log = try unsafe Self.handle(SQLITE_FCNTL_JOURNAL_POINTER, connection, schema)
      guard let log = unsafe log, try unsafe Self.size(of: log) == 0 else { throw Unproven() }
    }
    var header = [UInt8](repeating: 0, count: 100)
    let isRead = unsafe header.withUnsafeMutableBytes {
      unsafe Self.read(file, $0.baseAddress, count: 100, at: 0)
    }
    guard isRead else { throw Unproven() }
    layout = try PageLayout(header: header, fileSize: unsafe Self.size(of: file))
    address = UInt(bitPattern: file)
  }

  /// Reads whole pages, one behind the other, into memory that holds them.
  func read(
    _ page: UInt32,
    into memory: UnsafeMutableRawPointer,
    count: Int = 1
  ) throws(Unproven) {
    let offset = Int64(page - 1) * Int64(layout.pageSize)
    guard let file = unsafe UnsafeMutablePointer<sqlite3_file>(bitPattern: address),
      unsafe Self.read(file, memory, count: layout.pageSize * count, at: offset)
    else { throw Unproven() }
  }

  /// The number with which a page begins, as those of a chain do.
  func next(of page: UInt32) throws(Unproven) -> UInt32 {
    var number: UInt32 = 0
    let offset = Int64(page - 1) * Int64(layout.pageSize)
    let isRead = unsafe withUnsafeMutableBytes(of: &number) { bytes in
      guard let file = unsafe UnsafeMutablePointer<sqlite3_file>(bitPattern: address) else {
        return false
      }
      return unsafe Self.read(file, bytes.baseAddress, count: 4, at: offset)
    }
    guard isRead else { throw Unproven() }
    return UInt32(bigEndian: number)
  }

  private static func handle(
    _ operation: Int32,
    _ connection: borrowing SQLiteConnection,
    _ schema: String
  ) throws(Unproven) -> UnsafeMutablePointer<sqlite3_file>? {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    let result = unsafe sqlite3_file_control(connection.handle, schema, operation, &pointer)
    guard result == SQLITE_OK, let pointer = unsafe pointer, unsafe pointer.pointee.pMethods != nil
    else { return nil }
    return unsafe pointer
  }

  private static func size(of file: UnsafeMutablePointer<sqlite3_file>) throws(Unproven) -> Int64 {
    var size: Int64 = 0
    guard unsafe file.pointee.pMethods.pointee.xFileSize?(file, &size) == SQLITE_OK else {
      throw Unproven()
    }
    return size
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>,
    _ memory: UnsafeMutableRawPointer?,
    count: Int,
    at offset: Int64
  ) -> Bool {
    let result = unsafe file.pointee.pMethods.pointee.xRead?(file, memory, Int32(count), offset)
    return result == SQLITE_OK
  }
}
