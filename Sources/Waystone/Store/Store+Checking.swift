public import ObjectModel
internal import StoreAccess
public import StoreMigration

extension Store {
  /// Checks the store's file against its model: pages, tables, indexes, hashes, keys, references and
  /// order.
  ///
  /// The failures are in the report.
  ///
  /// - Parameters:
  ///   - models: The models; one of them has the store's hashes, unless the store carries its own.
  ///   - level: The extent of the check.
  /// - Throws: ``WaystoneError`` where the store cannot be read, or its model is not known.
  /// - Complexity: A few passes over the store.
  public func verify(
    in models: ModelArchive,
    level: VerificationLevel = .standard
  ) throws(WaystoneError) -> VerificationReport {
    try WaystoneError.converting {
      let path = try url.filePath
      return try StoreModel.verify(storeAt: path, shownAs: path, in: models, level: level).report
    }
  }

  /// Holds the store's objects against their model: required values, bounds, lengths, expressions,
  /// counts and uniqueness.
  ///
  /// Damage is in the report.
  ///
  /// - Throws: ``WaystoneError`` where the store cannot be read, or its model is not known.
  /// - Complexity: A few passes over the tables.
  public func validate(in models: ModelArchive) throws(WaystoneError) -> ValidationReport {
    try WaystoneError.converting {
      let path = try url.filePath
      return try StoreModel.validate(storeAt: path, shownAs: path, in: models).report
    }
  }

  /// Returns 64 hexadecimal digits that are equal where two stores have the same contents, even if the
  /// bytes of their files differ.
  ///
  /// - Throws: ``WaystoneError`` where the store cannot be read, or its model is not known.
  /// - Complexity: One pass over the tables and the files in which the store keeps large values.
  public func digest(in models: ModelArchive) throws(WaystoneError) -> String {
    try WaystoneError.converting {
      let path = try url.filePath
      return try StoreDigest(ofStoreAt: path, shownAs: path, in: models).digest.hash
    }
  }

  /// Removes the columns, tables and indexes that a deferred cleanup left; the original is kept.
  ///
  /// - Returns: The outcome, or nil where nothing was left to do.
  /// - Throws: ``WaystoneError``; the store then has its content.
  @discardableResult
  public func finishCleanup(
    in models: ModelArchive,
    _ options: MigrationOptions = MigrationOptions()
  ) throws(WaystoneError) -> MigrationOutcome? {
    try WaystoneError.converting {
      try options.checkURLs()
      let path = try url.filePath
      return try StorePlan(finishing: path, shownAs: path, in: models)?.run(options)
    }
  }
}
