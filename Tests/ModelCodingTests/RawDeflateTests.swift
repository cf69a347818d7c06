import ModelCoding
import Testing

@Suite struct `Raw deflate` {
  private func code(_ bytes: [UInt8], limit: Int = 1 << 20) -> ModelCodingError.Code? {
    do throws(ModelCodingError) {
      _ = try RawDeflate.inflate(bytes, maximumSize: limit)
      return nil
    } catch { return error.code }
  }

  @Test(arguments: [0, 1, 1000, 65_536, 65_537, 300_000])
  func `what is deflated inflates`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    #expect(try RawDeflate.inflate(RawDeflate.deflate(bytes), maximumSize: count) == bytes)
  }

  @Test func `another program's stream is read`() throws {
    // Python's zlib.compressobj(9, zlib.DEFLATED, -15) of "Waystone, Waystone".
    let stream: [UInt8] = [
      0x0b, 0x4f, 0xac, 0x2c, 0x2e, 0xc9, 0xcf, 0x4b, 0xd5, 0x51, 0x08, 0x87, 0xb2, 0x00,
    ]
    let text = try RawDeflate.inflate(stream, maximumSize: 100)
    #expect(String(decoding: text, as: UTF8.self) == "Waystone, Waystone")
  }

  @Test func `truncated, damaged and endless streams are refused`() throws {
    let stream = try RawDeflate.deflate(Array(repeating: 7, count: 1 << 20))
    #expect(code(stream) == nil)
    #expect(code(stream, limit: (1 << 20) - 1) == .tooLarge)
    for length in 0..<stream.count where length.isMultiple(of: 7) {
      #expect(code(Array(stream.prefix(length))) == .damagedCompression)
    }
    #expect(code(stream + [0]) == .damagedCompression)
    #expect(code([0xff, 0xff, 0xff]) == .damagedCompression)
  }
}
