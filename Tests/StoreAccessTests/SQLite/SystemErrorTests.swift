import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing

@Suite struct `What SQLite's failures mean` {
  /// SQLite's result code, the system's error number, and what they mean together.
  private static let meanings: [(Int32, Int32, SQLiteError.Code)] = {
    let (corrupt, notADatabase, cannotOpen): (Int32, Int32, Int32) = (11, 26, 14)
    let (noMemory, ioError, failedWrite): (Int32, Int32, Int32) = (7, 10, 778)
    return [
      (corrupt, 0, .corrupt), (notADatabase, 0, .notADatabase),
      // A page that the disk does not give is not damaged.
      (corrupt, EIO, .ioError), (corrupt | 1 << 8, EIO, .ioError), (notADatabase, ENXIO, .ioError),
      (failedWrite, EIO, .ioError), (failedWrite, ENOSPC, .full), (failedWrite, EDQUOT, .full),
      (failedWrite, EFBIG, .full), (noMemory, 0, .noMemory), (ioError, ENOMEM, .noMemory),
      (cannotOpen, ENOENT, .cantOpen), (cannotOpen, EMFILE, .ioError), (cannotOpen, EIO, .ioError),
    ]
  }()

  @Test(arguments: meanings)
  func `the system's error number decides between damage and a failing disk`(
    resultCode: Int32,
    number: Int32,
    code: SQLiteError.Code
  ) {  // F7
    #expect(SQLiteError.Code(resultCode: resultCode, systemErrorNumber: number) == code)
  }

  @Test func `only what was asked for is to blame for what comes again`() {
    let passing: [SQLiteError.Code] = [
      .busy, .cantOpen, .full, .ioError, .readOnly, .noMemory, .interrupted,
    ]
    for code in passing { #expect(SQLiteError(code: code, message: "").isEnvironmental) }
    let lasting: [SQLiteError.Code] = [.corrupt, .notADatabase, .statement, .constraint, .schema]
    for code in lasting { #expect(!SQLiteError(code: code, message: "").isEnvironmental) }
  }

  @Test func `a file that cannot be attached is named`() throws {  // F12
    try TemporaryFolder.with { folder in
      let path = "\(folder)/none.sqlite"
      let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
      let error = #expect(throws: SQLiteError.self) {
        try connection.attach(path: path, as: "old", access: .readOnly)
      }
      #expect(error?.message.contains(path) == true, "\(error?.message ?? "")")
      #expect(error?.files == [path])
    }
  }

  @Test func `a failure names the files attached to a connection without one`() throws {  // F12
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a.sqlite"
      try SQLiteConnection(path: path, access: .create).execute("CREATE TABLE t (a)")
      let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
      try connection.attach(path: path, as: "old", access: .readOnly)
      let error = #expect(throws: SQLiteError.self) {
        try connection.execute("SELECT none FROM old.t")
      }
      #expect(error?.message.contains(path) == true, "\(error?.message ?? "")")
      #expect(error?.files.first.map { FileSystem.name(of: $0) } == "a.sqlite")
    }
  }
}
