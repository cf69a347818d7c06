import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Links of which an end is no object: a hop that makes objects leaves them out, and one that carries tables
/// keeps them; both are known before and after.
@Suite struct DanglingLinkTests {
  private static func model(_ more: String = "") -> String {
    "Note { t: String?; \(more)tags ->> Tag.notes; box -> Tag; like ->> Note.like } "
      + "Tag { notes ->> Note.tags; owned ->> Note }"
  }

  /// A change of the store, the relationship that keeps the link, and the number of links.
  private static let damages: [(sql: String, place: String, count: Int64)] = [
    ("UPDATE Z_1TAGS SET Z_2TAGS = 9999 WHERE rowid = 1", "Note.tags", 1),
    ("UPDATE Z_1TAGS SET Z_1NOTES = 9999 WHERE rowid <= 2", "Note.tags", 2),
    ("UPDATE Z_1TAGS SET Z_2TAGS = NULL WHERE rowid = 1", "Note.tags", 1),
    ("UPDATE Z_1TAGS SET Z_2TAGS = 0.5 WHERE rowid = 1", "Note.tags", 1),
    ("INSERT INTO Z_1LIKE VALUES (1, 9999)", "Note.like", 2),
    ("INSERT INTO Z_1LIKE VALUES (NULL, 1)", "Note.like", 1),
    ("UPDATE ZNOTE SET Z2OWNED = 9999 WHERE Z_PK = 3", "Tag.owned", 1),
    ("UPDATE ZNOTE SET ZBOX = 9999 WHERE Z_PK IN (2, 4)", "Note.box", 2),
  ]

  /// The origin of the hop.
  enum Way: CaseIterable {
    case inferred
    /// A hop file that carries whole tables.
    case tables
    /// A hop file that chooses among objects.
    case objects

    var choice: String { self == .objects ? ", where: t == nil OR t != nil" : "" }
  }

  private func lines(_ side: MigrationCertificate.Side) -> [String] {
    (side.dangling ?? []).map { "\($0.entity).\($0.property) \($0.count)" }
  }

  @Test(arguments: Trials.some(of: damages), Way.allCases)
  func `a link that leads nowhere is a finding and a line of the certificate`(
    _ damage: (sql: String, place: String, count: Int64),
    way: Way
  ) throws {
    try SketchedProject.with(Self.model(), Self.model("n: Int16?; ")) { project in
      if way != .inferred {
        try project.hop("[{source: Note\(way.choice), attributes: {n: \"5\"}}]")
      }
      let store = try project.store("v1", rows: 40, damage.sql)
      let plan = try project.plan(store)
      #expect(plan.refusals.isEmpty)
      let dangling = plan.findings.of(.danglingReference)
      #expect(dangling.briefs == ["warning WS507 v1 \(damage.place)"])
      #expect(dangling.first?.evidence == nil || dangling.first?.evidence?.verdict == .refuted)
      let outcome = try project.migrate(store, to: "o.sqlite") { $0.settings.certifies = true }
      let certificate = try #require(outcome.certificate)
      let line = "\(damage.place) \(damage.count)"
      #expect(lines(certificate.source) == [line])
      #expect(lines(certificate.result) == (way == .objects ? [] : [line]))
    }
  }
}
