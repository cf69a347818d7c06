import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The reports on a store whose rows a run refuses.
@Suite struct RefusedRowsTests {
  private func withStore(_ body: (String) throws -> Void) throws {
    func note(_ type: String) -> String {
      #"<entity name="Note" syncable="YES"><attribute name="n" optional="YES" "#
        + #"attributeType="Integer \#(type)"/></entity>"#
    }
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", note("32")), ("v2", note("16"))],
        into: folder,
        model: "ModelArchive"
      )
      try FileManager.default.createDirectory(
        atPath: "\(folder)/old",
        withIntermediateDirectories: false
      )
      let made = CommandRun(
        ["generate", "v1", "--rows", "9", "-o", "old/N.sqlite"] + Self.models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      do {
        let store = try AppDatabase("\(folder)/old/N.sqlite")
        try store.execute("UPDATE ZNOTE SET ZN = 100000 + Z_PK")
        try store.checkpointTruncating()
      }
      try body(folder)
    }
  }

  private static let models = ["--models", "ModelArchive.xcdatamodeld"]

  @Test func `a batch refuses the store in the dry run and in the run`() throws {
    try withStore { folder in
      let arguments = ["batch", "old", "--to", "v2", "--output", "new"] + Self.models
      let dry = try ProcessRun(arguments + ["--dry-run"], in: folder)
      #expect(dry.output.contains("1 refused"), "\(dry.output)")
      let run = try ProcessRun(arguments, in: folder)
      #expect(run.status == 1)
      let rows = try AppDatabase("\(folder)/new/batch.waystone.sqlite")
        .rows("SELECT state, code FROM store")
      #expect(rows == [["refused", "WS310"]])
    }
  }
}
