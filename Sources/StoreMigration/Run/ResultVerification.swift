import MigrationPlanning
import StoreAccess

/// The verification of a result beside the store that it came from.
struct ResultVerification {
  let plan: MigrationPlan
  let source: PhysicalSchema
  let result: PhysicalSchema
  let level: VerificationLevel

  /// Verifies the database `result` of a connection whose `main` is the source.
  func verify(_ connection: borrowing SQLiteConnection) throws -> VerificationReport {
    VerificationReport()
  }
}
