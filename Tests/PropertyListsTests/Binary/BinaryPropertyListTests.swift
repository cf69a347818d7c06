import MigrationTestSupport
import PropertyLists
import Testing

@Suite struct `Binary property lists` {
  @Test func `another writer's bytes are read`() throws {
    #expect(try PropertyList(binary: Samples.bytes) == Samples.value)
  }

  @Test func `the bytes equal another writer's`() {
    #expect(Samples.value.binary == Samples.bytes)
  }

  @Test(arguments: UInt64(1)...40)
  func `what is written is read back`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = Samples.random(4, &generator)
    let bytes = value.binary
    let again = try PropertyList(binary: bytes)
    #expect(again == value, "seed \(seed)")
    #expect(again.binary == bytes, "seed \(seed)")
  }

  @Test func `equal scalars stand once, and differently composed text twice`() throws {
    let text = String(repeating: "long text ", count: 20)
    #expect(
      PropertyList.array(Array(repeating: .string(text), count: 50)).binary.count
        < 2 * text.utf8.count
    )
    let composed: PropertyList = .array([.string("\u{e9}"), .string("e\u{301}")])
    let read = try PropertyList(binary: composed.binary).array ?? []
    #expect(read.compactMap(\.string).map { Array($0.unicodeScalars).count } == [1, 2])
  }

  @Test func `more than 255 and 65,535 objects are referred to`() throws {
    for count in [300, 70_000] {
      let value: PropertyList = .array((0..<count).map { .integer(Int64($0)) })
      #expect(try PropertyList(binary: value.binary) == value)
    }
  }

  @Test func `short reals and long whole numbers are widened`() throws {
    let object: [[UInt8]] = [
      [0xa4, 1, 2, 3, 4], [0x22, 0x3f, 0xc0, 0, 0],
      [0x14] + Array(repeating: 0xff, count: 16), [0x14] + Array(repeating: 0, count: 15) + [7],
      [0x13] + Array(repeating: 0xff, count: 8),
    ]
    #expect(
      try PropertyList(binary: Samples.file(object))
        == .array([.real(1.5), .integer(-1), .integer(7), .integer(-1)])
    )
  }
}
