import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing
import WaystoneCommand

/// The findings of a plan on changes that cost no row, and on the contents of a store beside its rows.
@Suite struct StepFindingGoldenTests {
  /// Version by version: a default, a deletion rule and a transformer change, an attribute is renamed
  /// without identifier, friends get one property more, an entity comes before all others.
  private static let versions: [(name: String, entities: String)] = [
    ("v1", note(rule: "Nullify", more: colour("OldColour")) + person("")),
    (
      "v2",
      note(rule: "Cascade", more: colour("NewColour"), rank: "2", pinned: "isPinned") + person("")
    ),
    (
      "v3",
      #"<entity name="Album" syncable="YES"/>"#
        + note(rule: "Cascade", more: colour("NewColour"), rank: "2", pinned: "isPinned")
        + person(#"<attribute name="age" optional="YES" attributeType="Integer 16"/>"#)
    ),
  ]

  private static func note(
    rule: String,
    more: String,
    rank: String = "1",
    pinned: String = "pinned"
  ) -> String {
    """
    <entity name="Note" syncable="YES">
    <attribute name="\(pinned)" optional="YES" attributeType="Boolean"/>
    <attribute name="rank" attributeType="Integer 16" defaultValueString="\(rank)"/>
    <attribute name="photo" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
    \(more)
    <relationship name="author" optional="YES" maxCount="1" deletionRule="\(rule)" \
    destinationEntity="Person" inverseName="notes" inverseEntity="Person"/>
    </entity>
    """
  }

  /// The name of a file that is not there, as hexadecimal digits.
  private static var fileName: String {
    Hexadecimal.string(Array("0B1C2D3E-0000-4000-8000-00000000000A".utf8))
  }

  private static func colour(_ transformer: String) -> String {
    #"<attribute name="colour" optional="YES" attributeType="Transformable" "#
      + #"valueTransformerName="\#(transformer)"/>"#
  }

  private static func person(_ more: String) -> String {
    """
    <entity name="Person" syncable="YES">\(more)
    <relationship name="followers" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="following" inverseEntity="Person"/>
    <relationship name="following" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Person" inverseName="followers" inverseEntity="Person"/>
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="author" inverseEntity="Note"/>
    </entity>
    """
  }

  private func with(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `a plan tells of what no hash sees`() throws {
    try with { folder in
      check(CommandRun("plan", "v1", "--to", "v2", in: folder), .success, "plan-unseen.txt")
      check(CommandRun("diff", "v1", "v2", in: folder), .success, "diff-unseen.txt")
      let names = CommandRun("plan", "v2", "--to", "v3", in: folder)
      check(names, .noPath, "plan-unproven.txt")
      let accepted = CommandRun(
        "explain",
        "v2",
        "v3",
        "--accept-unproven-names",
        in: folder
      )
      check(accepted, .success, "explain-unproven.txt")
    }
  }

  @Test func `a plan for a store tells of its history, foreign tables and missing files`() throws {
    try with { folder in
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "Old.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      do {
        let store = try AppDatabase("\(folder)/Old.sqlite")
        try store.execute(
          """
          CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER, ZCOLUMNS BLOB);
          CREATE TABLE app_settings (key TEXT);
          UPDATE ZNOTE SET ZPHOTO = NULL;
          UPDATE ZNOTE SET ZPHOTO = x'02\(Self.fileName)00'
            WHERE Z_PK IN (SELECT Z_PK FROM ZNOTE ORDER BY Z_PK LIMIT 2)
          """
        )
      }
      let plan = CommandRun(
        ["plan", "Old.sqlite", "--to", "v3", "--history", "--accept-unproven-names"],
        in: folder
      )
      check(plan, .success, "plan-store-effects.txt")
      let inspection = CommandRun("inspect", "Old.sqlite", in: folder)
      #expect(inspection.output.contains("WS506  Note.photo has 2 values"), "\(inspection.output)")
      let run = CommandRun(
        ["migrate", "Old.sqlite", "--to", "v3", "--accept-unproven-names", "--format", "json"],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let told = try run.json()["findings"] as? [[String: Any]]
      #expect(
        told?.compactMap { $0["code"] as? String } == ["WS501", "WS503", "WS502", "WS506"],
        "\(run.output)"
      )
    }
  }

  @Test func `an order that does not follow from the names is in doubt until it is written`() throws
  {
    try TemporaryFolder.with { folder in
      let versions = [("Early", ""), ("Late", "isbn")].map { name, more in
        (name, SketchedModel.book([("title", "")] + (more.isEmpty ? [] : [(more, "")])))
      }
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let run = CommandRun("versions", in: folder)
      #expect(run.output.contains("WS105"), "\(run.output)")
      try SketchedModel.write("order: [Early, Late]\n", to: "\(folder)/waystone.yml")
      #expect(!CommandRun("versions", in: folder).output.contains("WS105"))
    }
  }
}
