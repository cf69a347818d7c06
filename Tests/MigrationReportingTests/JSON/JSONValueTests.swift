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

  @Test func `a member without a value is null, whatever its type`() throws {
    struct Place: Encodable {
      enum Kind: String, Encodable { case file }
      var entity: String?
      var line: Int? = 3
      var count: Int64?
      var share: Double?
      var isKnown: Bool?
      var kind: Kind?
      var names: [String]?
      var small: UInt8?
    }
    #expect(
      try JSONValue(encoding: Place()).compact
        == #"{"count":null,"entity":null,"isKnown":null,"kind":null,"line":3,"names":null,"#
        + #""share":null,"small":null}"#
    )
  }

  @Test func `members are encoded by name, and the last of a name counts`() throws {
    let members: JSONMembers = ["b": [1, nil], "a": "x"]
    #expect(
      try JSONValue(encoding: members + ["a": nil as Int?]).compact == #"{"a":null,"b":[1,null]}"#
    )
  }

  @Test func `nested containers end up in their places`() throws {
    struct Nest: Encodable {
      enum CodingKeys: CodingKey { case list, object }
      func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: CodingKeys.self)
        var list = outer.nestedUnkeyedContainer(forKey: .list)
        try list.encodeNil()
        var inner = list.nestedContainer(keyedBy: CodingKeys.self)
        try inner.encodeNil(forKey: .list)
        var deepest = list.nestedUnkeyedContainer()
        try deepest.encode(list.count)
        try 0.5.encode(to: list.superEncoder())
        try true.encode(to: outer.superEncoder(forKey: .object))
        try "top".encode(to: outer.superEncoder())
      }
    }
    let expected = #"{"list":[null,{"list":null},[3],0.5],"object":true,"super":"top"}"#
    #expect(try JSONValue(encoding: Nest()).compact == expected)
  }

  @Test func `a whole number above 64 bits is refused`() throws {
    #expect(try JSONValue(encoding: [UInt64(Int64.max)]).compact == "[9223372036854775807]")
    #expect(throws: EncodingError.self) { try JSONValue(encoding: UInt64.max) }
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
