import MigrationTestSupport
import PropertyLists

/// Property lists whose bytes another writer made.
enum Samples {
  /// One of everything, as `plistlib.dumps(…, fmt=FMT_BINARY, sort_keys=True)` of Python 3.11
  /// writes it.
  static let bytes: [UInt8] = hexadecimal(
    """
    62706c6973743030df10110102030405060708090a0b0c0d0e0f101112131415161718191a1e1f2f301b3132
    33516153626967546461746154646174655166526932526934526938546c697374546c6f6e67546d616e7951
    6e536e65675373747251745375696453756e69100114000000000000000080000000000000054300ff103340
    f5180000000000233ff800000000000011012c1200011170130000010000000000a4121b1c1d55706c61696e
    a0d05f10147878787878787878787878787878787878787878af101020122122232425262728292a2b2c2d2e
    100010021003100410051006100710081009100a100b100c100d100e100f0813fffffffffffffffe0981012c
    64006800e9d83dde000008002d002f00330038003d003f004200450048004d005200570059005d0061006300
    67006b006d007e0082008b00940097009c00a500aa00b000b100b200c900dc00de00e000e200e400e600e800
    ea00ec00ee00f000f200f400f600f800fa00fb01040105010800000000000002010000000000000034000000
    00000000000000000000000111
    """
  )

  /// The contents of those bytes.
  static let value: PropertyList = .dictionary([
    "a": .integer(1), "big": .unsigned(1 << 63 + 5), "neg": .integer(-2), "i2": .integer(300),
    "i4": .integer(70_000), "i8": .integer(1 << 40), "f": .real(1.5), "t": .boolean(true),
    "n": .boolean(false), "date": .date(86_400), "data": .data([0, 0xff, 0x10]),
    "str": .string("plain"), "uni": .string("h\u{e9}\u{1f600}"),
    "list": .array([.integer(1), .string("plain"), .array([]), .dictionary([:])]),
    "long": .string(String(repeating: "x", count: 20)), "uid": .uid(300),
    "many": .array((0..<16).map { .integer($0) }),
  ])

  /// A property list of given objects (already encoded, with one-byte references), the first on top.
  static func file(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in objects {
      table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
      bytes += object
    }
    let offset = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 2, 1]
    bytes += [0, 0, 0, 0, 0, 0, UInt8(objects.count >> 8), UInt8(objects.count & 0xff)]
    bytes += [0, 0, 0, 0, 0, 0, 0, top]
    return bytes + [0, 0, 0, 0, 0, 0, UInt8(offset >> 8), UInt8(offset & 0xff)]
  }

  static func hexadecimal(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// A random value of limited depth.
  static func random(_ depth: Int, _ generator: inout SeededGenerator) -> PropertyList {
    let texts = [
      "", "a", "caf\u{e9}", "cafe\u{301}", "\u{1f600}", String(repeating: "é", count: 40),
    ]
    func children(_ generator: inout SeededGenerator) -> [PropertyList] {
      (0..<Int.random(in: 0...20, using: &generator)).map { _ in random(depth - 1, &generator) }
    }
    switch Int.random(in: 0...(depth > 0 ? 11 : 8), using: &generator) {
    case 0: return .boolean(.random(using: &generator))
    case 1:
      return .integer(
        Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0...63, using: &generator)
      )
    case 2: return PropertyList(wholeNumber: generator.next())
    case 3: return .real(Double(Int64(truncatingIfNeeded: generator.next())) / 7)
    case 4: return .date(Double(Int32(truncatingIfNeeded: generator.next())))
    case 5: return .data((0..<Int.random(in: 0...300, using: &generator)).map { UInt8($0 & 0xff) })
    case 6: return .uid(generator.next() >> UInt64.random(in: 0...63, using: &generator))
    case 7: return .null
    case 8: return .string(texts.randomElement(using: &generator) ?? "")
    case 9: return .array(children(&generator))
    case 10: return .set(Set(children(&generator)))
    default:
      let pairs = children(&generator).enumerated().map { ("key\($0)", $1) }
      return .dictionary(Dictionary(uniqueKeysWithValues: pairs))
    }
  }
}
