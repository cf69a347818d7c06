import ObjectModel

/// The text of a UUID, as models and stores of the XML kind have it.
package enum UUIDText {
  /// Returns the 16 bytes in RFC 4122 order; nil where the text is no UUID.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    return Hexadecimal.bytes(groups.joined())
  }
}
