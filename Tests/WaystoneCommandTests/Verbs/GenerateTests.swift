import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Made-up stores obey their models, or are not made.
@Suite struct GenerateTests {
  private static func toOne(_ name: String, _ destination: String, _ inverse: String) -> String {
    #"<relationship name="\#(name)" maxCount="1" minCount="1" deletionRule="Nullify" "#
      + #"destinationEntity="\#(destination)" inverseName="\#(inverse)" "#
      + #"inverseEntity="\#(destination)"/>"#
  }

  private static let models = """
    <entity name="Owner" syncable="YES">\(toOne("passport", "Passport", "owner"))</entity>
    <entity name="Passport" syncable="YES">
    <attribute name="scan" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
    \(toOne("owner", "Owner", "passport"))</entity>
    <entity name="Stamp" syncable="YES">
    <attribute name="code" attributeType="String" regularExpressionString="[0-9]{4}"/></entity>
    """

  private func with(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write([("v1", Self.models)], into: folder + "/ModelArchive")
      try body(folder)
    }
  }

  @Test(arguments: [["Owner=700", "Passport=700"]])
  func `a store with required partners and external files is valid`(rows: [String]) throws {
    try with { folder in
      let arguments = rows.flatMap { ["--rows-of", $0] }
      let made = CommandRun(
        ["generate", "v1", "-o", "s.sqlite", "--external-files"] + arguments,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      #expect(CommandRun("validate", "s.sqlite", in: folder).status == .success)
      #expect(CommandRun("verify", "s.sqlite", in: folder).status == .success)
      let external = try AppDatabase(folder + "/s.sqlite")
        .integer("SELECT COUNT(*) FROM ZPASSPORT WHERE substr(ZSCAN, 1, 1) = x'02'")
      let names = TemporaryFolder.names(in: folder + "/.s_SUPPORT/_EXTERNAL_DATA")
      #expect(Int64(names.count) == external)
      #expect(names.count > 3)
      let first = try #require(names.first)
      let bytes = TemporaryFolder.bytes(of: "\(folder)/.s_SUPPORT/_EXTERNAL_DATA/\(first)")
      #expect(bytes?.count == 5000)
    }
  }

  @Test func `rows that are shared among entities leave nobody without a partner`() throws {
    try TemporaryFolder.with { folder in
      let entities = Self.models.replacing(" regularExpressionString=\"[0-9]{4}\"", with: "")
      try SketchedModel.write([("v1", entities)], into: folder + "/ModelArchive")
      for rows in ["10", "11", "100"] {
        let made = CommandRun("generate", "v1", "--rows", rows, "-o", "\(rows).sqlite", in: folder)
        #expect(made.status == .success, "\(made.errors)")
        let run = CommandRun("validate", "\(rows).sqlite", in: folder)
        #expect(run.status == .success, "\(run.output)")
      }
    }
  }

  @Test(arguments: [
    (["Owner=5", "Passport=4"], "Owner.passport: 1 object"),
    (["Stamp=3"], "Stamp.code: 3 objects"),
  ])
  func `data that would break the model are not written`(rows: [String], place: String) throws {
    try with { folder in
      let arguments = rows.flatMap { ["--rows-of", $0] }
      let run = CommandRun(
        ["generate", "v1", "-o", "s.sqlite", "--external-files"] + arguments,
        in: folder
      )
      #expect(run.status == .answerIsNo)
      #expect(run.errors.contains(place), "\(run.errors)")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == ["ModelArchive"])
    }
  }
}
