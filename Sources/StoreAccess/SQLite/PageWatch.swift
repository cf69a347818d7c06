private import CSQLite

/// An observer that keeps the ``DatabasePages`` of a file up to date while a connection writes it.
///
/// The methods of SQLite's own object for the file are replaced by ones that call them and take notes
/// (https://www.sqlite.org/c3ref/io_methods.html).
@safe package final class PageWatch {
  private var pages: DatabasePages
  /// Called whenever SQLite has brought the file to the disk.
  ///
  /// In a transaction that is when all its pages are written, and before it is committed. An error
  /// makes the transaction fail.
  package var onFlush: (() throws -> Void)?
  private var methods: UnsafeMutablePointer<WatchedMethods>?
  private var file: UnsafeMutablePointer<sqlite3_file>?
  private weak var callbacks: SQLiteCallbacks?

  fileprivate init(_ pages: DatabasePages, _ callbacks: SQLiteCallbacks) {
    self.pages = pages
    self.callbacks = callbacks
  }

  /// Returns the sum of the pages, as of the last that was written.
  ///
  /// - Returns: Nil where SQLite wrote other than by whole pages.
  /// - Throws: ``SQLiteError`` where the list of free pages cannot be read.
  package func sum() throws(SQLiteError) -> UInt64? {
    guard let file = unsafe file, let read = unsafe methods?.pointee.original.pointee.xRead else {
      return nil
    }
    return try pages.sum { (count, offset) throws(SQLiteError) in
      var bytes = [UInt8](repeating: 0, count: count)
      let result = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(file, $0.baseAddress, Int32($0.count), offset)
      }
      guard result == SQLITE_OK else {
        throw callbacks?.error(result, sql: nil, path: nil)
          ?? SQLiteError(code: .ioError, resultCode: result, message: "A page cannot be read")
      }
      return bytes
    }
  }
}

extension SQLiteConnection {
  /// Watches a database's file from now on, until it is closed.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name by which the database is attached.
  ///   - pages: The pages that the file has now.
  /// - Throws: ``SQLiteError`` where there is no such database with a file.
  package func watch(
    _ schema: String,
    from pages: DatabasePages
  ) throws(SQLiteError) -> PageWatch {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = unsafe sqlite3_file_control(handle, schema, SQLITE_FCNTL_FILE_POINTER, &file)
    guard result == SQLITE_OK else { throw error(result) }
    guard let file = unsafe file, unsafe file.pointee.pMethods != nil else {
      throw error(SQLITE_CANTOPEN)
    }
    let watch = PageWatch(pages, callbacks)
    unsafe watch.begin(file)
    return watch
  }
}

// MARK: The methods

/// The methods that SQLite finds in a watched file, and behind them the original ones.
@safe private struct WatchedMethods {
  /// The methods that SQLite sees; it must be the first.
  var methods: sqlite3_io_methods
  /// The file system's own.
  let original: UnsafePointer<sqlite3_io_methods>
  /// Retained until the file is closed.
  let watch: Unmanaged<PageWatch>

  /// Returns the methods of a file that is watched.
  static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> WatchedMethods? {
    guard let methods = unsafe file?.pointee.pMethods else { return nil }
    return unsafe UnsafeRawPointer(methods).assumingMemoryBound(to: WatchedMethods.self).pointee
  }
}

extension PageWatch {
  fileprivate func begin(_ file: UnsafeMutablePointer<sqlite3_file>) {
    guard let original = unsafe file.pointee.pMethods else { return }
    var methods = unsafe original.pointee
    unsafe methods.xWrite = { file, bytes, count, offset in
      guard let watched = unsafe WatchedMethods.of(file),
        let result = unsafe watched.original.pointee.xWrite?(file, bytes, count, offset)
      else { return SQLITE_IOERR }
      let written = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      unsafe watched.watch.takeUnretainedValue().pages.write(written, at: offset)
      return result
    }
    unsafe methods.xTruncate = { file, size in
      guard let watched = unsafe WatchedMethods.of(file),
        let result = unsafe watched.original.pointee.xTruncate?(file, size)
      else { return SQLITE_IOERR }
      if result == SQLITE_OK {
        unsafe watched.watch.takeUnretainedValue().pages.truncate(to: size)
      }
      return result
    }
    unsafe methods.xSync = { file, flags in
      guard let watched = unsafe WatchedMethods.of(file),
        let result = unsafe watched.original.pointee.xSync?(file, flags)
      else { return SQLITE_IOERR }
      guard result == SQLITE_OK else { return result }
      return unsafe watched.watch.takeUnretainedValue().flushed()
    }
    unsafe methods.xClose = { file in
      guard let watched = unsafe WatchedMethods.of(file),
        let result = unsafe watched.original.pointee.xClose?(file)
      else { return SQLITE_IOERR }
      unsafe watched.watch.takeUnretainedValue().end()
      return result
    }
    let place = UnsafeMutablePointer<WatchedMethods>.allocate(capacity: 1)
    unsafe place.initialize(
      to: WatchedMethods(
        methods: methods,
        original: original,
        watch: Unmanaged.passRetained(self)
      )
    )
    unsafe self.methods = place
    unsafe self.file = file
    unsafe file.pointee.pMethods = UnsafeRawPointer(place)
      .assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  private func flushed() -> Int32 {
    do {
      try onFlush?()
      return SQLITE_OK
    } catch {
      callbacks?.functionError = error
      return SQLITE_IOERR
    }
  }

  /// Releases the replaced methods of the file, now that it is closed.
  private func end() {
    onFlush = nil
    unsafe file = nil
    guard let place = unsafe methods else { return }
    unsafe methods = nil
    let watch = unsafe place.pointee.watch
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
    unsafe watch.release()
  }
}
