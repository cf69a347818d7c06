import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// Hop files whose parts of one object lead to each other.
@Suite struct PieceLinkTests {
  private static let notes = "Note { text: String? }"
  private static let lines = """
    Note { text: String? }
    Base { text: String?; back ->> Line.others }
    Line : Base { next -> Line.before; before -> Line.next; head -> Line.all; all ->> Line.head; \
    others ->> Base.back }
    """
  private static let hop = """
    entities:
      - source: Note
      - source: Note
        destination: Line
        split: {text: $source.text, separator: ","}
        attributes: {text: $piece}
        relationships: {next: {piece: next}, head: {piece: first}, others: {piece: others}}
    """

  @Test func `parts of one object lead to those before and behind them`() throws {
    let run = try HopRun([Self.notes, Self.lines], Self.hop)
    var rows: [String] = []
    var others: Int64?
    let texts =
      "UPDATE ZNOTE SET ZTEXT = CASE Z_PK WHEN 1 THEN 'a,b,c' WHEN 2 THEN 'd' "
      + "WHEN 3 THEN 'e,f' END"
    let (_, error) = try run.run(
      [texts],
      accepting: true,
      inspect: { connection in
        rows = try connection.rows(
          "SELECT l.ZTEXT || coalesce(n.ZTEXT, '-') || h.ZTEXT FROM ZBASE l "
            + "LEFT JOIN ZBASE n ON n.Z_PK = l.ZNEXT JOIN ZBASE h ON h.Z_PK = l.ZHEAD "
            + "ORDER BY l.ZTEXT"
        ).map { $0[0].text ?? "" }
        let table = try connection.text(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%OTHERS%'"
        )
        others = try connection.integer("SELECT COUNT(*) FROM \(table ?? "")")
      }
    )
    #expect(error == nil, "\(String(describing: error))")
    #expect(rows == ["aba", "bca", "c-a", "d-d", "efe", "f-e"])
    #expect(others == 8)
  }
}
