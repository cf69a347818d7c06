internal import Files
internal import ModelCoding

/// A verification of an archive's checksums before its contents are used.
///
/// Where `bsdtar` makes one archive of another, it writes zeros for bytes that it cannot read, and exits with
/// success; and it never checks gzip's own checksum (measured on libarchive 3.6.2).
struct ArchiveChecksums {
  let program: String
  let environment: [String: String]
  let limits: ArchiveLimits

  /// Reads an archive to its end, where its form has checksums that no other code checks.
  ///
  /// - Throws: ``ArchiveReader/Refusal`` where one is wrong, and `FileError`.
  func check(_ path: String, isZip: Bool) throws {
    let file = try OpenFile(plainFile: path)
    let size = try file.status().size
    if isZip {
      try checkMembers(path, size)
    } else if try file.read(count: 2, at: 0) == [0x1f, 0x8b] {
      try checkStream(file, size)
    }
  }

  private func checkMembers(_ path: String, _ size: Int64) throws {
    var child = try ChildProcess(program, ["-xOf", path], environment: environment)
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    var total: Int64 = 0
    while true {
      let count = try child.read(into: &bytes)
      if count == 0 { break }
      total += Int64(count)
      try ArchiveReader.check(total, size, limits)
    }
    guard try child.wait() == .exited(0) else {
      throw ArchiveReader.refusal(child.complaint, nil)
    }
  }

  private func checkStream(_ file: borrowing OpenFile, _ size: Int64) throws {
    var offset: Int64 = 0
    let isWhole = try GzipChecksum.holds(
      reading: { bytes in
        let piece = try file.read(count: bytes.count, at: offset)
        bytes.replaceSubrange(..<piece.count, with: piece)
        offset += Int64(piece.count)
        return piece.count
      },
      check: { try ArchiveReader.check($0, size, limits) }
    )
    guard isWhole else {
      throw ArchiveReader.Refusal(
        reason: "It cannot be read to its end: what gzip says of its contents is not so."
      )
    }
  }
}
