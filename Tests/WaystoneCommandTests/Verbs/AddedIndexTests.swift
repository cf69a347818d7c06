import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// A version that only has a fetch index more: no hash tells it, and no app migrates a store to it.
@Suite struct AddedIndexTests {
  private func with(_ body: (_ folder: String) throws -> Void) throws {
    func note(_ index: String) -> String {
      #"<entity name="Note" syncable="YES"><attribute name="title" optional="YES" "#
        + #"attributeType="String"/>\#(index)</entity>"#
    }
    let index =
      #"<fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" "#
      + #"order="ascending"/></fetchIndex>"#
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", note("")), ("v2", note(index))],
        into: "\(folder)/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "9", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try body(folder)
    }
  }

  private static let words = "Z_Note_byTitle is a fetch index that the store lacks"

  @Test func `a store without it is sound, with a note`() throws {
    try with { folder in
      let run = CommandRun("verify", "s.sqlite", in: folder)
      #expect(run.status == .success && run.words.contains(Self.words), "\(run.output)")
    }
  }

  @Test func `a copy of it is what the store is`() throws {
    try with { folder in
      let run = CommandRun("migrate", "s.sqlite", "--to", "v2", "-o", "r.sqlite", in: folder)
      #expect(run.status == .success && run.words.contains(Self.words), "\(run.errors)")
      #expect(CommandRun("compare", "s.sqlite", "r.sqlite", in: folder).status == .success)
    }
  }

  @Test func `an index of a relationship must be there`() throws {
    try TemporaryFolder.with { folder in
      let one =
        #"<entity name="Note" syncable="YES"><relationship name="next" optional="YES" maxCount="1" "#
        + #"deletionRule="Nullify" destinationEntity="Note"/></entity>"#
      try SketchedModel.write([("v1", one)], into: "\(folder)/ModelArchive")
      _ = CommandRun("generate", "v1", "--rows", "9", "-o", "s.sqlite", in: folder)
      try AppDatabase.run("\(folder)/s.sqlite", "DROP INDEX ZNOTE_ZNEXT_INDEX")
      let run = CommandRun("verify", "s.sqlite", in: folder)
      #expect(run.status == .answerIsNo, "\(run.output)")
      #expect(run.words.contains("the index ZNOTE_ZNEXT_INDEX is missing"))
    }
  }
}
