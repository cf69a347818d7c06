import StoreAccess

/// Rollback journals made by hand (sqlite.org/fileformat2.html#the_rollback_journal).
struct JournalSketch {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// A header of one sector.
  let bytes: [UInt8]

  init(records: UInt32, pages: UInt32, sector: UInt32 = 512, page: UInt32 = 4096) {
    let numbers = [records, 1, pages, sector, page].flatMap(Self.bytes)
    let header = Self.magic + numbers
    bytes = header + [UInt8](repeating: 0, count: Int(sector) - header.count)
  }

  /// The name of a super-journal at a journal's end.
  static func tail(naming path: String) -> [UInt8] {
    let name = Array(path.utf8)
    let sum = name.reduce(UInt32(0)) { $0 &+ UInt32($1) }
    return bytes(262_145) + name + bytes(UInt32(name.count)) + bytes(sum) + magic
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }
}
