import Files
import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

extension Run {
  /// The census of a file of the run: a hop starts from the census that the hop before left.
  struct CountedFile {
    /// The number of hops after which the file is as it is.
    let hop: Int
    let path: String
    let header: DatabaseHeader
    let size: Int64?
    let census: StoreCensus
  }

  /// Returns the census of a checkpoint; it is taken again only when the file's header changed, as
  /// it does with each commit.
  ///
  /// - Parameter hop: The number of hops that are done in it.
  mutating func census(
    of path: String,
    after hop: Int,
    _ schema: PhysicalSchema
  ) throws -> StoreCensus {
    let header = try DatabaseHeader(path: path)
    let size = try FileSystem.size(of: path)
    if let counted, counted.hop == hop, counted.path == path, counted.header == header,
      counted.size == size
    {
      return counted.census
    }
    let census = try census(
      of: SQLiteConnection(path: path, access: .quiescent),
      schema,
      isDigested: isCertified && hop == plan.hops.count
    )
    counted = CountedFile(hop: hop, path: path, header: header, size: size, census: census)
    return census
  }

  /// Returns the counts before a hop; before the first, those of the store, since the working copy
  /// is a copy of it.
  mutating func counts(
    of last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ schema: PhysicalSchema
  ) throws -> StoreCounts {
    guard last.event == .copied else {
      return StoreCounts(try census(of: last.file, after: last.hop, schema))
    }
    return StoreCounts(try census(of: source, schema))
  }

  /// Returns the census of the store, which is taken once.
  private mutating func census(
    of source: borrowing any MigrationSource & ~Copyable,
    _ schema: PhysicalSchema
  ) throws -> StoreCensus {
    if let countedSource { return countedSource }
    let isDigested = isCertified
    let census = try source.withConnection { connection in
      try self.census(of: connection, schema, isDigested: isDigested)
    }
    try source.checkUnchanged()
    countedSource = census
    return census
  }

  private func census(
    of connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema,
    isDigested: Bool
  ) throws -> StoreCensus {
    let cancellation = options.cancellation
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    defer { connection.removeProgress() }
    return try StoreCensus(
      of: connection,
      schema: schema,
      digesting: isDigested
        ? .init(externalData: try externalData, allowsMissingFiles: true) : nil,
      shouldContinue: { !cancellation.isRequested }
    )
  }

  /// Whether the run is to certify what it carried.
  var isCertified: Bool { journal.run?.settings.isCertified ?? false }

  /// Certifies the result, which was verified, beside the store.
  ///
  /// - Throws: ``MigrationError``, `verificationFailed` where the account of all hops is not balanced.
  mutating func certificate(
    _ last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> MigrationCertificate {
    let schemas = preflight.chain.schemas
    let before = try census(of: source, schemas[0])
    let after = try census(
      of: last.file,
      after: plan.hops.count,
      schemas[schemas.count - 1]
    )
    guard let first = before.digest, let result = after.digest else { throw lost }
    let total = HopReconciliation(
      of: plan.composedMapping,
      from: plan.source.name,
      to: plan.destination.name,
      before: StoreCounts(before),
      after: StoreCounts(after),
      hasCode: plan.hops.contains { !$0.mapping.policyNames.isEmpty },
      losesLinks: plan.hops.contains(where: losesLinks),
      losses: nil,
      changes: preflight.passes.changes(in: journal.accounts)
    )
    try require(VerificationReport(checks: [total.check]))
    return MigrationCertificate(
      source: try MigrationCertificate.Side(
        plan.source.name,
        plan.source.model,
        first,
        source.withConnection { try StoreIdentity(of: $0, schemas[0]) },
        dangling: before.danglingLinks
      ),
      result: try MigrationCertificate.Side(
        plan.destination.name,
        plan.destination.model,
        result,
        StoreIdentity(
          of: SQLiteConnection(path: last.file, access: .quiescent),
          schemas[schemas.count - 1]
        ),
        dangling: after.danglingLinks
      ),
      hops: journal.accounts,
      total: total,
      actions: Self.actions(preflight.passes),
      unexplained: plan.hops.isEmpty ? nil : preflight.unexplained.certified
    )
  }

  /// Returns the actions of each pass that has any, by the place of its account; nil where none has any.
  private static func actions(_ passes: [Pass]) -> [MigrationCertificate.Actions]? {
    let actions = passes.enumerated().compactMap { index, pass in
      let (before, after) = (pass.hop.mapping.actionsBefore, pass.hop.mapping.actionsAfter)
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
  /// - Throws: ``MigrationError``: `cannotCreate` where another file is in its place by now, `inUse` where
  ///   another process makes one there, `inputOutput` where it cannot be written; the run can be resumed.
  func writeCertificate() throws {
    guard let path = journal.run?.settings.certificate, let certificate = journal.certificate
    else { return }
    do {
      try certificate.write(to: path)
    } catch let error as FileError {
      let code: MigrationError.Code =
        switch error.code {
        case .exists: .cannotCreate
        case .inUse: .inUse
        default: .inputOutput
        }
      throw MigrationError(
        code,
        "The certificate cannot be written: \(error.message).",
        recovery: "Make room for \(path), and run `waystone resume`: the result is verified, and "
          + "takes its place once the certificate is written."
      )
    }
  }

  /// Returns whether an authored hop may leave out links without room at an end; its run reports them.
  private func losesLinks(_ hop: Hop) -> Bool {
    hop.kind == .authored && (journal.run?.settings.acceptsChangedValues ?? false)
  }

  /// Returns the reconciliation of a pass's mapping; actions before and after it are not part of it.
  func account(
    _ pass: Pass,
    before: StoreCounts,
    after: StoreCounts,
    works: [PolicyStatistics] = [],
    changes: [AcceptedChange] = []
  ) -> HopReconciliation {
    let hop = pass.hop
    return HopReconciliation(
      of: hop.mappingAlone,
      from: hop.source.name,
      to: hop.destination.name,
      through: pass.hops.dropLast().map(\.destination.name),
      before: before,
      after: after,
      hasCode: !hop.mapping.policyNames.isEmpty,
      losesLinks: losesLinks(hop),
      losses: DeclaredLosses(pass.hops),
      works: works,
      changes: changes
    )
  }
}

extension HopReconciliation {
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
