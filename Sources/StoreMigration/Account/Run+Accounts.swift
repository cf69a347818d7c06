import Files
import MigrationPlanning
import ObjectModel
import StoreAccess

extension Run {
  /// What a file of the run held when it was counted: a hop finds what the one before left.
  struct CountedFile {
    /// The number of hops after which the file is as it is.
    let hop: Int
    let path: String
    let header: DatabaseHeader
    let size: Int64?
    let counts: StoreCounts
  }

  /// What a checkpoint holds; it is not counted again while its header, which each commit changes, is
  /// the same.
  ///
  /// - Parameter hop: The number of hops that are done in it.
  mutating func counts(
    of path: String,
    after hop: Int,
    _ schema: PhysicalSchema
  ) throws -> StoreCounts {
    let header = try DatabaseHeader(path: path)
    let size = try FileSystem.size(of: path)
    if let counted, counted.hop == hop, counted.path == path, counted.header == header,
      counted.size == size
    {
      return counted.counts
    }
    let counts = try count(SQLiteConnection(path: path, access: .quiescent), schema)
    counted = CountedFile(hop: hop, path: path, header: header, size: size, counts: counts)
    return counts
  }

  /// What a hop finds: the working copy is a copy like any other, so that what counts is the store.
  mutating func counts(
    of last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ schema: PhysicalSchema
  ) throws -> StoreCounts {
    guard last.event == .copied else {
      return try counts(of: last.file, after: last.hop, schema)
    }
    if let countedSource { return countedSource }
    let counts = try source.withConnection { try count($0, schema) }
    try source.checkUnchanged()
    countedSource = counts
    return counts
  }

  private func count(
    _ connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema
  ) throws -> StoreCounts {
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
  mutating func certificate(
    _ last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> MigrationCertificate {
    let schemas = preflight.chain.schemas
    let (before, first) = try source.withConnection {
      (
        try countedSource ?? count($0, schemas[0]),
        try side(of: $0, schemas[0], plan.source)
      )
    }
    try source.checkUnchanged()
    let schema = schemas[schemas.count - 1]
    let after = try counts(of: last.file, after: plan.hops.count, schema)
    let result = try side(
      of: SQLiteConnection(path: last.file, access: .quiescent),
      schema,
      plan.destination
    )
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
      losses: nil,
      changes: preflight.passes.changes(in: journal.accounts)
    )
    try require(VerificationReport(checks: [total.check]))
    return MigrationCertificate(
      source: first,
      result: result,
      hops: journal.accounts,
      total: total,
      actions: Self.actions(preflight.passes),
      unexplained: plan.hops.isEmpty ? nil : preflight.unexplained.certified
    )
  }

  /// The passes with actions, each by the place of its account; nil where none has any.
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

  /// What a database says, as a digest.
  private func side(
    of connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema,
    _ version: VersionNode
  ) throws -> MigrationCertificate.Side {
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
    return MigrationCertificate.Side(version.name, version.model, digest)
  }

  /// Whether a hop that a person wrote may leave links out for which an end has no room, which its run
  /// counted and told.
  private func losesLinks(_ hop: Hop) -> Bool {
    hop.kind == .authored && (journal.run?.settings.acceptsChangedValues ?? false)
  }

  /// The account of a pass's mapping; what actions do before and after it is in none.
  func account(
    _ pass: Pass,
    before: StoreCounts,
    after: StoreCounts,
    works: [PolicyWork] = [],
    changes: [AcceptedChange] = []
  ) -> HopAccount {
    let hop = pass.hop
    return HopAccount(
      of: hop.mappingAlone,
      from: hop.source.name,
      to: hop.destination.name,
      through: pass.hops.dropLast().map(\.destination.name),
      before: before,
      after: after,
      hasCode: !hop.mapping.policyNames.isEmpty,
      losesLinks: losesLinks(hop),
      losses: NamedLosses(pass.hops),
      works: works,
      changes: changes
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
