import MigrationTestSupport
import PropertyLists
import Testing

@Suite struct `Hostile property lists` {
  private func code(_ bytes: [UInt8]) -> PropertyListError.Code? {
    do throws(PropertyListError) {
      _ = try PropertyList(binary: bytes)
      return nil
    } catch { return error.code }
  }

  @Test func `every truncation is refused`() {
    for length in 0..<Samples.bytes.count {
      #expect(code(Array(Samples.bytes.prefix(length))) != nil, "\(length) bytes")
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `every change of one byte is refused or read, without end in none`() throws {
    var refused = 0
    for place in Samples.bytes.indices {
      for change in [0x01, 0x0f, 0x10, 0x80, 0xf0, 0xff] as [UInt8] {
        var bytes = Samples.bytes
        bytes[place] ^= change
        refused += code(bytes) == nil ? 0 : 1
      }
    }
    print("\(refused) of \(6 * Samples.bytes.count) changed lists are refused")
    #expect(refused > 500)
  }

  @Test(arguments: UInt64(1)...4)
  func `random changes of several bytes never trap`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let original = Samples.random(4, &generator).binary + []
    for _ in 0..<1500 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if let value = try? PropertyList(binary: bytes) { _ = value.hashValue }
    }
  }

  @Test func `other formats are told from damage`() {
    #expect(code([]) == .notAPropertyList)
    #expect(code(Array("<?xml version=\"1.0\"?>".utf8)) == .notAPropertyList)
    #expect(code(Array("bplist00".utf8)) == .damagedTrailer)
  }

  @Test(
    arguments: [
      ([[0xa1, 0]], .cycle),
      ([[0xa1, 1], [0xd1, 2, 0], [0x51, 0x61]], .cycle),
      ([[0xa1, 9]], .damagedOffsets),
      ([[0xaf, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], .damagedOffsets),
      ([[0x5f, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], .damagedOffsets),
      ([[0x6f, 0x13, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], .damagedOffsets),
      ([[0x4f, 0x51]], .damagedOffsets),
      ([[0x51, 0xe9]], .invalidText),
      ([[0x61, 0xd8, 0x3d]], .invalidText),
      ([[0xd1, 1, 1], [0x10, 5]], .invalidKey),
      ([[0xd2, 1, 1, 2, 2], [0x51, 0x61], [0x09]], .invalidKey),
      ([[0xd2, 1, 2, 3, 3], [0x61, 0, 0xe9], [0x62, 0, 0x65, 3, 1], [0x09]], .invalidKey),
      ([[0xc2, 1, 1], [0x09]], .invalidKey),
      ([[0x0f]], .unknownObject),
      ([[0x17]], .unknownObject),
      ([[0x70]], .unknownObject),
      ([[0x14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]], .unsupportedNumber),
    ] as [([[UInt8]], PropertyListError.Code)]
  )
  func `what no writer makes is refused`(objects: [[UInt8]], expected: PropertyListError.Code) {
    #expect(code(Samples.file(objects)) == expected)
  }

  @Test func `nesting is bounded, also where it is shared`() {
    let chain = (0..<200).map { [0xa1, UInt8($0 + 1)] as [UInt8] } + [[0x09]]
    #expect(code(Samples.file(chain)) == .tooDeep)
    // Read from the innermost on, so that no single walk is deep.
    let links: [[UInt8]] = (1...200).map { $0 == 1 ? [0x09] : [0xa1, UInt8($0 - 1)] }
    let top: [UInt8] = [0xaf, 0x10, 200] + (1...200).map { UInt8($0) }
    #expect(code(Samples.file([top] + links)) == .tooDeep)
    let short = [[0xaf, 0x10, 100] + (1...100).map { UInt8($0) }] + links.prefix(100)
    #expect(code(Samples.file(short)) == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a few bytes that expand without end are refused`() {
    let doubling: [[UInt8]] = (0..<60).map { [0xa2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
    #expect(code(Samples.file(doubling)) == .tooLarge)
  }

  @Test func `sets that hash shared parts level by level are refused`() {
    let sets: [[UInt8]] = (1...100).map { [0xc1, $0] }
    let doubling: [[UInt8]] = (101...109).map { [0xa2, $0, $0] }
    #expect(code(Samples.file(sets + doubling + [[0x09]])) == .tooLarge)
    #expect(code(Samples.file(sets + [[0x09]])) == nil)
  }

  @Test func `more objects than bytes are refused before they cost memory`() {
    var bytes = Array("bplist00".utf8) + [0x09]
    bytes += Array(repeating: 8, count: 300) + [0, 0, 0, 0, 0, 0, 1, 2]
    bytes += [0, 0, 0, 0, 0, 0, 1, 44] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 9]
    #expect(code(bytes) == .damagedTrailer)
  }

  @Test func `sets in sets are written at once`() throws {
    let list = (0..<100).reduce(PropertyList.boolean(true)) { inner, number in
      .set([inner, .integer(number), .array([.string("a"), .uid(3)]), .dictionary(["k": .null])])
    }
    let written = list.binary
    #expect(try PropertyList(binary: written) == list)
  }

  @Test func `objects that overlap are refused before they cost memory`() {
    // A thousand offsets that all lead to one array of a thousand references.
    var bytes = Array("bplist00".utf8) + [0xaf, 0x11, 0x03, 0xe8]
    for index in 0..<1000 { bytes += [UInt8(index >> 8), UInt8(index & 0xff)] }
    let table = bytes.count
    for _ in 0..<1000 { bytes += [0, 8] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 2] + [0, 0, 0, 0, 0, 0, 0x03, 0xe8]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xff)]
    #expect(code(bytes) == .cycle)
    // A thousand strings in one place.
    var strings = Array("bplist00".utf8) + [0xaf, 0x11, 0x03, 0xe7]
    for index in 1..<1000 { strings += [UInt8(index >> 8), UInt8(index & 0xff)] }
    let start = strings.count
    strings += [0x5f, 0x11, 0x03, 0xe8] + Array(repeating: 0x61, count: 1000)
    let end = strings.count
    strings += [0, 8]
    for _ in 1..<1000 { strings += [UInt8(start >> 8), UInt8(start & 0xff)] }
    strings += [0, 0, 0, 0, 0, 0, 2, 2] + [0, 0, 0, 0, 0, 0, 0x03, 0xe8]
    strings += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, UInt8(end >> 8), UInt8(end & 0xff)]
    #expect(code(strings) == .damagedOffsets)
  }

  @Test func `an error names the place and what to do`() {
    do throws(PropertyListError) {
      _ = try PropertyList(binary: Samples.file([[0xa1, 1], [0x51, 0xe9]]))
      Issue.record("was read")
    } catch {
      #expect(error.message == "The string in object 1 at byte 11 is not ASCII.")
      #expect(!error.recovery.isEmpty)
    }
  }
}
