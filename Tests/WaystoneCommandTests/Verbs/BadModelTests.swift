import MigrationTestSupport
import Testing
import WaystoneCommand

/// Models that are none: one clear error that names the file, and the right status.
@Suite struct BadModelTests {
  @Test(arguments: [
    ("this is no XML", "contents:1"),
    ("<html/>", "contents:1"),
    ("", "contents"),
    (
      SketchedModel.contents(
        """
        <entity name="Book"><relationship name="author" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Author"/></entity>
        """
      ),
      "Author"
    ),
    (
      SketchedModel.contents(
        #"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#
      ),
      "A"
    ),
    (SketchedModel.contents(#"<entity name="A" parentEntity="Gone"/>"#), "Gone"),
    (
      "<!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n"
        + SketchedModel.contents("<entity name=\"&x;\"/>"), "contents"
    ),
  ])
  func `a model that is none is a damaged input`(contents: String, place: String) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Bad.xcdatamodeld/Bad.xcdatamodel/contents"
      try SketchedModel.write(contents, to: path)
      let run = CommandRun("versions", "--models", "Bad.xcdatamodeld", in: folder)
      #expect(run.status == .damagedInput)
      #expect(run.errors.contains(place), "\(run.errors)")
      #expect(run.errors.contains("Bad.xcdatamodel/contents"), "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 2, "\(run.errors)")
      #expect(run.output.isEmpty)
      #expect(TemporaryFolder.bytes(of: path) == Array(contents.utf8))
    }
  }

  @Test func `models that are not there are a missing input`() throws {
    try TemporaryFolder.with { folder in
      for arguments in [["versions"], ["versions", "--models", "Nowhere"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == .missingInput)
        #expect(run.errors.hasPrefix("error: "))
      }
    }
  }

  @Test func `a folder without models is no archive`() throws {
    try TemporaryFolder.with { folder in
      let run = CommandRun("versions", "--models", folder)
      #expect(run.status == .damagedInput)
      #expect(run.errors.contains(folder))
    }
  }
}
