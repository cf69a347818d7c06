import MigrationReporting
import Testing

@Suite struct StyledTextTests {
  @Test func `colors are codes around a run, and only where they are wanted`() {
    let text: StyledText = "before \("name", .strong) after"
    #expect(text.string(isColored: false) == "before name after")
    #expect(text.string(isColored: true) == "before \u{1b}[1mname\u{1b}[0m after")
  }

  @Test(arguments: [
    ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"), ("line\nbreak", "line\\u{a}break"),
    ("\u{7f}", "\\u{7f}"), ("\u{9b}31m", "\\u{9b}31m"), ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
  ])
  func `foreign text cannot act on a terminal`(hostile: String, shown: String) {
    #expect(StyledText(hostile, .bad).string(isColored: false) == shown)
    #expect(("\(hostile)" as StyledText).string(isColored: false) == shown)
  }

  @Test func `literals keep their line breaks`() {
    #expect(("a\n\("b\n")" as StyledText).string(isColored: false) == "a\nb\\u{a}")
  }

  @Test(arguments: [("abc", 3), ("Übung", 5), ("日本", 4), ("👍", 2), ("é", 1), ("", 0)])
  func `width counts columns`(text: String, columns: Int) {
    #expect(TerminalText.width(text) == columns)
    #expect(StyledText(text, .good).width == columns)
  }

  @Test func `wrapping breaks between words and never inside one`() {
    let lines = TerminalText.wrapped("one two  incomprehensibilities four", columns: 9)
    #expect(lines == ["one two", "incomprehensibilities", "four"])
    #expect(TerminalText.wrapped("", columns: 9).isEmpty)
    #expect(TerminalText.wrapped("", indentation: 4).isEmpty)
  }

  @Test(arguments: [(nil, 96), (40, 60), (72, 72), (200, 120)])
  func `reports fit the terminal, within what can be read`(columns: Int?, widest: Int) {
    let text = String(repeating: "word ", count: 60)
    let lines = TerminalText.fitting(columns) { TerminalText.wrapped(text, indentation: 4) }
    let width = lines.map { TerminalText.width($0) }.max() ?? 0
    #expect(width <= widest - 4 && width > widest - 9)
  }

  @Test func `a table aligns its columns and leaves no trailing spaces`() {
    var table = TextTable([("name", .left), ("rows", .right), ("note", .left)])
    table.append(["Author", "7", ""])
    table.append(["書籍", "1,234", "new"])
    table.append(["x"])
    let lines = table.lines(indentation: 2).map { $0.string(isColored: false) }
    #expect(
      lines == [
        "  NAME     ROWS  NOTE",
        "  Author      7",
        "  書籍    1,234  new",
        "  x",
      ]
    )
  }

  @Test func `a table without headings has no heading line`() {
    var table = TextTable([("", .left), ("", .left)])
    table.append(["a", "b"])
    #expect(table.lines().map { $0.string(isColored: false) } == ["a  b"])
  }
}
