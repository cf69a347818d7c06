import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Numbers of versions, which are the same in text and page, and advice that fits all of them.
@Suite struct CoverageCountTests {
  private static func item(_ attributes: String...) -> String {
    #"<entity name="Item" syncable="YES">"# + attributes.joined() + "</entity>"
  }

  private static func text(_ name: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="String" \#(more)/>"#
  }

  @Test func `versions of the same hashes count one by one, in text and page`() throws {
    try TemporaryFolder.with { folder in
      let title = SketchedModel.book([("title", "")])
      try SketchedModel.write(
        [
          ("v1", title), ("v1b", title),
          ("v2", SketchedModel.book([("heading", #"elementID="title""#)])),
          ("v3", SketchedModel.book([("name", #"elementID="heading""#)])),
        ],
        into: "\(folder)/ModelArchive"
      )
      let run = CommandRun("coverage", in: folder)
      #expect(run.words.contains("WS722 v1, v1b: Book.name is lost"), "\(run.output)")
      #expect(run.words.contains("of 3 older versions, 2 lose or change data silently"))
      let page = CommandRun("coverage", "--format", "html", in: folder).output
      #expect(page.contains("<b>2 versions:</b> Book.name is lost"))
      #expect(page.contains("4 versions; "))
      #expect(page.contains("2 versions lose data silently in the app"))
    }
  }

  @Test func `findings beside gaps are counted as such`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.item(Self.text("a"), Self.text("b"))),
          ("v2", Self.item(Self.text("a").replacing("String", with: "Date"))),
        ],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        "from: v1\nto: v2\nentities:\n  - {source: Item, attributes: {a: null}}\n",
        to: "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      let run = CommandRun("coverage", in: folder)
      #expect(run.words.hasPrefix("Fails, besides the gaps below"), "\(run.output)")
      #expect(run.words.hasSuffix("1 version has a gap; 2 more findings fail."), "\(run.output)")
      // What a hop file drops no Renaming ID keeps.
      let check = CommandRun("check", in: folder)
      #expect(check.words.contains("2 attributes are dropped"), "\(check.output)")
      #expect(check.words.contains("read it in a value expression"))
      #expect(!check.words.contains("Renaming ID"), "\(check.output)")
    }
  }

  @Test func `a loss by Renaming IDs that disagree is mended by these`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.item(Self.text("silenced"))),
          ("v2", Self.item(Self.text("silenced", #"elementID="muted""#), Self.text("x"))),
          ("v3", Self.item(Self.text("muted"), Self.text("x"))),
        ],
        into: "\(folder)/ModelArchive"
      )
      let run = CommandRun("coverage", in: folder)
      #expect(run.words.contains("WS722 v1: Item.muted is lost"), "\(run.output)")
      #expect(run.words.contains("WS206 of Item.silenced in v2 is the cause"), "\(run.output)")
      #expect(!run.words.contains("Let the app migrate version by version"), "\(run.output)")
    }
  }
}
