import Files
import ObjectModel

/// The first 100 bytes of a database file (sqlite.org/fileformat2.html#the_database_header).
///
/// It is as of the last checkpoint; a `-wal` may contain a newer header.
package struct DatabaseHeader: Hashable, Sendable {
  /// The encoding of stored text.
  package enum TextEncoding: UInt32, Hashable, Sendable {
    case utf8 = 1
    case utf16LittleEndian = 2
    case utf16BigEndian = 3
  }

  /// Bytes of a page, a power of two from 512 to 65,536.
  package let pageSize: Int
  /// 1 for a rollback journal, 2 for a write-ahead log.
  package let writeVersion: UInt8
  /// The same for readers: 1 for a rollback journal, 2 for a write-ahead log.
  package let readVersion: UInt8
  /// Counts the transactions, in rollback-journal mode only.
  package let changeCounter: UInt32
  /// Pages of the database, where ``isPageCountValid``.
  package let pageCount: UInt32
  /// Unused pages.
  package let freePageCount: UInt32
  /// Counts the changes of the schema.
  package let schemaCookie: UInt32
  /// 4 in every store measured.
  package let schemaFormat: UInt32
  /// Whether the file gives pages back to the disk.
  package let isAutoVacuumed: Bool
  /// Whether it does so on request only; every store measured is of this kind.
  package let isIncrementallyVacuumed: Bool
  /// Nil where the number is none of the three.
  package let textEncoding: TextEncoding?
  /// An app's own number.
  package let userVersion: Int32
  /// A file format's own number.
  package let applicationID: Int32
  /// Whether a SQLite new enough to keep it wrote ``pageCount``.
  package let isPageCountValid: Bool

  /// Whether the file is in WAL mode, so that a `-wal` may belong to it.
  package var isWriteAheadLogged: Bool { writeVersion == 2 }

  /// The least size of the file in bytes, or nil where the header does not state it.
  package var expectedFileSize: Int64? {
    isPageCountValid && pageCount > 0 ? Int64(pageCount) * Int64(pageSize) : nil
  }
}

extension DatabaseHeader {
  /// The bytes that begin every database (sqlite.org/fileformat2.html#magic_header_string).
  package static let magic = Array("SQLite format 3\u{0}".utf8)

  /// Returns whether a file that begins with these bytes is one of SQLite's.
  package static func begins(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: magic) }

  /// Reads the header of a file.
  ///
  /// Opens and closes the file: never call it while a connection of this process holds a lock on
  /// the file, which that would drop.
  ///
  /// - Throws: ``StoreAccessError``: `missing` or `unreadable`; `notAStore` for a folder, a file of
  ///   zero bytes and anything that does not begin like a database; `damaged` for one cut off within
  ///   the header or with an impossible page size; `unsupported` for a format that SQLite does not
  ///   know.
  package init(path: String) throws(StoreAccessError) {
    let status = try asStoreAccess(files: { () throws(FileError) in try FileSystem.status(path) })
    switch status?.kind {
    case .file: break
    case nil: throw StoreAccessError(code: .missing, message: "There is no file \(path)")
    case .folder:
      throw StoreAccessError(
        code: .notAStore,
        message: "\(path) is a folder, not a store",
        recovery: "Give the path of the SQLite file itself."
      )
    case .link, .other:
      throw StoreAccessError(code: .notAStore, message: "\(path) is not a file")
    }
    let bytes = try asStoreAccess(files: { () throws(FileError) in
      try OpenFile(reading: path).read(count: Self.readCount, at: 0)
    })
    try self.init(bytes, path: path)
  }

  /// Returns whether a file that begins so is compressed by gzip, as RFC 1952 has it.
  package static func isCompressed(_ head: [UInt8]) -> Bool { head.starts(with: [0x1f, 0x8b, 8]) }

  /// The bytes that suffice to recognize the kind of a store.
  private static let readCount = 1_024

  /// Reads a header from the file's first bytes.
  ///
  /// - Parameter path: Named in errors.
  /// - Throws: ``StoreAccessError``: `notAStore`, `damaged` or `unsupported`.
  package init(_ bytes: [UInt8], path: String) throws(StoreAccessError) {
    guard !bytes.isEmpty else {
      throw StoreAccessError(
        code: .notAStore,
        message: "\(path) is empty (zero bytes)",
        recovery: "Take the store from a backup."
      )
    }
    let common = min(bytes.count, Self.magic.count)
    guard bytes[..<common] == Self.magic[..<common] else {
      if let kind = OtherStoreKind(bytes) { throw kind.error(of: path) }
      guard !Self.isCompressed(bytes) else {
        throw StoreAccessError(
          code: .notAStore,
          message: "\(path) is compressed by gzip",
          recovery:
            "Decompress it into a new file, and give that one: gzip -dc < \(path.shellWord) > NEW"
        )
      }
      throw StoreAccessError(
        code: .notAStore,
        message: "\(path) is not a SQLite database, or it is encrypted",
        recovery: "Give the path of an unencrypted Core Data store of the SQLite kind."
      )
    }
    guard bytes.count >= 100 else {
      throw StoreAccessError(
        code: .damaged,
        message: "\(path) ends after \(bytes.count) bytes, within the header of a database"
      )
    }
    func number(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    // 65,536 does not fit two bytes and is written as 1.
    pageSize = size == 1 ? 65_536 : size
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      throw StoreAccessError(
        code: .damaged,
        message: "\(path) claims pages of \(size) bytes, which no database has"
      )
    }
    writeVersion = bytes[18]
    readVersion = bytes[19]
    guard writeVersion <= 2, readVersion <= 2, number(44) <= 4 else {
      let claim =
        number(44) > 4
        ? "a schema of format \(number(44)), and SQLite knows 1 to 4"
        : "to be written as version \(writeVersion) and read as version \(readVersion) of the file "
          + "format, and SQLite knows 1 and 2"
      throw StoreAccessError(
        code: .unsupported,
        message: "\(path) claims \(claim)",
        recovery: "It is damaged, or of a later SQLite: take the store from a backup, or use a "
          + "Waystone built with that SQLite."
      )
    }
    changeCounter = number(24)
    pageCount = number(28)
    freePageCount = number(36)
    schemaCookie = number(40)
    schemaFormat = number(44)
    isAutoVacuumed = number(52) != 0
    isIncrementallyVacuumed = number(52) != 0 && number(64) != 0
    textEncoding = TextEncoding(rawValue: number(56))
    userVersion = Int32(bitPattern: number(60))
    applicationID = Int32(bitPattern: number(68))
    isPageCountValid = number(92) == changeCounter
  }
}
