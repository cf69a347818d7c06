internal import MigrationReporting
internal import StoreAccess
internal import Waystone

extension StoreDigest {
  /// Reads a store without changing it.
  ///
  /// - Throws: ``WaystoneError`` where its model is not known, and `StoreAccessError` where it cannot
  ///   be read, and where it was changed meanwhile.
  init(of path: String, in project: Project) throws {
    try self.init(ofStoreAt: project.folder.resolved(path), shownAs: path, in: project.archive)
  }

  /// Returns the digest in the form of reports.
  func side(_ path: String) -> DigestReport {
    DigestReport(
      store: path,
      version: model.label,
      isRecovered: model.isRecovered,
      hash: digest.hash,
      entities: digest.entities.map {
        DigestReport.Entity(
          name: $0.name,
          rows: $0.rowCount,
          hash: $0.hash,
          missingFiles: $0.missingFileCount
        )
      }
    )
  }
}
