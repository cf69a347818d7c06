import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Links of which an end is no object: a hop that makes objects leaves them out, and says so before and
/// after; one that carries tables keeps them.
@Suite struct DanglingLinkTests {
  private static func model(_ more: String = "") -> String {
    """
    <entity name="Note" syncable="YES">
    <attribute name="t" optional="YES" attributeType="String"/>\(more)
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
    <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify"
      destinationEntity="Tag"/>
    <relationship name="like" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Note" inverseName="like" inverseEntity="Note"/>
    </entity>
    <entity name="Tag" syncable="YES">
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
    <relationship name="owned" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Note"/>
    </entity>
    """
  }

  /// A change of the store, the relationship that keeps the link, and the number of links.
  private static let damages: [(sql: String, place: String, count: Int)] = [
    ("UPDATE Z_1TAGS SET Z_2TAGS = 9999 WHERE rowid = 1", "Note.tags", 1),
    ("UPDATE Z_1TAGS SET Z_1NOTES = 9999 WHERE rowid <= 2", "Note.tags", 2),
    ("UPDATE Z_1TAGS SET Z_2TAGS = NULL WHERE rowid = 1", "Note.tags", 1),
    ("UPDATE Z_1TAGS SET Z_2TAGS = 0.5 WHERE rowid = 1", "Note.tags", 1),
    ("INSERT INTO Z_1LIKE VALUES (1, 9999)", "Note.like", 2),
    ("INSERT INTO Z_1LIKE VALUES (NULL, 1)", "Note.like", 1),
    ("UPDATE ZNOTE SET Z2OWNED = 9999 WHERE Z_PK = 3", "Tag.owned", 1),
    ("UPDATE ZNOTE SET ZBOX = 9999 WHERE Z_PK IN (2, 4)", "Note.box", 2),
  ]

  private func side(_ certificate: [String: Any], _ end: String) -> [String] {
    let lines = (certificate[end] as? [String: Any])?["dangling"] as? [[String: Any]] ?? []
    return lines.map { "\($0["entity"] ?? "").\($0["property"] ?? "") \($0["count"] ?? "")" }
  }

  /// The origin of the hop.
  enum Way: CaseIterable {
    case inferred
    /// A hop file that carries whole tables.
    case tables
    /// A hop file that chooses among objects.
    case objects

    var choice: String { self == .objects ? "\n    where: t == nil OR t != nil" : "" }
  }

  @Test(arguments: Trials.some(of: damages), Way.allCases)
  func `a link that leads nowhere is a finding and a line of the certificate`(
    _ damage: (sql: String, place: String, count: Int),
    way: Way
  ) throws {
    try TemporaryFolder.with { folder in
      let added = #"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#
      try SketchedModel.write(
        [("v1", Self.model()), ("v2", Self.model(added))],
        into: folder + "/ModelArchive"
      )
      if way != .inferred {
        try SketchedModel.write(
          "from: v1\nto: v2\nentities:\n  - source: Note\(way.choice)\n    attributes:\n      n: \"5\"\n",
          to: folder + "/ModelArchive/v1-to-v2.hop.yml"
        )
      }
      let made = CommandRun("generate", "v1", "--rows", "40", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        folder + "/S.sqlite",
        "\(damage.sql); PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let plan = CommandRun("plan", "S.sqlite", "--to", "v2", in: folder)
      #expect(plan.status == .success, "\(plan.output)\(plan.errors)")
      #expect(plan.words.contains("warning WS507 v1 \(damage.place): In the store, "))
      #expect(plan.words.contains("leaves such links out") == (way == .objects), "\(plan.output)")
      #expect(way != .objects || !plan.words.contains("Nothing is dropped."), "\(plan.output)")
      #expect(plan.words.contains("but links that lead nowhere") == (way == .objects))
      let run = CommandRun(
        ["migrate", "S.sqlite", "--to", "v2", "-o", "R.sqlite", "--certificate", "C.json"],
        in: folder
      )
      try #require(run.status == .success, "\(run.errors)")
      let text = try Data(contentsOf: URL(fileURLWithPath: folder + "/C.json"))
      let certificate = try #require(
        try JSONSerialization.jsonObject(with: text) as? [String: Any]
      )
      #expect(JSONSchema.mistakes(inOutput: certificate) == [])
      let line = "\(damage.place) \(damage.count)"
      #expect(side(certificate, "source") == [line])
      #expect(side(certificate, "result") == (way == .objects ? [] : [line]))
      for store in ["S.sqlite", "R.sqlite"] {
        let verify = CommandRun("verify", store, "--certificate", "C.json", in: folder)
        #expect(verify.status == .success, "\(verify.output)\(verify.errors)")
      }
      // Whoever takes the line out of the certificate is found out.
      let edited = String(decoding: text, as: UTF8.self)
        .replacing(
          "\"count\" : \(damage.count),\n        \"entity\"",
          with: "\"count\" : 7,\n        \"entity\""
        )
      try SketchedModel.write(edited, to: folder + "/D.json")
      let audit = CommandRun("verify", "S.sqlite", "--certificate", "D.json", in: folder)
      #expect(audit.status == .answerIsNo, "\(audit.output)")
      #expect(audit.words.contains("7 links without an object at an end"), "\(audit.output)")
    }
  }
}
