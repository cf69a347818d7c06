import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The reports of runs and trials on data that does not arrive.
@Suite struct DroppedDataTests {
  private static func book(_ attributes: String...) -> String {
    #"<entity name="Book" syncable="YES">"# + attributes.joined() + "</entity>"
  }

  private static func pages(_ type: String) -> String {
    #"<attribute name="pages" optional="YES" attributeType="\#(type)"/>"#
  }

  private static let isbn = #"<attribute name="isbn" optional="YES" attributeType="String"/>"#

  private func with(
    _ versions: [(name: String, entities: String)],
    _ sql: String,
    _ body: (_ folder: String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "9", "-o", "S.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      let store = try AppDatabase("\(folder)/S.sqlite")
      try store.execute(sql)
      try store.checkpointTruncating()
      try body(folder)
    }
  }

  @Test func `a run ends with what it dropped`() throws {
    let versions = [
      ("v1", Self.book(Self.isbn, Self.pages("Integer 32"))),
      ("v2", Self.book(Self.pages("Integer 32"))),
    ]
    try with(versions, "UPDATE ZBOOK SET ZISBN = 'i'") { folder in
      let run = CommandRun("migrate", "S.sqlite", "--output", "O.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.words.hasSuffix("dropped data of 1 property: Book.isbn"), "\(run.output)")
      let json = try CommandRun(
        ["migrate", "S.sqlite", "--output", "P.sqlite", "--format", "json"],
        in: folder
      ).json()
      #expect(json["dropped"] as? [String] == ["Book.isbn"])
      let back = CommandRun("migrate", "P.sqlite", "--output", "Q.sqlite", in: folder)
      #expect(!back.words.contains("dropped"), "\(back.output)")
    }
  }
}
