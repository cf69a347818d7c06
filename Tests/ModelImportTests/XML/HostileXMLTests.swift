import ModelImport
import Testing

@Suite struct HostileXMLTests {
  private static let root = "<model type=\"com.apple.IDECoreDataModeler.DataModel\""

  private func error(_ text: String) -> ModelImportError? { Sample.error(Array(text.utf8)) }

  @Test func `a billion laughs are refused at their declaration`() {
    var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE model [\n<!ENTITY l0 \"lol\">\n"
    for level in 1...9 {
      let references = String(repeating: "&l\(level - 1);", count: 10)
      text += "<!ENTITY l\(level) \"\(references)\">\n"
    }
    let failure = error(text + "]>\n\(Self.root)><entity name=\"&l9;\"/></model>")
    #expect(failure?.code == .hostileXML)
    #expect(failure?.line == 2)
  }

  @Test(arguments: [
    "<!DOCTYPE model [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>",
    "<!DOCTYPE model [<!ENTITY % p SYSTEM \"http://localhost:1/x.dtd\"> %p;]>",
    "<!DOCTYPE model []>",
    "<!DOCTYPE model SYSTEM \"http://localhost:1/x.dtd\" [<!ELEMENT model ANY>]>",
  ])
  func `a document type of its own is refused`(type: String) {
    let failure = error("\(type)\(Self.root)><entity name=\"E\"/></model>")
    #expect(failure?.code == .hostileXML)
  }

  @Test func `an external document type is not fetched and its entities are refused`() {
    let type = "<!DOCTYPE model SYSTEM \"http://localhost:1/x.dtd\">"
    #expect(error("\(type)\(Self.root)/>") == nil)
    #expect(error("\(type)\(Self.root)><entity name=\"&e;\"/></model>")?.code == .hostileXML)
    #expect(error("\(type)\(Self.root)>&e;</model>")?.code == .hostileXML)
    let undeclared = error("\(Self.root)><entity name=\"&e;\"/></model>")
    #expect(undeclared?.code == .hostileXML || undeclared?.code == .notXML)
  }

  @Test func `a model cut off anywhere is an error`() {
    let body = """
      <entity name="Event"><attribute name="timeStamp" optional="YES" attributeType="Date"/>
      <userInfo><entry key="é" value="&amp;"/></userInfo></entity>
      """
    let bytes = Array(Sample.xml(body).utf8)
    #expect(Sample.error(bytes) == nil)
    for length in 0..<bytes.count {
      let failure = Sample.error(Array(bytes[..<length]))
      #expect(failure?.code == .notXML, "cut at \(length)")
    }
  }

  @Test func `a crowded tag is refused before it is parsed`() {
    let attributes = (0..<90_000).map { "a\($0)=\"\"" }.joined(separator: " ")
    let failure = error("\(Self.root)><entity \(attributes)/></model>")
    #expect(failure?.code == .tooLarge)
    let some = (0..<4_000).map { "a\($0)=\"\"" }.joined(separator: " ")
    #expect(error("\(Self.root)><entity name=\"E\" \(some)/></model>") == nil)
  }

  // Were each looked for among all others, it would take an hour.
  @Test(.timeLimit(.minutes(10)))
  func `many composites cost no more than their number`() {
    let composites = (0..<18_000).map { "<composite name=\"c\($0)\"/>" }.joined()
    let attributes = (0..<12_000).map { "<attribute name=\"a\($0)\" composite=\"c17999\"/>" }
    let text =
      "\(Self.root)>\(composites)<entity name=\"E\">\(attributes.joined())</entity></model>"
    #expect(error(text) == nil)
  }

  @Test func `bytes changed anywhere never trap`() {
    let bytes = Array(Sample.xml("<entity name=\"E\"><attribute name=\"a\"/></entity>").utf8)
    for position in bytes.indices {
      for value: UInt8 in [0, 0x26, 0x3c, 0x3e, 0x22, 0x80, 0xff] {
        var changed = bytes
        changed[position] = value
        _ = Sample.error(changed)
      }
    }
  }

  @Test func `depth is bounded`() {
    let open = String(repeating: "<a>", count: 100_000)
    let failure = error("\(Self.root)>\(open)")
    #expect(failure?.code == .tooLarge)
    #expect(failure?.line == 1)
  }

  @Test func `the number of elements is bounded`() {
    let many = String(repeating: "<a/>", count: 600_000)
    #expect(error("\(Self.root)>\(many)</model>")?.code == .tooLarge)
  }

  @Test func `an attribute of ten megabytes is refused or read, never worse`() {
    let long = String(repeating: "x", count: 10 << 20)
    let failure = error("\(Self.root)><entity name=\"\(long)\"/></model>")
    #expect(failure == nil || failure?.code == .notXML)
    #expect((failure?.message.utf8.count ?? 0) < 400)
  }

  @Test func `size is bounded`() {
    let failure = Sample.error([UInt8](repeating: 0x20, count: 33 << 20))
    #expect(failure?.code == .tooLarge)
  }

  @Test(arguments: ["<html/>", "<model type=\"other\"/>", "<plist version=\"1.0\"><dict/></plist>"])
  func `XML that is no model says so`(text: String) {
    #expect(error(text)?.code == .notAModel)
    #expect(error(text)?.line == 1)
  }

  @Test(arguments: [
    [], [0], Array("bplist00".utf8), Array("\(root)>\u{0}</model>".utf8),
    Array("\(root) name=\"".utf8) + [0xff, 0xfe] + Array("\"/>".utf8),
    Array("\(root)><entity name=\"a\" name=\"b\"/></model>".utf8),
    Array("\(root)><p:entity/></model>".utf8), Array("\(root)/>\(root)/>".utf8),
  ])
  func `bytes that are not XML are an error`(bytes: [UInt8]) {
    #expect(Sample.error(bytes)?.code == .notXML)
  }

  @Test func `an error of the parser names its line`() {
    #expect(error("\(Self.root)>\n\n<entity name=\"E\">\n</model>")?.line == 4)
  }
}
