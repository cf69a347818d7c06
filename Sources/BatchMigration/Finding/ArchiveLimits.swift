/// The limits on the contents of an archive.
///
/// An archive that exceeds one is refused as a whole.
package struct ArchiveLimits: Hashable, Codable, Sendable {
  /// Files and folders.
  package var entries = 1_000_000
  /// Bytes of all files, unpacked.
  package var bytes: Int64 = 100_000_000_000
  /// The greatest permitted ratio of the unpacked bytes to the archive's own size.
  package var ratio: Int64 = 200
  /// The unpacked bytes up to which the ratio does not count.
  package var bytesOfAnyRatio: Int64 = 100_000_000

  /// The usual limits.
  package init() {}
}
