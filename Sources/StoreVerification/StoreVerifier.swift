package import ObjectModel
package import StoreAccess

/// The extent of a store's verification.
package enum VerificationScope: Hashable, Sendable {
  /// The whole store, which is verified alone.
  case store
  /// All but the checks of a ``ResultComparison`` of the same run, which cover most of the rows.
  case result
}

/// A comparison of a store with the model that it is expected to have.
package struct StoreVerifier {
  let database: String
  let schema: PhysicalSchema
  let scope: VerificationScope
  let real: StoreSchema
  let columns: [String: Set<String>]
  /// The objects that wait for a deferred cleanup, so that the model does not have them.
  let leftovers: Leftovers
  /// Whether a fetch index of the model that is not there is fatal: a hop makes all, an app need not have.
  var requiresIndexes = true

  /// Verifies a store on its own against a model.
  ///
  /// Structure (pages, tables, columns, indexes, triggers, entity numbers, version hashes, model cache,
  /// keys) is fatal where it is wrong. Faults that Core Data itself leaves behind or tolerates, such as
  /// stale indexes, dangling references and one-to-ones whose sides disagree, are counted and not
  /// fatal: measured on stores of public apps, which have them.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name of an attached database. Nothing is written.
  ///   - names: The known many-to-many names that the model does not decide.
  ///   - level: Whether SQLite's integrity check replaces the check of pages.
  ///   - scope: Whether rows and references are checked, too.
  ///   - requiresIndexes: Whether all fetch indexes of the model must exist. They are in no version
  ///     hash: an app whose version has one opens a store of a version without it unchanged.
  /// - Returns: A report; only on the damage, where the pages are damaged.
  /// - Throws: ``SQLiteError`` where a query fails, as when it is interrupted.
  package static func verify(
    _ connection: borrowing SQLiteConnection,
    schema: String,
    model: ManagedObjectModel,
    names: JoinNames,
    level: VerificationLevel,
    scope: VerificationScope = .store,
    requiresIndexes: Bool = true
  ) throws -> VerificationReport {
    try examine(
      connection,
      database: schema,
      schema: PhysicalSchema(model: model, names: names),
      level: level,
      scope: scope,
      leftovers: nil,
      requiresIndexes: requiresIndexes
    ).report
  }

  /// Verifies a store against a schema that is predicted already.
  ///
  /// - Parameters:
  ///   - leftovers: The objects that may be there although the model lacks them; nil for all, where
  ///     the store's metadata marks a deferred cleanup, and else for none.
  /// - Throws: ``SQLiteError``.
  package static func verify(
    _ connection: borrowing SQLiteConnection,
    database: String,
    schema: PhysicalSchema,
    level: VerificationLevel,
    scope: VerificationScope = .store,
    leftovers: Leftovers? = nil
  ) throws -> VerificationReport {
    try examine(
      connection,
      database: database,
      schema: schema,
      level: level,
      scope: scope,
      leftovers: leftovers
    ).report
  }

  /// Verifies a store against a schema, and returns the proof of its pages.
  ///
  /// - Parameter interest: The facts about rows to collect in the proof.
  /// - Throws: ``SQLiteError``.
  package static func examine(
    _ connection: borrowing SQLiteConnection,
    database: String,
    schema: PhysicalSchema,
    level: VerificationLevel,
    scope: VerificationScope,
    leftovers: Leftovers?,
    requiresIndexes: Bool = true,
    interest: PageVerification.Interest = .init()
  ) throws -> (report: VerificationReport, proof: PageVerification?) {
    guard level != .none else { return (VerificationReport(), nil) }
    let (pages, proof) = try pageCheck(
      connection,
      database: database,
      isFull: level == .full,
      interest
    )
    guard pages.passed else { return (VerificationReport(checks: [pages]), nil) }
    let real = try StoreSchema(of: connection, in: database)
    let verifier = StoreVerifier(
      database: database,
      schema: schema,
      scope: scope,
      real: real,
      columns: real.columnNames.mapValues(Set.init),
      leftovers: try leftovers ?? pending(connection, database, schema, real),
      requiresIndexes: requiresIndexes
    )
    var checks = [
      pages, try indexCheck(connection, database: database, isWhole: level == .full, proof),
    ]
    let encoding = try encodingCheck(connection)
    if !encoding.passed { checks.append(encoding) }
    checks += verifier.schemaChecks()
    checks += try verifier.metadataChecks(connection)
    checks.append(try verifier.greatestKeyCheck(connection))
    guard scope == .store else { return (VerificationReport(checks: checks), proof) }
    checks += try verifier.rowChecks(connection)
    checks += try verifier.referenceChecks(connection)
    checks.append(try verifier.inverseCheck(connection))
    checks.append(try verifier.orderCheck(connection))
    return (VerificationReport(checks: checks), proof)
  }

  /// Returns the objects beyond the model, where the metadata records that a cleanup is deferred.
  private static func pending(
    _ connection: borrowing SQLiteConnection,
    _ database: String,
    _ schema: PhysicalSchema,
    _ real: StoreSchema
  ) throws(StoreAccessError) -> Leftovers {
    do throws(StoreAccessError) {
      let metadata = try StoreMetadata(reading: connection, schema: database)
      return Leftovers(SchemaComparison(predicted: schema, real: real), markedIn: metadata)
    } catch {
      guard error.isOfContents else { throw error }
      return Leftovers()
    }
  }

  // MARK: Pages

  private static func pageCheck(
    _ connection: borrowing SQLiteConnection,
    database: String,
    isFull: Bool,
    _ interest: PageVerification.Interest
  ) throws(SQLiteError) -> (VerificationReport.Check, PageVerification?) {
    var check = VerificationReport.Check(
      "pages",
      isFull ? "SQLite's integrity_check of the file" : "the pages of the file are whole",
      count: 1
    )
    let faults = try connection.faults(in: database, isFull: isFull, interest: interest)
    check.count = Int64(max(1, faults.lines.count))
    for fault in faults.lines { check.fail(.init(fault)) }
    return (check, faults.proof)
  }

  /// - Parameter isWhole: Whether SQLite's integrity check found nothing, which reads every entry.
  private static func indexCheck(
    _ connection: borrowing SQLiteConnection,
    database: String,
    isWhole: Bool,
    _ proof: PageVerification?
  ) throws -> VerificationReport.Check {
    let result =
      isWhole
      ? try IndexCheck.Result(
        count: connection.count(
          "SELECT COUNT(*) FROM \(SQL.identifier(database)).sqlite_schema WHERE type = 'index'"
        )
      ) : try IndexCheck(database: database).run(on: connection, proof: proof)
    var check = VerificationReport.Check(
      "index-entries",
      "each index has an entry for each row of its table, in order",
      count: result.count
    )
    for fault in result.faults {
      check.fail(
        .init("the index \(fault.index) has not the entries of \(fault.table), or not in order")
      )
    }
    return check
  }

  /// Checks that text is in UTF-8, as in each store of Core Data; a migration carries no other.
  private static func encodingCheck(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> VerificationReport.Check {
    var check = VerificationReport.Check("text-encoding", "text is kept in UTF-8", count: 1)
    let encoding = try connection.text("PRAGMA encoding") ?? ""
    if encoding != "UTF-8" { check.fail(.init("text is kept in \(encoding)")) }
    return check
  }

  // MARK: Metadata

  private func metadataChecks(
    _ connection: borrowing SQLiteConnection
  ) throws -> [VerificationReport.Check] {
    var readable = VerificationReport.Check("metadata", "Z_METADATA can be read", count: 1)
    let metadata: StoreMetadata
    do throws(StoreAccessError) {
      metadata = try StoreMetadata(reading: connection, schema: database)
    } catch {
      guard error.isOfContents else { throw error }
      readable.fail(.init(error.message))
      return [readable]
    }
    return [
      readable, hashCheck(metadata), digestCheck(metadata),
      try modelCacheCheck(connection, metadata),
    ]
  }

  private func hashCheck(_ metadata: StoreMetadata) -> VerificationReport.Check {
    let expected = schema.model.entityVersionHashes
    var check = VerificationReport.Check(
      "version-hashes",
      "the version hash of each entity is the model's",
      count: Int64(expected.count)
    )
    let names = Set(expected.keys).union(metadata.versionHashes.keys)
    for name in names.sorted(by: ByteOrder.precedes) {
      switch (expected[name], metadata.versionHashes[name]) {
      case (_?, nil): check.fail(.init(entity: name, "the store has no hash of it"))
      case (nil, _?): check.fail(.init(entity: name, "the model has no such entity"))
      case (let model, let store) where model != store:
        check.fail(.init(entity: name, "the store has another hash"))
      default: break
      }
    }
    return check
  }

  private func digestCheck(_ metadata: StoreMetadata) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "version-digest",
      "the digest and checksum of the hashes, where the store has them, are the model's"
    )
    let pairs = [
      ("digest", metadata.versionHashesDigest, schema.model.versionHashesDigest),
      ("checksum", metadata.versionChecksum, schema.model.versionChecksum),
    ]
    for (name, real, expected) in pairs {
      guard let real else { continue }
      check.count += 1
      if real != expected { check.fail(.init("the store has another \(name)")) }
    }
    return check
  }

  private func modelCacheCheck(
    _ connection: borrowing SQLiteConnection,
    _ metadata: StoreMetadata
  ) throws -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "model-cache",
      "the model inside the store, where there is one, can be read and has the store's hashes"
    )
    let cached: ManagedObjectModel?
    do throws(StoreAccessError) {
      cached = try StoreContents(reading: connection, schema: database).cachedModel()
    } catch {
      guard error.isOfContents else { throw error }
      check.count = 1
      check.fail(.init(error.message))
      return check
    }
    guard let cached else { return check }
    check.count = 1
    guard cached.entityVersionHashes != metadata.versionHashes else { return check }
    let names = Set(cached.entityVersionHashes.keys).union(metadata.versionHashes.keys)
    for name in names.sorted(by: ByteOrder.precedes)
    where cached.entityVersionHashes[name] != metadata.versionHashes[name] {
      check.fail(.init(entity: name, "the model inside the store has another hash of it"))
    }
    return check
  }
}
