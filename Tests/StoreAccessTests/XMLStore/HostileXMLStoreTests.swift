import Files
import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

/// Stores of the XML kind that contradict themselves or their model, or that a stranger made.
@Suite struct HostileXMLStoreTests {
  private struct Case: CustomTestStringConvertible {
    let testDescription: String
    let objects: [String]
    let words: String
    var line = XMLStoreSketch.firstLine
    var object: String? = "z1"
  }

  private static func thing(_ inside: String, id: String = "z1") -> String {
    "<object type=\"THING\" id=\"\(id)\">\(inside)</object>"
  }

  private static func attribute(_ name: String, _ type: String, _ text: String) -> String {
    "<attribute name=\"\(name)\" type=\"\(type)\">\(text)</attribute>"
  }

  private static func links(_ name: String, _ identifiers: String) -> String {
    "<relationship name=\"\(name)\" type=\"0/0\" destination=\"X\" idrefs=\"\(identifiers)\"/>"
  }

  private static let secret = "S3CRET"

  private static let cases: [Case] = [
    Case(
      testDescription: "an unknown entity",
      objects: ["<object type=\"STRANGER\" id=\"z1\"/>"],
      words: "STRANGER, is none of the model's"
    ),
    Case(
      testDescription: "an unknown attribute",
      objects: [thing(attribute("color", "string", secret))],
      words: "color is no property of Thing"
    ),
    Case(
      testDescription: "an unknown relationship",
      objects: [thing(links("cousins", ""))],
      words: "cousins is no property of Thing"
    ),
    Case(
      testDescription: "an attribute in the place of a relationship",
      objects: [thing(attribute("owner", "string", secret))],
      words: "owner is a relationship of Thing"
    ),
    Case(
      testDescription: "a link that leads nowhere",
      objects: [thing(links("owner", "z99"))],
      words: "owner leads to z99, which the file does not have"
    ),
    Case(
      testDescription: "a link to another entity",
      objects: ["<object type=\"TAG\" id=\"z2\"/>", thing(links("owner", "z2"))],
      words: "owner leads to an object of another entity",
      line: XMLStoreSketch.firstLine + 1
    ),
    Case(
      testDescription: "two links of a to-one",
      objects: [
        "<object type=\"OWNER\" id=\"z2\"/><object type=\"OWNER\" id=\"z3\"/>",
        thing(links("owner", "z2 z3")),
      ],
      words: "owner is a to-one, and has 2 links",
      line: XMLStoreSketch.firstLine + 1
    ),
    Case(
      testDescription: "one link twice",
      objects: ["<object type=\"TAG\" id=\"z2\"/>", thing(links("tags", "z2 z2"))],
      words: "tags leads to one object twice",
      line: XMLStoreSketch.firstLine + 1
    ),
    Case(
      testDescription: "one identifier twice",
      objects: [thing(""), thing("")],
      words: "an object with this identifier is at line 9, too",
      line: XMLStoreSketch.firstLine + 1
    ),
    Case(
      testDescription: "two owners of one object",
      objects: [
        thing(""), "<object type=\"OWNER\" id=\"z2\">\(links("things", "z1"))</object>",
        "<object type=\"OWNER\" id=\"z3\">\(links("things", "z1"))</object>",
      ],
      words: "things leads to an object",
      line: XMLStoreSketch.firstLine + 2,
      object: "z3"
    ),
    Case(
      testDescription: "ends that contradict each other",
      objects: [
        thing(links("owner", "z3")),
        "<object type=\"OWNER\" id=\"z2\">\(links("things", "z1"))</object>",
        "<object type=\"OWNER\" id=\"z3\"/>",
      ],
      words: "things leads to an object whose inverse leads to another",
      line: XMLStoreSketch.firstLine + 1,
      object: "z2"
    ),
    Case(
      testDescription: "bad base64",
      objects: [thing(attribute("picture", "binary", secret + "!"))],
      words: "its attribute picture is no base64"
    ),
    Case(
      testDescription: "a number that is none",
      objects: [thing(attribute("int32", "int32", secret))],
      words: "its attribute int32 is no whole number"
    ),
    Case(
      testDescription: "a number beyond its type",
      objects: [thing(attribute("int16", "int16", "32768"))],
      words: "its attribute int16 is beyond its type, Integer 16"
    ),
    Case(
      testDescription: "a float beyond its type",
      objects: [thing(attribute("size", "float", "1e300"))],
      words: "its attribute size is beyond its type, Float"
    ),
    Case(
      testDescription: "a date that is none",
      objects: [thing(attribute("changedat", "date", "0x10"))],
      words: "its attribute changedAt is no number"
    ),
    Case(
      testDescription: "a truth that is none",
      objects: [thing(attribute("isopen", "bool", secret))],
      words: "its attribute isOpen is neither 1 nor 0"
    ),
    Case(
      testDescription: "a UUID that is none",
      objects: [thing(attribute("identifier", "UUID", secret))],
      words: "its attribute identifier is no UUID"
    ),
    Case(
      testDescription: "another type than the model's",
      objects: [thing(attribute("title", "int32", "7"))],
      words: "its attribute title is of type int32, and the model's is String"
    ),
    Case(
      testDescription: "one attribute twice",
      objects: [thing(attribute("title", "string", "") + attribute("TITLE", "string", secret))],
      words: "it has two elements for TITLE"
    ),
    Case(
      testDescription: "elements inside of an attribute",
      objects: [thing("<attribute name=\"title\" type=\"string\"><b>\(secret)</b></attribute>")],
      words: "title has elements inside"
    ),
    Case(
      testDescription: "text between attributes",
      objects: [thing(secret)],
      words: "there is text between its attributes"
    ),
    Case(
      testDescription: "another element",
      objects: [thing("<remark name=\"a\">\(secret)</remark>")],
      words: "remark is no attribute and no relationship"
    ),
    Case(
      testDescription: "an element that no such store has",
      objects: ["<note>\(secret)</note>"],
      words: "note is no element of such a store",
      object: nil
    ),
    Case(
      testDescription: "text between objects",
      objects: [thing(""), secret, thing("", id: "z2")],
      words: "there is text between the elements",
      line: XMLStoreSketch.firstLine + 2,
      object: nil
    ),
  ]

