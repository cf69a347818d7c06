import Files

/// The sums of a hop's two files as of its last two commits, in a small file beside them.
///
/// A sum is written when all pages of a transaction are, and before it is committed; after a kill the
/// files have the state of the last commit or of the one before. Files that are neither were changed by
/// something else, and the hop begins anew. So are files whose seal was lost with the power.
final class ResumeChecksum {
  /// The sums that identify a state of the files.
  struct Sums: Hashable, Sendable {
    /// The sum of the pages of the file that the hop makes.
    var new: UInt64
    /// The sum of the pages of the scratch database.
    var scratch: UInt64
  }

  /// The suffix of the file's name, after the scratch database's.
  static let suffix = "-seal"

  private let file: OpenFile
  /// The number of the commit that was written last.
  private var number: UInt64 = 0
  private var last: Sums?

  /// Makes the file of a hop that begins.
  ///
  /// - Throws: ``FileError``.
  init(creatingBeside scratch: String) throws(FileError) {
    file = try OpenFile(creating: scratch + Self.suffix)
  }

  /// Opens the file of a running hop.
  ///
  /// - Throws: ``FileError``.
  private init(openingBeside scratch: String) throws(FileError) {
    file = try OpenFile(writing: scratch + Self.suffix)
  }

  /// Returns the seal of files that are as a process left them that died; nil where they are not, or
  /// where there is no seal.
  ///
  /// - Throws: ``FileError``.
  static func unbroken(
    beside scratch: String,
    _ sums: Sums
  ) throws(FileError) -> ResumeChecksum? {
    guard try FileSystem.exists(scratch + suffix) else { return nil }
    let seal = try ResumeChecksum(openingBeside: scratch)
    let bytes = try seal.file.read(count: 2 * slotSize, at: 0)
    for start in stride(from: 0, to: bytes.count, by: slotSize) {
      guard let (number, written) = slot(bytes[start...].prefix(slotSize)), written == sums else {
        continue
      }
      // The next takes the other place, also where the process died before a commit.
      seal.number = number
      seal.last = sums
      return seal
    }
    return nil
  }

  /// Writes the sums of a transaction that is about to be committed, over those of the last but one.
  ///
  /// - Throws: ``FileError``.
  func write(_ sums: Sums) throws(FileError) {
    guard sums != last else { return }
    number &+= 1
    let bytes = Self.slot(number, sums)
    try file.write(bytes, at: Int64(number % 2) * Int64(Self.slotSize))
    try file.synchronize()
    last = sums
  }

  // MARK: The form of the file

  /// Three numbers and their digest.
  private static let slotSize = 32

  private static func slot(_ number: UInt64, _ sums: Sums) -> [UInt8] {
    let bytes = [number, sums.new, sums.scratch].flatMap { Self.bytes(of: $0) }
    return bytes + Self.bytes(of: digest(bytes))
  }

  /// Returns the content of a slot; nil where it was never written, or not all of it.
  private static func slot(_ bytes: ArraySlice<UInt8>) -> (UInt64, Sums)? {
    guard bytes.count == slotSize else { return nil }
    let numbers = stride(from: 0, to: slotSize, by: 8).map { start in
      bytes.dropFirst(start).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    guard numbers[3] == digest(Array(bytes.prefix(24))) else { return nil }
    return (numbers[0], Sums(new: numbers[1], scratch: numbers[2]))
  }

  private static func bytes(of number: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
  }

  private static func digest(_ bytes: [UInt8]) -> UInt64 {
    var digest = ByteDigest()
    digest.add(bytes)
    return digest.value
  }
}
