import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// A version that only has a fetch index more: no hash differs, and no app migrates a store to it.
@Suite struct AddedIndexTests {
  private func with(_ body: (SketchedProject) throws -> Void) throws {
    func note(_ index: String) -> String {
      #"<entity name="Note" syncable="YES"><attribute name="title" optional="YES" "#
        + #"attributeType="String"/>\#(index)</entity>"#
    }
    let index =
      #"<fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" "#
      + #"order="ascending"/></fetchIndex>"#
    try SketchedProject.with(note(""), note(index)) { project in
      try project.store("v1")
      try body(project)
    }
  }

  private func verification(_ project: SketchedProject, _ store: String = "s.sqlite") throws
    -> VerificationReport
  {
    try Store(reading: URL(filePath: "\(project.folder)/\(store)"))
      .verify(in: project.project.models)
  }

  @Test func `a store without it is sound`() throws {
    try with { project throws in #expect(try verification(project).passed) }
  }

  @Test func `a copy of it is what the store is`() throws {
    try with { project in
      let outcome = try project.migrate("s.sqlite", version: "v2", to: "o.sqlite")
      #expect(outcome.verification.passed)
      let models = try project.project.models
      let digests = try ["s", "o"].map {
        try Store(reading: URL(filePath: "\(project.folder)/\($0).sqlite")).digest(in: models)
      }
      #expect(digests[0] == digests[1])
    }
  }

  @Test func `an index of a relationship must be there`() throws {
    try SketchedProject.with("Note { next -> Note }") { project in
      try project.store("v1", "DROP INDEX ZNOTE_ZNEXT_INDEX")
      #expect(try !verification(project).passed)
    }
  }
}
