package import Files

/// The digests of the pages of a database file, which reveal a change of the file.
///
/// Their ``sum(_:)`` leaves out pages and fields that do not affect the contents and that a rollback does
/// not restore: the leaves of the list of free pages, pages behind the last, and in the first page the
/// counters of changes and the mark of the journal mode
/// (https://www.sqlite.org/fileformat2.html#the_freelist).
package struct DatabasePages: Sendable {
  /// The digest of each page; 0 where it was never written.
  private var digests: [UInt64] = []
  private var total: UInt64 = 0
  private var pageSize = 0
  /// Whether all that was written were whole pages, as SQLite writes them.
  private var isWhole = true

  /// The pages of a file that is empty.
  package init() {}

  /// Reads the pages of a file that no connection of this process has open.
  ///
  /// - Throws: ``FileError``.
  /// - Complexity: A pass over the file.
  package init(reading path: String) throws(FileError) {
    let file = try OpenFile(reading: path)
    let header = try file.read(count: Self.headerSize, at: 0)
    let size = header.count == Self.headerSize ? Int(header[16]) << 8 | Int(header[17]) : 0
    // 65,536 does not fit two bytes and is written as 1.
    let pageSize = size == 1 ? 65_536 : size
    guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      isWhole = false
      return
    }
    var offset: Int64 = 0
    while true {
      let bytes = try file.read(count: 1 << 20, at: offset)
      if bytes.isEmpty { return }
      unsafe bytes.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: pageSize) {
          // SQLite keeps its locks in this page, and nothing else.
          guard offset + Int64(start) != 1 << 30 else { continue }
          let end = min(start + pageSize, bytes.count)
          unsafe write(
            UnsafeRawBufferPointer(rebasing: bytes[start..<end]),
            at: offset + Int64(start)
          )
        }
      }
      offset += Int64(bytes.count)
    }
  }

  /// Notes that a page was written.
  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    if pageSize == 0 { pageSize = bytes.count }
    guard pageSize > 0, bytes.count == pageSize, offset >= 0, Int(offset) % pageSize == 0 else {
      isWhole = false
      return
    }
    let index = Int(offset) / pageSize
    if index >= digests.count {
      digests += repeatElement(0, count: index + 1 - digests.count)
    }
    let digest = unsafe Self.digest(bytes, index)
    total = total &- digests[index] &+ digest
    digests[index] = digest
  }

  /// Notes that the file was cut.
  mutating func truncate(to size: Int64) {
    guard pageSize > 0 else { return }
    let count = (Int(size) + pageSize - 1) / pageSize
    guard count < digests.count else { return }
    for digest in digests[count...] { total &-= digest }
    digests.removeSubrange(count...)
  }

  /// Returns the sum of the pages that hold the database's contents.
  ///
  /// - Parameter read: Reads a number of bytes of the file from an offset.
  /// - Returns: Nil where the file is none that SQLite has written by whole pages.
  /// - Complexity: O(*n*) in the free pages.
  package func sum<Failure: Error>(
    _ read: (_ count: Int, _ offset: Int64) throws(Failure) -> [UInt8]
  ) throws(Failure) -> UInt64? {
    guard isWhole, pageSize > 0 else { return nil }
    let header = try read(Self.headerSize, 0)
    let count = Self.number(header, 28)
    guard count <= digests.count else { return nil }
    var sum = total
    for digest in digests[count...] { sum &-= digest }
    var trunk = Self.number(header, 32)
    var left = Self.number(header, 36)
    while trunk != 0 {
      guard trunk <= count, left > 0 else { return nil }
      let page = try read(pageSize, Int64(trunk - 1) * Int64(pageSize))
      let leaves = Self.number(page, 4)
      guard leaves < left, 8 + 4 * leaves <= page.count else { return nil }
      for place in 0..<leaves {
        let leaf = Self.number(page, 8 + 4 * place)
        guard (1...count).contains(leaf) else { return nil }
        sum &-= digests[leaf - 1]
      }
      left -= leaves + 1
      trunk = Self.number(page, 0)
    }
    return sum
  }

  /// Returns the ``sum(_:)`` of a file that no connection of this process has open.
  ///
  /// - Throws: ``FileError``.
  package func sum(reading path: String) throws(FileError) -> UInt64? {
    let file = try OpenFile(reading: path)
    return try sum { (count, offset) throws(FileError) in try file.read(count: count, at: offset) }
  }

  private static let headerSize = 100

  /// Returns the four bytes of a number; 0 where the bytes end before.
  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    guard offset + 4 <= bytes.count else { return 0 }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func digest(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    var digest = ByteDigest(seed: UInt64(index) &* 0x9e37_79b9_7f4a_7c15 | 1)
    guard index == 0, bytes.count >= headerSize else {
      unsafe digest.add(bytes)
      return digest.value
    }
    // Versions for writing and reading, the counter of changes, its value when the page count was last
    // valid, and SQLite's version.
    var first = unsafe [UInt8](bytes)
    for range in [18..<20, 24..<28, 92..<100] {
      first.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    digest.add(first)
    return digest.value
  }
}
