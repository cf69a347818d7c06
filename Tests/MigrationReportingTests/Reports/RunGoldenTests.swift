import MigrationReporting
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct RunGoldenTests {
  private static let passed = VerifiedStoreReport(
    store: "Library.sqlite",
    version: "v2",
    level: "standard",
    checks: [
      VerifiedStoreReport.Check(name: "quick check", outcome: .passed, detail: ""),
      VerifiedStoreReport.Check(name: "rows carried", outcome: .passed, detail: "2,000 rows"),
    ],
    findings: []
  )

  private func check(_ report: some Report, _ name: String) {
    for (text, file) in [
      (report.text(), "\(name).txt"), (report.json.prettyPrinted + "\n", "\(name).json"),
    ] {
      let mismatch = Golden.mismatch(text, file)
      #expect(mismatch == nil)
    }
  }

  @Test func `a run shows its stages and where the original is`() {
    check(
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

  @Test func `a store that fails says which check and why`() {
    check(
      VerifiedStoreReport(
        store: "Library.sqlite",
        version: "v2",
        level: "full",
        checks: [
          VerifiedStoreReport.Check(name: "integrity check", outcome: .passed, detail: ""),
          VerifiedStoreReport.Check(
            name: "references",
            outcome: .failed,
            detail: "3 lead nowhere"
          ),
          VerifiedStoreReport.Check(
            name: "carried",
            outcome: .skipped,
            detail: "there is no source to compare with"
          ),
        ],
        findings: [
          Finding(
            .danglingReference,
            .error,
            at: Finding.Place(entity: "Book", property: "author"),
            message: "3 rows of Book.author lead to no row (primary keys 4, 8, 15).",
            remedy: "Restore the store from its backup."
          )
        ]
      ),
      "verify-failed"
    )
    #expect(Self.passed.hasPassed)
  }
}
