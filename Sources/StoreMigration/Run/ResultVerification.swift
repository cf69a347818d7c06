import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

/// The verification of a checkpoint beside the store, or the earlier checkpoint, that it came from.
struct ResultVerification {
  /// The model of each version on the path, the source's first.
  let models: [ManagedObjectModel]
  /// The mappings between them; none where nothing can be compared.
  let mappings: [ResolvedMapping]
  let source: PhysicalSchema
  let result: PhysicalSchema
  let level: VerificationLevel
  let scope: VerificationScope
  /// The objects left for a later cleanup; any other that the model lacks is an error.
  let leftovers: Leftovers
  /// The folder of the source's external files.
  let externalData: String
  /// Whether all indexes of the model must be there; a copy has those of the store.
  var requiresIndexes = true
  /// The proof of the source's pages; nil where there is none.
  var proof: PageVerification?

  /// Verifies the database `result` of a connection whose `main` is the source.
  func verify(_ connection: borrowing SQLiteConnection) throws -> VerificationReport {
    guard level != .none else { return VerificationReport() }
    var (report, resultProof) = try StoreVerifier.examine(
      connection,
      database: "result",
      schema: result,
      level: level,
      scope: scope,
      leftovers: leftovers,
      requiresIndexes: requiresIndexes,
      interest: .init(sums: proof?.interest.sums == true)
    )
    // Rows of damaged pages cannot be compared; without a hop there is nothing to compare, except
    // that of a store which was only copied.
    guard report.passed, !mappings.isEmpty || scope == .result else { return report }
    report.append(
      try ResultComparison.compare(
        connection,
        source: "main",
        sourceSchema: source,
        result: "result",
        resultSchema: result,
        lineage: Lineage(models: models, mappings: mappings),
        sourceExternalData: externalData,
        proven: ProvenRows(proof, resultProof)
      )
    )
    return report
  }
}
