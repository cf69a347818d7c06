import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Apple's own untouched stores, held against the models inside them.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusVerificationTests {
  /// The unexplained faults of stores of public apps.
  static let known: Set<String> = [
    // Left out of every store of one version of Photos.
    "the index ZGENERICASSET_Z_ENT_INDEX is missing"
  ]

  @Test(arguments: Corpus.stores)
  func `an untouched store passes`(_ sample: Corpus.Store) throws {
    let connection = try SQLiteConnection(path: sample.path, access: .quiescent)
    let real = try StoreSchema(of: connection)
    let report = try StoreVerifier.verify(
      connection,
      schema: "main",
      model: sample.model,
      names: JoinNames(settledBy: real.columnNames, model: sample.model),
      level: .full
    )
    for check in report.failures {
      for detail in check.details where !Self.known.contains(detail.message) {
        Issue.record("\(sample.description): \(check.name): \(detail)")
      }
    }
    let rows = report.checks.first { $0.name == "rows" }?.count ?? 0
    let references = report.checks.first { $0.name == "references" }?.count ?? 0
    let warnings = report.warnings.map { "\($0.name) \($0.failures)" }.joined(separator: ", ")
    print(
      "\(report.passed ? "passed" : "FAILED") \(rows) rows, \(references) references"
        + "\(warnings.isEmpty ? "" : "; \(warnings)"): \(sample.description)"
    )
  }
}
