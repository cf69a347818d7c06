import Foundation
import MigrationReporting
import Testing

@Suite struct JSONValueTests {
  @Test func `names are sorted by bytes and values indented`() {
    let value: JSONValue = ["b": [1, "x"], "a": ["z": .null, "Z": true], "é": [], "e": [:]]
    #expect(
      value.prettyPrinted == """
        {
          "a": {
            "Z": true,
            "z": null
          },
          "b": [
            1,
            "x"
          ],
          "e": {},
          "é": []
        }
        """
    )
    #expect(value.compact == #"{"a":{"Z":true,"z":null},"b":[1,"x"],"e":{},"é":[]}"#)
  }

  @Test func `numbers that are not finite are null`() {
    #expect(
      JSONValue.array([.number(.nan), .number(.infinity), .number(0.5)]).compact
        == "[null,null,0.5]"
    )
  }

  @Test func `an independent reader reads back every kind of text`() throws {
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &generator)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let scalars = (0..<20).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2100, using: &random))
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      let printed = JSONValue.object(["text": .string(text)]).compact
      let read = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: String]
      let isSame = read?["text"].map { Array($0.unicodeScalars) == Array(text.unicodeScalars) }
      #expect(isSame == true, "seed \(seed)")
    }
  }
}

/// SplitMix64, so that a failing test can be run again with its seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
