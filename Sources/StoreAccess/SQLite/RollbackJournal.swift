package import Files

/// A rollback journal, read as SQLite would read it before it undoes the transaction.
///
/// The format is that of sqlite.org/fileformat2.html#the_rollback_journal and of `pager.c`
/// (`readJournalHdr`, `readSuperJournal`, `pager_playback`): segments of a header and of records, one
/// for each page as it was, and at the end, where a transaction wrote to several databases, the path
/// of a file that the journals of all of them name. SQLite removes that file when it is done with the
/// last: the author of a journal chooses a file to be deleted.
package struct RollbackJournal: Hashable, Sendable {
  /// Bytes of the file.
  package let size: Int64
  /// Bytes of the file that SQLite reads; what follows is of an earlier, longer transaction, or a hole.
  package let usedSize: Int64
  /// Whether SQLite would undo something with it: its first byte is not zero, and its mark is whole.
  package let isHot: Bool
  /// Whether SQLite undoes all that it was written for.
  ///
  /// A hot journal is whole if each page that its headers count is there with the right checksum:
  /// SQLite stops at the first that is not, and takes the transaction for undone. Another one is whole
  /// if its header was cleared, as SQLite ends a transaction with `journal_mode=PERSIST`, or is not
  /// written yet, since the database has not changed before.
  package let isWhole: Bool
  /// The path in the journal's tail, as bytes, or nil where there is none.
  ///
  /// Its checksum is not asked for, so that no doubt about it matters.
  package let superJournal: [UInt8]?

  /// The mark of each header, and of the name of a super-journal (`aJournalMagic`).
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// Bytes of a header that hold something; it fills a sector.
  private static let headerSize = 28
  /// Bytes after the name of a super-journal: its length, its checksum and the mark.
  private static let tailSize: Int64 = 16

  /// Reads a journal's headers, its tail, and the records that SQLite reads.
  ///
  /// - Throws: ``FileError`` where it cannot be read; ``Flaw`` where it is none.
  package init(reading file: borrowing OpenFile) throws {
    size = try file.status().size
    superJournal = try Self.superJournal(in: file, size)
    let start = try file.read(count: Self.headerSize, at: 0)
    isHot = start.first ?? 0 != 0 && !Self.isTorn(start)
    guard isHot else {
      isWhole = start.prefix(Self.magic.count + 4).allSatisfy { $0 == 0 } || Self.isTorn(start)
      usedSize = min(size, Int64(Self.headerSize))
      return
    }
    guard start.count == Self.headerSize else {
      // The writer died before the header was whole, and so before it changed the database.
      guard start.starts(with: Self.magic) || Self.magic.starts(with: start) else {
        throw Flaw.notAJournal
      }
      isWhole = true
      usedSize = size
      return
    }
    guard start.starts(with: Self.magic) else { throw Flaw.notAJournal }
    (usedSize, isWhole) = try Self.extent(of: file, size, start)
  }

  /// Returns whether the mark of a header is written in part, and the number of records behind it not at all.
  ///
  /// It is the last that is written before the database changes, and its writer died there. SQLite finds
  /// nothing to undo, and may leave the file.
  private static func isTorn(_ start: [UInt8]) -> Bool {
    let mark = start.prefix(magic.count + 4)
    let written = zip(mark, magic).prefix { $0 == $1 }.count
    return mark.count == magic.count + 4 && (1..<magic.count).contains(written)
      && mark.dropFirst(written).allSatisfy { $0 == 0 }
  }

  /// The reason that a file is no journal that could be undone.
  package enum Flaw: Error, Hashable {
    /// The file does not begin as a journal.
    case notAJournal
    /// The header claims pages or sectors of an impossible size, or a page twice.
    case impossible
  }

  private static func superJournal(
    in file: borrowing OpenFile,
    _ size: Int64
  ) throws -> [UInt8]? {
    guard size >= tailSize else { return nil }
    let tail = try file.read(count: Int(tailSize), at: size - tailSize)
    guard tail.count == tailSize, Array(tail[8...]) == magic else { return nil }
    let length = Int64(number(tail, 0))
    // SQLite reads none that is longer than a path can be (512 bytes on Linux, 1,024 on macOS).
    guard length > 0, length <= size - tailSize else { return nil }
    let count = min(length, 4096)
    return try file.read(count: Int(count), at: size - tailSize - count)
  }

  /// Returns the offset where the records end that SQLite would put back, and whether these are all
  /// that are counted.
  private static func extent(
    of file: borrowing OpenFile,
    _ size: Int64,
    _ start: [UInt8]
  ) throws -> (usedSize: Int64, isWhole: Bool) {
    let (pages, sector, page) = (number(start, 16), number(start, 20), number(start, 24))
    guard isPower(sector, 32...65_536), isPower(page, 512...65_536) else { throw Flaw.impossible }
    let (headerLength, recordLength) = (Int64(sector), Int64(page) + 8)
    var (offset, used, records) = (Int64(0), headerLength, UInt64(0))
    var isWhole = true
    while offset + headerLength <= size {
      let header = try file.read(count: headerSize, at: offset)
      guard header.starts(with: magic), header.count == headerSize else {
        // One byte off is a damaged mark; anything else is of an earlier, longer transaction.
        if zip(header, magic).count(where: { $0 != $1 }) == 1 { isWhole = false }
        break
      }
      offset += headerLength
      used = offset
      // A writer that never waits for the disk does not count its records.
      let counted = number(header, 8)
      let count =
        counted == .max ? (size - offset) / recordLength : Int64(counted)
      for _ in 0..<count {
        let record = try file.read(count: counted == .max ? 4 : Int(recordLength), at: offset)
        // No page has the number 0: SQLite stops there, as at the end.
        guard record.count >= 4, number(record, 0) != 0, offset + recordLength <= size else {
          return (min(used, size), counted == .max)
        }
        if counted != .max {
          let sum = checksum(of: record, from: number(header, 12))
          isWhole = isWhole && sum == number(record, record.count - 4)
        }
        records += 1
        guard records <= UInt64(pages) else { throw Flaw.impossible }
        offset += recordLength
        used = offset
      }
      offset = (offset + headerLength - 1) / headerLength * headerLength
    }
    return (min(used, size), isWhole)
  }

  /// Returns the checksum of a record's page (`pager_cksum`): a number of the header's and each 200th byte,
  /// from the end.
  private static func checksum(of record: [UInt8], from start: UInt32) -> UInt32 {
    let page = record.count - 8
    return stride(from: page - 200, to: 0, by: -200).reduce(start) { $0 &+ UInt32(record[4 + $1]) }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func isPower(_ number: UInt32, _ range: ClosedRange<UInt32>) -> Bool {
    range.contains(number) && number & (number - 1) == 0
  }
}
