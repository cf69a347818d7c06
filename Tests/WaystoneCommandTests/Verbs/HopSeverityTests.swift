import MigrationTestSupport
import Testing
import WaystoneCommand

/// A hop file that only names entities: what the step loses without it, it loses with it.
@Suite struct HopSeverityTests {
  private static func model(_ more: String, _ items: String, _ tags: String = "") -> String {
    """
    <entity name="Note" syncable="YES">
    <attribute name="t" optional="YES" attributeType="String"/>\(more)\(tags)</entity>
    <entity name="Tag" syncable="YES">
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Note" \(items)/></entity>
    """
  }

  private static let tags = """
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
    """
  private static let paired = #"inverseName="tags" inverseEntity="Note""#
  private static let added = #"<attribute name="x" optional="YES" attributeType="String"/>"#

  @Test(arguments: [false, true])
  func `links that lose one of their sides are errors of check`(hasFile: Bool) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", Self.model("", Self.paired, Self.tags)), ("v2", Self.model(Self.added, ""))],
        into: folder + "/ModelArchive"
      )
      if hasFile {
        try SketchedModel.write(
          "from: v1\nto: v2\nentities:\n  - source: Tag\n  - source: Note\n",
          to: folder + "/ModelArchive/v1-to-v2.hop.yml"
        )
      }
      let check = CommandRun("check", in: folder)
      #expect(check.status == .answerIsNo, "\(check.output)")
      for code in ["WS303", "WS317"] {
        #expect(check.words.contains("error \(code)"), "\(check.output)")
      }
      #expect(check.words.contains("Note.tags is dropped"), "\(check.output)")
      let plan = CommandRun("plan", "v1", "--to", "v2", in: folder)
      #expect(plan.words.contains("warning WS303"), "\(plan.output)")
    }
  }

  @Test func `a side that goes where the other keeps all links is no loss of a hop file`() throws {
    try TemporaryFolder.with { folder in
      let one = Self.tags.replacing(#"toMany="YES""#, with: #"maxCount="1""#)
      try SketchedModel.write(
        [("v1", Self.model("", Self.paired, one)), ("v2", Self.model(Self.added, ""))],
        into: folder + "/ModelArchive"
      )
      try SketchedModel.write(
        "from: v1\nto: v2\nentities:\n  - source: Tag\n  - source: Note\n",
        to: folder + "/ModelArchive/v1-to-v2.hop.yml"
      )
      let plan = CommandRun("plan", "v1", "--to", "v2", in: folder)
      #expect(plan.status == .success && !plan.words.contains("WS303"), "\(plan.output)")
    }
  }
}
