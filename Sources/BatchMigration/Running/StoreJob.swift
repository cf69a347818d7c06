/// A worker's job on one store.
package struct StoreJob: Codable, Hashable, Sendable {
  /// The kind of a job.
  package enum Deed: String, Codable, Hashable, Sendable {
    /// Bring it to the version wanted, or go on with that.
    case migrate
    /// Forecast the migration, and write nothing.
    case plan
    /// Hold the result against its certificate.
    case verify
    /// Hold the source against the certificate of its result.
    case compare
    /// Put the original back.
    case rollback

    /// Whether it needs the certificate of the result.
    var readsCertificate: Bool { self == .verify || self == .compare }
  }

  /// The store's number in the ledger.
  package var id: Int64
  /// The kind of the job.
  package var deed = Deed.migrate
  /// The store's name in reports.
  package var name: String
  /// The absolute path of its file.
  package var store: String
  /// The absolute path of the folder for results; nil where the store is replaced.
  package var tree: String?
  /// The path of the result in that folder.
  package var destination: String
  /// The absolute path where its certificate is, or is to be; for a rollback, where the run that is undone
  /// wrote its own.
  package var certificate: String

  /// A job that migrates a store.
  package init(
    id: Int64,
    name: String,
    store: String,
    tree: String?,
    destination: String,
    certificate: String
  ) {
    self.id = id
    self.name = name
    self.store = store
    self.tree = tree
    self.destination = destination
    self.certificate = certificate
  }

  /// The absolute path of the result; nil where the store is replaced.
  package var output: String? { tree.map { "\($0)/\(destination)" } }
}
