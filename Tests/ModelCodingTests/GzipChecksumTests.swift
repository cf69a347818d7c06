import ModelCoding
import Testing

/// Streams of gzip, whole and not.
@Suite struct GzipChecksumTests {
  /// "Waystone\n" as `gzip -n` compresses it.
  private static let part: [UInt8] = [
    0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x0b, 0x4f, 0xac, 0x2c, 0x2e, 0xc9, 0xcf, 0x4b, 0xe5,
    0x02, 0, 0x2f, 0x43, 0x3c, 0xcd, 9, 0, 0, 0,
  ]

  private func holds(_ bytes: [UInt8], piece: Int = 7) throws -> Bool {
    var rest = bytes[...]
    return try GzipChecksum.holds(
      reading: { buffer in
        let next = rest.prefix(piece)
        buffer.replaceSubrange(..<next.count, with: next)
        rest = rest.dropFirst(next.count)
        return next.count
      },
      check: { _ in }
    )
  }

  @Test(arguments: [1, 7, 100])
  func `whole parts, one behind the other, and zeros behind the last hold`(piece: Int) throws {
    let zeros = [UInt8](repeating: 0, count: 600)
    for bytes in [Self.part, Self.part + Self.part, Self.part + zeros] {
      #expect(try holds(bytes, piece: piece))
    }
  }

  @Test func `a stream that is cut off, empty or goes on with anything else does not`() throws {
    for count in 0..<Self.part.count { #expect(try !holds(Array(Self.part[..<count]))) }
    #expect(try !holds(Self.part + [7]))
    #expect(try !holds(Self.part + Self.part.dropLast()))
  }

  // In the byte between, as many bits fill it as the last block leaves free.
  @Test(arguments: Array(10..<20) + Array(21..<29)) func `no byte behind the header can change`(
    place: Int
  ) throws {
    var bytes = Self.part
    bytes[place] ^= 0x10
    #expect(try !holds(bytes))
  }
}
