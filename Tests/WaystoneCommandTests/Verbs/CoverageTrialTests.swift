import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores that `coverage --run` makes, migrates and verifies.
@Suite struct CoverageTrialTests {
  @Test func `each version's store arrives, and the report lists what it tried`() throws {
    try SampleWalk.with { walk in
      let run = CommandRun(
        ["coverage", "--run", "--rows", "120", "--models", "ModelArchive/Letters.xcdatamodeld"],
        in: walk.folder
      )
      let mismatch = Golden.mismatch(run.output, "coverage-run.txt")
      #expect(mismatch == nil)
    }
  }

  /// A model of which no store can be made, as a child declares what its parent does, beside one of
  /// which a store arrives.
  private func withUnmakeableStore(
    configuration: String = "",
    _ body: (String) throws -> Void
  ) throws {
    func entities(_ more: String) -> String {
      let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
      return #"<entity name="Base">\#(name)\#(more)</entity>"#
        + #"<entity name="Child" parentEntity="Base">\#(name)</entity>"#
    }
    let year = #"<attribute name="year" optional="YES" attributeType="Integer 32"/>"#
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("o1", entities("")), ("o2", entities(year))],
        into: "\(folder)/ModelArchive",
        model: "Odd"
      )
      try SketchedModel.write(
        [
          ("w1", SketchedModel.book([("a", "")])),
          ("w2", SketchedModel.book([("a", ""), ("b", "")])),
        ],
        into: "\(folder)/ModelArchive",
        model: "Shelf"
      )
      if !configuration.isEmpty {
        try SketchedModel.write(configuration, to: "\(folder)/waystone.yml")
      }
      try body(folder)
    }
  }

  @Test func `a store that cannot be made is a gap`() throws {
    try withUnmakeableStore { folder in
      let run = CommandRun("coverage", "--run", "--rows", "9", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("WS725"), "\(run.output)")
      #expect(run.words.contains("No store of o1 was tried"), "\(run.words)")
      #expect(!run.words.contains("No gap"))
      let junit = CommandRun("coverage", "--run", "--rows", "9", "--format", "junit", in: folder)
      #expect(junit.output.contains(#"failures="1""#), "\(junit.output)")
      #expect(junit.output.contains("A made store was not migrated"))
      // Nor could any other store of the version be migrated, as the table says without a trial.
      #expect(junit.output.contains(#"<failure type="WS217""#))
      // The app needs no run, so that what a run lacks holds no release that relies on the app.
      let untried = CommandRun("coverage", in: folder)
      #expect(untried.status == .success)
      #expect(untried.words.contains("Waystone cannot migrate 1 version yet"), "\(untried.words)")
      #expect(untried.output.contains("1 hop, refused"), "\(untried.output)")
    }
  }
}
