import MigrationReporting
import MigrationTestSupport
import ObjectModel
import StoreMigration
import StoreVerification
import Testing

@Suite struct RunGoldenTests {
  private static let passed = VerificationReport(
    checks: [
      VerificationReport.Check("pages", "SQLite's quick_check of the file", count: 1),
      VerificationReport.Check("rows", "each row carried", count: 2000),
    ]
  )

  private func check(_ report: some Report, _ name: String) throws {
    for (text, file) in [
      (report.text(), "\(name).txt"), (try report.json.prettyPrinted + "\n", "\(name).json"),
    ] {
      let mismatch = Golden.mismatch(text, file)
      #expect(mismatch == nil)
    }
  }

  @Test func `a run shows its stages and where the original is`() throws {
    try check(
      MigrationReport(
        store: "Library.sqlite",
        result: "Library.sqlite",
        from: "v1",
        to: "v2",
        transcript: RunTranscriptTests.finished,
        backup: "Library.sqlite.waystone/backup/1-Library.sqlite",
        verification: Self.passed
      ),
      "migrate"
    )
  }

  @Test func `a fault of a checkpoint and of the result is told once`() throws {
    let fault = VerificationReport.Check(
      "indexes",
      "no index but the model's",
      isFatal: false,
      count: 4,
      failures: 1,
      details: [VerificationReport.Detail(entity: "Book", "Z_OLD_INDEX is left over")]
    )
    let report = VerificationReport(checks: Self.passed.checks + [fault, fault])
    let lines = report.lines(showsPassed: false, isVerbose: false)
      .map { $0.string(isColored: false) }
    #expect(lines.count { $0.contains("no index but the model's") } == 1)
    #expect(lines.count { $0.contains("Z_OLD_INDEX") } == 1)
    #expect(lines.last == "verified  4 checks, 1 with what Core Data tolerates")
  }

  @Test func `a store that fails says which check and why`() throws {
    try check(
      VerifiedStoreReport(
        store: "Library.sqlite",
        version: "v2",
        level: .full,
        verification: VerificationReport(
          checks: Self.passed.checks + [
            VerificationReport.Check(
              "indexes",
              "no index but the model's",
              isFatal: false,
              count: 4,
              failures: 1,
              details: [VerificationReport.Detail(entity: "Book", "Z_OLD_INDEX is left over")]
            ),
            VerificationReport.Check(
              "references",
              "each reference leads to a row",
              code: .danglingReference,
              count: 1200,
              failures: 7,
              details: [
                VerificationReport.Detail(
                  entity: "Book",
                  property: "author",
                  "leads to no row",
                  count: 7,
                  primaryKeys: [4, 8, 15, 16, 23]
                )
              ]
            ),
          ]
        )
      ),
      "verify-failed"
    )
  }

  private static func digest(
    _ store: String,
    _ version: String,
    _ hash: String,
    _ rows: [(String, Int64, String)],
    missing: Int64 = 0
  ) -> DigestReport {
    DigestReport(
      store: store,
      version: version,
      isRecovered: false,
      hash: String(repeating: hash, count: 32),
      entities: rows.map { name, rows, hash in
        DigestReport.Entity(
          name: name,
          rows: rows,
          hash: String(repeating: hash, count: 32),
          missingFiles: rows > 1000 ? missing : 0
        )
      }
    )
  }

  @Test func `a digest shows each entity's`() throws {
    try check(
      Self.digest(
        "Library.sqlite",
        "v2",
        "a1",
        [("Author", 0, "b2"), ("Book", 12_345, "c3")],
        missing: 3
      ),
      "digest"
    )
  }

  @Test func `a comparison shows what differs, and no value`() throws {
    let first = Self.digest("A.sqlite", "v2", "a1", [("Author", 7, "b2"), ("Book", 1200, "c3")])
    let second = Self.digest(
      "B.sqlite",
      "v3",
      "d4",
      [("Author", 7, "b2"), ("Book", 1201, "e5"), ("Shelf", 0, "f6")],
      missing: 1
    )
    try check(
      ComparisonReport(
        first: first,
        second: second,
        differing: ["Book", "Shelf"],
        rehashed: ["Shelf"]
      ),
      "compare"
    )
    try check(
      ComparisonReport(first: first, second: first, differing: [], rehashed: []),
      "compare-equal"
    )
  }
}
