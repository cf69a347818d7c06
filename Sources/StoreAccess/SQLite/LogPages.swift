/// The places of the latest pages of a database in its `-wal`, as SQLite's file format describes it.
///
/// A frame counts where its salts are the header's, all checksums up to it are right, and a frame that ends
/// a transaction is there or comes later: SQLite takes the same when it recovers a log.
struct LogPages: Sendable {
  /// The number of pages that the database has with them.
  ///
  /// 0 where no transaction of it counts.
  let pageCount: UInt32
  /// The offset in the log of each page's bytes.
  let offsets: [UInt32: Int64]
  /// The offset in the log of the end of the last transaction that counts.
  let end: Int64
  /// The end of the frames whose checksums are right, those of a transaction that was never ended
  /// included.
  let chainEnd: Int64

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Reads a log from its beginning to the last frame that counts.
  ///
  /// - Parameters:
  ///   - read: Reads bytes of the log at an offset; false where it cannot.
  ///   - size: The bytes of the log.
  /// - Throws: ``Unproven`` where it is none of this page size, or cannot be read.
  /// - Complexity: A pass over the log; sixteen bytes of memory or so for each page in it.
  init(
    pageSize: Int,
    size: Int64,
    read: (UnsafeMutableRawBufferPointer, Int64) -> Bool
  ) throws(Unproven) {
    var header = [UInt8](repeating: 0, count: Self.headerSize)
    guard pageSize >= 512, unsafe header.withUnsafeMutableBytes({ unsafe read($0, 0) }) else {
      throw Unproven()
    }
    guard Self.number(header, 8) == UInt32(clamping: pageSize), var sum = Self.sum(ofHeader: header)
    else { throw Unproven() }
    let salts = header[16..<24]
    var frame = [UInt8](repeating: 0, count: Self.frameHeaderSize + pageSize)
    var pending: [UInt32: Int64] = [:]
    var offsets: [UInt32: Int64] = [:]
    var pageCount: UInt32 = 0
    var offset = Int64(Self.headerSize)
    var end = offset
    while offset + Int64(frame.count) <= size {
      guard unsafe frame.withUnsafeMutableBytes({ unsafe read($0, offset) }) else {
        throw Unproven()
      }
      let page = Self.number(frame, 0)
      guard frame[8..<16].elementsEqual(salts), page > 0 else { break }
      unsafe frame.withUnsafeBytes { bytes in
        unsafe sum.add(bytes, count: 8)
        unsafe sum.add(UnsafeRawBufferPointer(rebasing: bytes[24...]), count: pageSize)
      }
      guard sum.isSaid(by: frame, at: 16) else { break }
      pending[page] = offset + Int64(Self.frameHeaderSize)
      let committed = Self.number(frame, 4)
      if committed > 0 {
        pageCount = committed
        offsets.merge(pending) { _, new in new }
        pending.removeAll(keepingCapacity: true)
        end = offset + Int64(frame.count)
      }
      offset += Int64(frame.count)
    }
    self.pageCount = pageCount
    self.end = end
    chainEnd = offset
    self.offsets = offsets.filter { $0.key <= pageCount }
  }

  /// Returns whether some bytes are the header of a log, and their checksum is right.
  static func isHeader(_ bytes: [UInt8]) -> Bool { sum(ofHeader: bytes) != nil }

  /// Returns the checksum up to the first frame; nil where the header is none, or its own is wrong.
  private static func sum(ofHeader header: [UInt8]) -> Checksum? {
    let magic = number(header, 0)
    guard magic & ~1 == 0x377f_0682, number(header, 4) == 3_007_000 else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    unsafe header.withUnsafeBytes { unsafe sum.add($0, count: 24) }
    return sum.isSaid(by: header, at: 24) ? sum : nil
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The sum of a log's bytes up to a frame.
  private struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes, in a number that is a multiple of eight.
    mutating func add(_ bytes: UnsafeRawBufferPointer, count: Int) {
      var (one, two) = (first, second)
      for place in stride(from: 0, to: count, by: 8) {
        let words = unsafe (
          bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self),
          bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        )
        one &+= (isBigEndian ? UInt32(bigEndian: words.0) : UInt32(littleEndian: words.0)) &+ two
        two &+= (isBigEndian ? UInt32(bigEndian: words.1) : UInt32(littleEndian: words.1)) &+ one
      }
      (first, second) = (one, two)
    }

    /// Returns whether bytes have the sum at a place, which is the same for either order of bytes in the log.
    func isSaid(by bytes: [UInt8], at place: Int) -> Bool {
      LogPages.number(bytes, place) == first && LogPages.number(bytes, place + 4) == second
    }
  }
}
