import MigrationPlanning
import StoreAccess

/// The verification of a result beside the store that it came from.
struct ResultVerification {
  let plan: MigrationPlan
  let source: PhysicalSchema
  let result: PhysicalSchema
  let level: VerificationLevel
  /// What the plan leaves for a later cleanup; anything else that the model lacks is an error.
  let leftovers: Leftovers
  /// The folder of the source's external files.
  let externalData: String

  /// Verifies the database `result` of a connection whose `main` is the source.
  func verify(_ connection: borrowing SQLiteConnection) throws -> VerificationReport {
    guard level != .none else { return VerificationReport() }
    var report = try StoreVerifier.verify(
      connection,
      database: "result",
      schema: result,
      level: level,
      scope: .result,
      leftovers: leftovers
    )
    // Rows of damaged pages cannot be compared.
    guard report.passed else { return report }
    report.append(
      try CarriedComparison.compare(
        connection,
        source: "main",
        sourceSchema: source,
        result: "result",
        resultSchema: result,
        plan: plan,
        sourceExternalData: externalData
      )
    )
    return report
  }
}
