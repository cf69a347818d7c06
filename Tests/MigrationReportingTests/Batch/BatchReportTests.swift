import BatchMigration
import Foundation
import MigrationReporting
import MigrationTestSupport
import Testing

@Suite("Reports of a batch")
struct BatchReportTests {
  private static func text(
    _ stream: BatchReport.Stream,
    _ batch: SketchedBatch
  ) throws -> String {
    var text = ""
    let report = try BatchReport(batch.ledger, shownAs: "b.sqlite")
    try report.write(stream, of: batch.ledger) { text += $0 }
    return text
  }

  @Test(arguments: ["txt", "verbose.txt", "json", "csv", "junit.xml", "md", "html", "prom"])
  func `each form is a text that somebody has read`(end: String) throws {
    let batch = try SketchedBatch.ordinary()
    #expect(Golden.mismatch(try Self.form(end, of: batch), "batch.\(end)") == nil)
  }

  @Test(arguments: ["txt", "json", "csv", "junit.xml", "md", "html"])
  func `names from elsewhere do no harm in any form`(end: String) throws {
    let batch = try SketchedBatch.hostile()
    let text = try Self.form(end, of: batch)
    #expect(Golden.mismatch(text, "batch-hostile.\(end)") == nil)
    #expect(!text.contains("\u{1b}"))
    // JSON is for programs, which show it as they see fit.
    if end != "json" { #expect(!text.contains("\u{202e}")) }
    if end != "txt", end != "json", end != "csv" { #expect(!text.contains("<script>alert")) }
  }

  private static func form(_ end: String, of batch: SketchedBatch) throws -> String {
    let report = try BatchReport(batch.ledger, shownAs: "b.sqlite")
    switch end {
    case "txt": return report.text()
    case "verbose.txt": return report.text(isVerbose: true)
    case "json": return try text(.json, batch)
    case "csv": return try text(.csv, batch)
    case "junit.xml": return try text(.junit, batch)
    case "md": return report.markdown
    case "html":
      return try report.html(
        of: batch.ledger,
        origin: PageOrigin(version: "0.1.0", date: "2027-01-15")
      )
    default: return BatchMetrics(try batch.ledger.description, try batch.ledger.totals()).text
    }
  }

  @Test func `advice to retry names the ledger in every form`() throws {
    let batch = try SketchedBatch.make(
      ["a", "b"],
      [(.timedOut, "timeout", "It took long."), (.timedOut, "timeout", "It took long.")],
      recovery: "Allow more: `waystone batch retry --state timed-out`."
    )
    let command = "`waystone batch retry --ledger b.sqlite --state timed-out`"
    for end in ["txt", "json", "csv", "junit.xml", "md", "html"] {
      let text = try Self.form(end, of: batch)
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.replacing("\\", with: "").contains(command), "\(end): \(words)")
    }
    #expect(LedgerName("out/batch.waystone.sqlite").words == "out")
    #expect(LedgerName("/batch.waystone.sqlite").words == "/")
    #expect(LedgerName("batch.waystone.sqlite").words == "")
    #expect(LedgerName("-o/batch.waystone.sqlite").words == "--ledger -o/batch.waystone.sqlite")
  }

  @Test func `JSON names every store once, whatever its name`() throws {
    let batch = try SketchedBatch.hostile()
    let data = Data(try Self.text(.json, batch).utf8)
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let stores = try #require(json["stores"] as? [[String: Any]])
    #expect(stores.count == 5)
    #expect(stores[3]["name"] as? String == "Old/a,\"b\"\n.sqlite")
    let odd = try #require(json["oddFiles"] as? [[String: String]])
    #expect(odd == [["name": "</li><b>", "reason": "\"oddFiles\": [] \u{2028}"]])
  }

  // Two files could not be looked at: they are failures, too.
  @Test func `the counts of JUnit are those of its cases`() throws {
    let batch = try SketchedBatch.ordinary()
    let text = try Self.text(.junit, batch)
    func count(_ part: String) -> Int { text.ranges(of: part).count }
    #expect(text.contains(#"tests="14" failures="7" errors="0" skipped="4""#))
    #expect(count("<testcase") == 14)
    #expect(count("<failure") == 7)
    #expect(count("<skipped") == 4)
  }

  @Test func `a row of CSV has as many fields as there are headings`() throws {
    let batch = try SketchedBatch.ordinary()
    let rows = try Self.text(.csv, batch).split(separator: "\r\n")
    #expect(rows.count == 13)
    let fields = Set(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).count })
    #expect(fields == [22])
  }

  @Test func `many stores are handed over in pieces`() throws {
    let batch = try SketchedBatch.make((1...3000).map { "Old/\($0)/Notes.sqlite" }, [])
    let report = try BatchReport(batch.ledger, shownAs: "b.sqlite")
    for stream in [BatchReport.Stream.json, .csv, .junit] {
      var sizes: [Int] = []
      try report.write(stream, of: batch.ledger) { sizes.append($0.utf8.count) }
      #expect(sizes.count > 3)
      #expect(sizes.allSatisfy { $0 < 100_000 })
    }
  }

  @Test func `a page shows the stores that people look for, and counts the rest`() throws {
    let batch = try SketchedBatch.make(
      (1...2500).map { "Old/\($0)/Notes.sqlite" },
      [(.migrated, nil, nil), (.migrated, nil, nil), (.failed, "blocked", "No.")]
    )
    let report = try BatchReport(batch.ledger, shownAs: "b.sqlite")
    let page = try report.html(of: batch.ledger, origin: PageOrigin(version: "0.1.0"))
    #expect(page.ranges(of: "<tr data-state=").count == 2000)
    #expect(page.contains("500 stores more are not on this page"))
    let failed = try #require(page.firstRange(of: "data-state=\"failed\""))
    let slow = try #require(page.firstRange(of: "Old/2/Notes.sqlite"))
    let fast = try #require(page.firstRange(of: "Old/1/Notes.sqlite"))
    let waiting = try #require(page.firstRange(of: "data-state=\"waiting\""))
    #expect(failed.lowerBound < slow.lowerBound)
    #expect(slow.lowerBound < fast.lowerBound)
    #expect(fast.lowerBound < waiting.lowerBound)
  }

  @Test func `a batch is complete only where every store reached the version`() throws {
    func isComplete(
      _ outcomes: [(StoreState, code: String?, message: String?)],
      oddities: [(name: String, reason: String)] = []
    ) throws -> Bool {
      let batch = try SketchedBatch.make(outcomes.map { "\($0.0)" }, outcomes, oddities: oddities)
      return try BatchReport(batch.ledger, shownAs: "b").isComplete
    }
    #expect(try isComplete([(.migrated, nil, nil), (.current, nil, nil)]))
    #expect(try !isComplete([(.migrated, nil, nil), (.waiting, nil, nil)]))
    #expect(try !isComplete([(.migrated, nil, nil), (.skipped, nil, nil)]))
    #expect(try !isComplete([(.migrated, nil, nil)], oddities: [("x.zip", "a bomb")]))
  }
}