  @Test(arguments: cases)
  private func `is one error that names file, line and object, and no value`(one: Case) throws {
    var sketch = try XMLStoreSketch()
    sketch.objects = one.objects
    let error = try #require(sketch.error)
    #expect(error.code == .damaged)
    #expect(error.message.contains("/a.xml:\(one.line): "), "\(error)")
    #expect(error.message.contains(one.words), "\(error)")
    if let object = one.object { #expect(error.message.contains("object \(object): "), "\(error)") }
    #expect(!"\(error)".contains(Self.secret), "\(error)")
  }

  private func error(ofType type: String) throws -> StoreAccessError? {
    let own = "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">"
    let sketch = try XMLStoreSketch(Self.thing(""))
    return try TemporaryFolder.with { folder in
      let text = sketch.text.replacing(own, with: type)
      try TemporaryFolder.write(Array(text.utf8), to: folder + "/a.xml")
      do throws(StoreAccessError) {
        _ = try XMLStoreCopy(of: folder + "/a.xml", by: sketch.model, in: folder)
        return nil
      } catch { return error }
    }
  }

  @Test func `a billion laughs are refused at their declaration, and nothing is fetched`() throws {
    var laughs = "<!DOCTYPE database [<!ENTITY l0 \"lol\">"
    for level in 1...9 {
      let references = String(repeating: "&l\(level - 1);", count: 10)
      laughs += "<!ENTITY l\(level) \"\(references)\">"
    }
    let error = try error(ofType: laughs + "]>")
    #expect(error?.message.contains("declares a document type of its own") == true)
    let distant = "<!DOCTYPE database SYSTEM \"http://localhost:1/CoreData.dtd\">"
    #expect(try self.error(ofType: distant) == nil)
  }

  @Test func `an entity of the file's own is refused where it is used`() throws {
    let error = try XMLStoreSketch(Self.thing(Self.attribute("title", "string", "&x;"))).error
    #expect(error?.message.contains("entity") == true, "\(String(describing: error))")
  }

  @Test func `a store that is compressed is named as that, with the way to decompress it`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a b.xml"
      try TemporaryFolder.write([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3], to: path)
      let error = #expect(throws: StoreAccessError.self) {
        _ = try PersistentStore.open(path, by: XMLStoreSketch.model(), scratchFolder: folder)
      }
      #expect(error?.code == .notAStore && error?.message == "\(path) is compressed by gzip")
      #expect(error?.recovery.contains("gzip -dc < '\(path)' > NEW") == true)
    }
  }

  @Test func `a store cut off anywhere is an error`() throws {
    let sketch = try XMLStoreSketch(Self.thing(Self.attribute("title", "string", "x")))
    let bytes = Array(sketch.text.utf8)
    try TemporaryFolder.with { folder in
      for length in stride(from: 200, to: bytes.count, by: 7) {
        let path = "\(folder)/\(length).xml"
        try TemporaryFolder.write(Array(bytes[..<length]), to: path)
        #expect(throws: StoreAccessError.self, "cut at \(length)") {
          _ = try XMLStoreCopy(of: path, by: sketch.model, in: folder)
        }
      }
      #expect(TemporaryFolder.names(in: folder).allSatisfy { $0.hasSuffix(".xml") })
    }
  }

  @Test(arguments: ["pay <S3CRET> now", "<S3CRET:x/>", "<x a='1' S3CRET", "&S3CRET;", "<S3CRET"])
  func `a value that looks like a tag is not in the error`(text: String) throws {
    let sketch = try XMLStoreSketch(Self.thing(Self.attribute("name", "string", text)))
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write(Array(sketch.text.utf8), to: folder + "/a.xml")
      let error = #expect(throws: StoreAccessError.self) {
        _ = try XMLStoreCopy(of: folder + "/a.xml", by: sketch.model, in: folder)
      }
      #expect(error?.code == .damaged)
      #expect(!"\(String(describing: error))".contains("S3CRET"), "\(String(describing: error))")
    }
  }

  @Test func `a file that is written meanwhile is in use, and not damaged`() throws {
    let sketch = try XMLStoreSketch(Self.thing(""))
    let other = try XMLStoreSketch(Self.thing("", id: "z7"))
    try TemporaryFolder.with { folder in
      let path = folder + "/a.xml"
      try TemporaryFolder.write(Array(sketch.text.utf8), to: path)
      var questions = 0
      let error = #expect(throws: StoreAccessError.self) {
        _ = try XMLStoreCopy(of: path, by: sketch.model, in: folder) {
          questions += 1
          // The identifiers were read; the rows are not yet.
          if questions == 1 {
            _ = try? FileSystem.remove(path)
            _ = try? TemporaryFolder.write(Array(other.text.utf8), to: path)
          }
          return true
        }
      }
      #expect(error?.code == .inUse, "\(String(describing: error))")
    }
  }

  @Test func `bytes changed anywhere never trap`() throws {
    let sketch = try XMLStoreSketch(
      Self.thing(Self.attribute("picture", "binary", "AAEC") + Self.links("tags", "z2")),
      "<object type=\"TAG\" id=\"z2\"/>"
    )
    let bytes = Array(sketch.text.utf8)
    try TemporaryFolder.with { folder in
      for position in stride(from: 0, to: bytes.count, by: 19) {
        for value: UInt8 in [0, 0x22, 0x3c, 0xff] {
          var changed = bytes
          changed[position] = value
          _ = try? FileSystem.remove(folder + "/a.xml")
          try TemporaryFolder.write(changed, to: folder + "/a.xml")
          _ = try? XMLStoreCopy(of: folder + "/a.xml", by: sketch.model, in: folder)
        }
      }
    }
  }

  @Test func `depth, and the attributes of a tag, are bounded`() throws {
    let deep = String(repeating: "<a name=\"a\">", count: 100_000)
    #expect(try XMLStoreSketch(deep).error?.message.contains("more than 32 levels") == true)
    let crowded = (0..<90_000).map { "a\($0)=\"\"" }.joined(separator: " ")
    #expect(
      try XMLStoreSketch("<object \(crowded)/>").error?.message.contains("64 attributes") == true
    )
    // Text may have what would be too much in a tag.
    let rules = String(repeating: "= <!-- x=\"' --> ", count: 500)
    #expect(try XMLStoreSketch(Self.thing(Self.attribute("title", "string", rules))).error == nil)
  }

  @Test func `a value of many megabytes arrives`() throws {
    // libxml2 by itself refuses more than ten.
    let text = String(repeating: "0123456789abcdef", count: 11 << 16)
    try XMLStoreSketch(Self.thing(Self.attribute("title", "string", text))).with { store in
      let size = try store.connection.integer("SELECT LENGTH(ZTITLE) FROM ZTHING")
      #expect(size == Int64(text.utf8.count))
    }
  }
}
