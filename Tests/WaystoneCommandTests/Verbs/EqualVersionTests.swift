import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Versions of the same hashes, of which the last reads values by another transformer.
@Suite struct EqualVersionTests {
  private static func note(_ transformer: String = "", _ more: String = "") -> String {
    #"<entity name="Note" syncable="YES"><attribute name="tags" optional="YES" "#
      + #"attributeType="Transformable" \#(transformer)/>\#(more)</entity>"#
  }

  private static let text = #"<attribute name="text" optional="YES" attributeType="String"/>"#

  private func with(_ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.note()), ("v2", Self.note("", Self.text)),
          ("v3", Self.note(#"valueTransformerName="TagsTransformer""#, Self.text)),
        ],
        into: "\(folder)/ModelArchive"
      )
      try body(folder)
    }
  }

  @Test func `a plan calls both ends what they were called`() throws {
    try with { folder in
      #expect(CommandRun("plan", "v2", "--to", "v3", in: folder).words.hasPrefix("v2 → v3 0 hops"))
      #expect(CommandRun("plan", "v3", "--to", "v2", in: folder).words.hasPrefix("v3 → v2 0 hops"))
    }
  }
}
