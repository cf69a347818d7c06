import Files
import MigrationPlanning
import ObjectModel
import StoreAccess

extension Run {
  /// The accounts of the hops that are done, by whichever process.
  var accounts: [HopAccount] { journal.records.compactMap(\.account) }

  /// What a checkpoint holds.
  func counts(of path: String, _ schema: PhysicalSchema) throws -> StoreCounts {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    let cancellation = options.cancellation
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    defer { connection.removeProgress() }
    return try StoreCounts(of: connection, schema: schema)
  }

  /// Whether the run is to certify what it carried.
  var isCertified: Bool { journal.run?.settings.isCertified ?? false }

  /// Certifies the result, which was verified, beside the store.
  ///
  /// - Throws: ``MigrationError``, `verificationFailed` where the account of all hops is not balanced.
  func certificate(
    _ last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> MigrationCertificate {
    let schemas = preflight.chain.schemas
    let (before, first) = try source.withConnection {
      try held(by: $0, schemas[0], plan.source)
    }
    try source.checkUnchanged()
    let connection = try SQLiteConnection(path: last.file, access: .quiescent)
    let (after, result) = try held(by: connection, schemas[schemas.count - 1], plan.destination)
    let total = HopAccount(
      of: plan.hops.reduce(NormalMapping(identityOf: plan.source.model)) {
        $0.followed(by: $1.way)
      },
      from: plan.source.name,
      to: plan.destination.name,
      before: before,
      after: after,
      hasCode: plan.hops.contains { !$0.mapping.policyNames.isEmpty },
      losesLinks: plan.hops.contains(where: losesLinks),
      findings: nil
    )
    try require(VerificationReport(checks: [total.check]))
    return MigrationCertificate(
      source: first,
      result: result,
      hops: accounts,
      total: total,
      actions: actions
    )
  }

  /// The hops with actions; nil where no hop has any.
  private var actions: [MigrationCertificate.Actions]? {
    let actions = plan.hops.enumerated().compactMap { index, hop in
      let (before, after) = (hop.mapping.actionsBefore, hop.mapping.actionsAfter)
      return before.isEmpty && after.isEmpty
        ? nil
        : MigrationCertificate.Actions(
          hop: index + 1,
          before: !before.isEmpty,
          after: !after.isEmpty
        )
    }
    return actions.isEmpty ? nil : actions
  }

  /// Writes the certificate before the result takes its place, so that a run that has ended has one.
  ///
  /// - Throws: ``MigrationError``, `cannotCreate` where another file is in its place by now, and
  ///   `inputOutput` where it cannot be written; the run can be resumed.
  func writeCertificate() throws {
    guard let path = journal.run?.settings.certificate, let certificate = journal.certificate
    else { return }
    do {
      try certificate.write(to: path)
    } catch let error as FileError {
      throw MigrationError(
        error.code == .exists ? .cannotCreate : .inputOutput,
        "The certificate cannot be written: \(error.message).",
        recovery: "Make room for \(path), and run `waystone resume`: the result is verified, and "
          + "takes its place once the certificate is written."
      )
    }
  }

  /// What a database holds, in numbers and as a digest.
  private func held(
    by connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema,
    _ version: VersionNode
  ) throws -> (StoreCounts, MigrationCertificate.Side) {
    let cancellation = options.cancellation
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    defer { connection.removeProgress() }
    let digest = try LogicalDigest(
      of: connection,
      schema: schema,
      externalData: try externalData,
      allowsMissingFiles: true,
      shouldContinue: { !cancellation.isRequested }
    )
    return (
      try StoreCounts(of: connection, schema: schema),
      MigrationCertificate.Side(version.name, version.model, digest)
    )
  }

  /// Whether a hop that a person wrote may leave links out for which an end has no room, which its run
  /// counted and told.
  private func losesLinks(_ hop: Hop) -> Bool {
    hop.kind == .authored && (journal.run?.settings.acceptsChangedValues ?? false)
  }

  /// The account of a hop's mapping; what actions do before and after it is in none.
  func account(
    _ hop: Hop,
    before: StoreCounts,
    after: StoreCounts,
    works: [PolicyWork] = []
  ) -> HopAccount {
    HopAccount(
      of: hop.mappingAlone,
      from: hop.source.name,
      to: hop.destination.name,
      before: before,
      after: after,
      hasCode: !hop.mapping.policyNames.isEmpty,
      losesLinks: losesLinks(hop),
      findings: hop.findings,
      works: works
    )
  }
}

extension HopAccount {
  /// The account as a part of a hop's verification.
  var check: VerificationReport.Check {
    var check = VerificationReport.Check(
      "account",
      "the objects, values and links of each entity are as many as the mapping makes",
      count: departures.reduce(0) { $0 + $1.count } + arrivals.reduce(0) { $0 + $1.count }
    )
    for line in broken {
      let greatest = line.greatest.map { line.least == $0 ? "" : " to \($0)" } ?? " or more"
      check.fail(
        .init(
          entity: line.entity,
          property: line.property,
          "\(line.count) \(line.kind.rawValue), where the mapping makes \(line.least)\(greatest)"
        )
      )
    }
    for line in unnamed {
      check.fail(
        .init(
          entity: line.entity,
          property: line.property,
          "\(line.count) \(line.kind.rawValue) are dropped, and no finding of the plan says so"
        )
      )
    }
    return check
  }
}
