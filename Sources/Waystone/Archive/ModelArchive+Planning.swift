public import Foundation
public import MigrationPlanning
public import ObjectModel
public import StoreMigration

extension ModelArchive {
  /// Reads the models at or below a path: an `.xcdatamodeld`, the `.momd` of an app, or a folder, which may
  /// hold Swift sources with `@Model` classes too.
  ///
  /// Versions are in the natural order of their names; assign ``VersionedModel/versions``
  /// to change that.
  ///
  /// A version whose file cannot be understood is an error among the findings, and one of its model's
  /// ``VersionedModel/unreadable`` ones.
  /// - Throws: ``WaystoneError``, which names the file and line that cannot be read, where no version can.
  /// - Complexity: O(*n*) in the bytes of the models, which are read side by side.
  public init(contentsOf url: URL) throws(WaystoneError) {
    self = try WaystoneError.converting {
      var archive = try ReadModels(url.filePath).archive
      archive.reviewOrder()
      return archive
    }
  }

  /// Returns the version that a store is of, by the hashes of its entities.
  public func identify(_ store: Store) -> VersionIdentification {
    VersionIdentification(
      storeHashes: store.versionHashes,
      versions: versions,
      storeModel: store.carriedModel
    )
  }

  /// Plans the shortest safe path of a store to a version, by the models, the mappings beside them and
  /// the rows of the store.
  ///
  /// The store is only read. The options have the accepted losses and the policies that it may call.
  ///
  /// - Throws: ``WaystoneError``: `noPath` where no path leads there that the options allow, with the
  ///   reasons in ``WaystoneError/findings``; `unknownStoreVersion`; or the error of a file that cannot
  ///   be read.
  public func plan(
    for store: Store,
    to version: VersionName = .current,
    _ options: MigrationOptions = MigrationOptions()
  ) throws(WaystoneError) -> StorePlan {
    try WaystoneError.converting {
      try StorePlan(for: store, to: version, in: self, options: options)
    }
  }

  /// Plans the shortest safe path from one version to another, for no store in particular.
  ///
  /// - Throws: ``WaystoneError``: `noPath` where no path leads there that the options allow, with the
  ///   reasons in ``WaystoneError/findings``; `unknownVersion`; or the error of a mapping that cannot
  ///   be read.
  public func plan(
    from start: VersionName,
    to version: VersionName = .current,
    _ options: MigrationOptions = MigrationOptions()
  ) throws(WaystoneError) -> MigrationPlan {
    try WaystoneError.converting {
      let mapped = try MappedArchive(self).binding(options.mappings, options.edges)
      // A name that no version has is never taken for a store's path.
      for name in start.text.split(separator: ",") { _ = try mapped.names.version(String(name)) }
      return try PlanningRequest(
        from: start.text,
        to: version.text,
        in: mapped,
        resolved: { $0 }
      ).plan(options: options)
    }
  }
}
