/// The layout of a database file (sqlite.org/fileformat2.html).
struct PageLayout: Sendable {
  /// Bytes of a page.
  let pageSize: Int
  /// Bytes of a page that SQLite uses: all but what is reserved at its end.
  let usableSize: Int
  /// The pages of the file; they are numbered from 1.
  let pageCount: UInt32
  /// Whether pointer maps give the parent of each page.
  let hasPointerMaps: Bool
  /// The greatest root, where there are pointer maps.
  let greatestRoot: UInt32
  /// The first page of the list of free pages, or 0.
  let firstFree: UInt32
  /// The number of free pages.
  let freeCount: UInt32
  /// The page of the byte that locks are taken on, which holds nothing.
  let lockPage: UInt32

  /// Reads the layout from the first 100 bytes of a file.
  ///
  /// - Throws: ``Unproven`` where they do not fit the file's size.
  init(header: [UInt8], fileSize: Int64) throws(Unproven) {
    func number(_ offset: Int) -> UInt32 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard header.count >= 100 else { throw Unproven() }
    pageSize = Self.pageSize(header)
    usableSize = pageSize - Int(header[20])
    pageCount = number(28)
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480,
      header[21...23].elementsEqual([64, 32, 32]), number(92) == number(24), pageCount > 0,
      fileSize == Int64(pageCount) * Int64(pageSize), pageCount <= Self.greatestCount
    else { throw Unproven() }
    firstFree = number(32)
    freeCount = number(36)
    greatestRoot = number(52)
    hasPointerMaps = greatestRoot != 0
    // Without pointer maps no page can be moved away on request either.
    guard hasPointerMaps || number(64) == 0 else { throw Unproven() }
    lockPage = UInt32(0x4000_0000 / pageSize) + 1
  }

  /// Returns the bytes of a page, from the first 100 bytes of a file.
  static func pageSize(_ header: [UInt8]) -> Int {
    let size = Int(header[16]) << 8 | Int(header[17])
    return size == 1 ? 65_536 : size
  }

  /// The greatest number of pages, which can be accounted for in 20 MB of memory.
  private static let greatestCount: UInt32 = 4_000_000

  /// Returns the page of the pointer map that has a page's entry.
  func pointerMap(of page: UInt32) -> UInt32 {
    let span = UInt32(usableSize / 5) + 1
    let map = (page - 2) / span * span + 2
    return map == lockPage ? map + 1 : map
  }

  /// Returns the bytes of a payload that are in its cell; the others are in overflow pages.
  func localSize(of payload: Int, isIndex: Bool) -> Int {
    let greatest = isIndex ? (usableSize - 12) * 64 / 255 - 23 : usableSize - 35
    if payload <= greatest { return payload }
    let least = (usableSize - 12) * 32 / 255 - 23
    let size = least + (payload - least) % (usableSize - 4)
    return size <= greatest ? size : least
  }
}

/// An error that a database is not proven whole, though it may be.
struct Unproven: Error {}
