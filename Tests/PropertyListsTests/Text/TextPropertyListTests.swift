import PropertyLists
import Testing

@Suite struct `Property lists as text` {
  private func read(_ text: String) throws(PropertyListError) -> PropertyList {
    try PropertyList(text: Array(text.utf8))
  }

  private func error(_ text: String) -> PropertyListError? {
    do throws(PropertyListError) {
      _ = try read(text)
      return nil
    } catch { return error }
  }

  @Test func `have dictionaries, arrays, strings with and without quotes, and data`() throws {
    let text = """
      // !$*UTF8*$!
      {
        name = App; /* a comment */
        "quoted key" = "a \\"b\\"\\n\\U00e9\\101";
        path = ../Shared/a-b_c.swift;
        list = (one, "two 2", ( ), { }, );
        hex = <0fA 0>;
        empty = "";
      }
      """
    #expect(
      try read(text)
        == .dictionary([
          "name": .string("App"), "quoted key": .string("a \"b\"\n\u{e9}A"),
          "path": .string("../Shared/a-b_c.swift"),
          "list": .array([.string("one"), .string("two 2"), .array([]), .dictionary([:])]),
          "hex": .data([0x0f, 0xa0]), "empty": .string(""),
        ])
    )
  }

  @Test(arguments: [
    ("{ a = 1;\n b = ;\n}", 2), ("{\n\n a 1; }", 3), ("{ a = 1 }", 1), ("( a b )", 1),
    ("{ a = \"x\n\n", 1), ("{ a = 1;\n/* never closed", 2), ("{ a = 1; } b", 1),
    ("{ a = <0>; }", 1), ("{ a = <zz>; }", 1), ("", 1),
    ("{\n<<<<<<< HEAD\n a = 1;\n=======\n}", 2),
  ])
  func `are refused at the line that is not understood`(text: String, line: Int) {
    #expect(error(text)?.code == .malformedText)
    let message = error(text)?.message ?? ""
    #expect(message.hasPrefix("Line \(line): "), "\(message)")
  }

  @Test func `of another form are named as such`() {
    #expect(error("<?xml version=\"1.0\"?>")?.code == .notAPropertyList)
    #expect(error("bplist00")?.code == .notAPropertyList)
  }

  @Test func `nested without end are refused, and use no stack`() {
    #expect(error(String(repeating: "(", count: 1_000_000))?.code == .tooDeep)
    #expect(error(String(repeating: "{a=", count: 1_000_000))?.code == .tooDeep)
  }
}
