import Foundation
import MigrationReporting
import MigrationTestSupport
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
