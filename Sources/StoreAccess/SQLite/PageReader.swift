private import CSQLite

/// A reader of the pages of a database's file, through the handle that SQLite has open.
///
/// No file is opened: closing one would drop the locks that SQLite holds on it. Several threads may read at
/// once: SQLite's `unix` file systems read by `pread`, and write to their own state only where that fails.
@safe struct PageReader: Sendable {
  let layout: PageLayout
  /// The address of SQLite's object for the file.
  private let address: UInt
  /// The address of SQLite's object for the `-wal`, and the pages in it; nil where it has none.
  private let log: (address: UInt, pages: LogPages)?

  /// Opens the file of a database whose snapshot is held, with the pages of its `-wal` where no other
  /// connection can have written to it.
  ///
  /// - Throws: ``Unproven`` where a part of it may be elsewhere, or where it cannot be read.
  init(_ connection: borrowing SQLiteConnection, schema: String) throws(Unproven) {
    let opened = try unsafe Self.handle(SQLITE_FCNTL_FILE_POINTER, connection, schema)
    guard let file = unsafe opened else { throw Unproven() }
    let journalMode: String?
    do { journalMode = try connection.text("PRAGMA \(SQL.identifier(schema)).journal_mode") } catch
    {
      throw Unproven()
    }
    address = UInt(bitPattern: file)
    var header = try unsafe Self.header(file, at: 0)
    let pageSize = PageLayout.pageSize(header)
    if journalMode == "wal", let found = try Self.log(connection, schema, pageSize: pageSize) {
      log = found
      if let first = found.pages.offsets[1] {
        header = try unsafe Self.header(
          UnsafeMutablePointer<sqlite3_file>(bitPattern: found.address),
          at: first
        )
      }
      layout = try PageLayout(
        header: header,
        fileSize: Int64(found.pages.pageCount) * Int64(pageSize)
      )
    } else {
      log = nil
      layout = try PageLayout(header: header, fileSize: unsafe Self.size(of: file))
    }
    guard layout.pageSize == pageSize else { throw Unproven() }
  }

  /// Returns the first 100 bytes of a database.
  private static func header(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    at offset: Int64
  ) throws(Unproven) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 100)
    let isRead = unsafe header.withUnsafeMutableBytes { bytes in
      guard let file = unsafe file else { return false }
      return unsafe read(file, bytes.baseAddress, count: 100, at: offset)
    }
    guard isRead else { throw Unproven() }
    return header
  }

  /// Returns the pages of a database that are in its `-wal`; nil where that is empty.
  ///
  /// - Throws: ``Unproven`` where another connection may write to it.
  private static func log(
    _ connection: borrowing SQLiteConnection,
    _ schema: String,
    pageSize: Int
  ) throws(Unproven) -> (address: UInt, pages: LogPages)? {
    let opened = try unsafe handle(SQLITE_FCNTL_JOURNAL_POINTER, connection, schema)
    guard let file = unsafe opened else { throw Unproven() }
    let size = try unsafe size(of: file)
    if size == 0 { return nil }
    let lockingMode: String?
    do {
      lockingMode = try connection.text("PRAGMA \(SQL.identifier(schema)).locking_mode")
    } catch {
      throw Unproven()
    }
    guard lockingMode == "exclusive" else { throw Unproven() }
    let pages = try unsafe LogPages(pageSize: pageSize, size: size) { memory, offset in
      unsafe read(file, memory.baseAddress, count: memory.count, at: offset)
    }
    guard pages.pageCount > 0 else { throw Unproven() }
    return (UInt(bitPattern: file), pages)
  }

  /// Reads whole pages, one behind the other, into memory that holds them.
  func read(
    _ page: UInt32,
    into memory: UnsafeMutableRawPointer,
    count: Int = 1
  ) throws(Unproven) {
    var number = page
    let end = page + UInt32(count)
    while number < end {
      // Pages that are not in the log are read up to the next that is.
      let logged = log?.pages.offsets[number]
      var next = number + 1
      if let log, logged == nil {
        while next < end, log.pages.offsets[next] == nil { next += 1 }
      } else if log == nil {
        next = end
      }
      let place = logged ?? Int64(number - 1) * Int64(layout.pageSize)
      let file = unsafe UnsafeMutablePointer<sqlite3_file>(
        bitPattern: logged == nil ? address : log?.address ?? 0
      )
      guard let file = unsafe file,
        unsafe Self.read(
          file,
          memory + Int(number - page) * layout.pageSize,
          count: Int(next - number) * layout.pageSize,
          at: place
        )
      else { throw Unproven() }
      number = next
    }
  }

  /// Returns the number with which a page begins, as those of a chain do.
  func next(of page: UInt32) throws(Unproven) -> UInt32 {
    let logged = log?.pages.offsets[page]
    let offset = logged ?? Int64(page - 1) * Int64(layout.pageSize)
    let address = logged == nil ? address : log?.address ?? 0
    var number: UInt32 = 0
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
