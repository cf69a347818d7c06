import Files
import ObjectModel
import StoreAccess
import StoreVerification

/// The readable content of a damaged store, in a file of its own; the store is not changed.
///
/// Reading the same store again gives the same file, so that a resumed run makes it anew.
struct SalvagedSource: MigrationSource, ~Copyable {
  private let original: RestingSource
  private let file: PrivateCopy
  private let connection: SQLiteConnection
  let salvage: SalvageAccount?

  /// Reads all that can be read of a store.
  ///
  /// - Parameters:
  ///   - faults: The lines of SQLite's check of the store.
  ///   - model: The model of the store's version.
  ///   - scratchFolder: The folder in which the file's private folder is made.
  init(
    _ original: consuming RestingSource,
    faults: [String],
    model: ManagedObjectModel,
    scratchFolder: String,
    cancellation: Cancellation
  ) throws {
    let file = try PrivateCopy(emptyIn: scratchFolder)
    let salvage = StoreSalvage(faults: faults, cancellation: cancellation)
    var account = try original.withConnection { try salvage.copy($0, to: file.store) }
    let connection = try SQLiteConnection(path: file.store, access: .quiescent)
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    account.countLinks(try StoreVerifier.danglingLinks(in: connection, model))
    connection.removeProgress()
    self.init(original: original, file: file, connection: connection, salvage: account)
  }

  private init(
    original: consuming RestingSource,
    file: PrivateCopy,
    connection: consuming SQLiteConnection,
    salvage: SalvageAccount
  ) {
    self.original = original
    self.file = file
    self.connection = connection
    self.salvage = salvage
  }

  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value {
    try body(connection)
  }

  var usesWriteAheadLog: Bool { original.usesWriteAheadLog }

  borrowing func identity() throws -> StoreFileIdentity { try original.identity() }

  borrowing func settle() {}

  borrowing func checkUnchanged() throws { try original.checkUnchanged() }

  borrowing func returnToWriteAheadLogMode() {}

  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws {
    guard shouldContinue() else { throw Cancellation.interrupted }
    try FileSystem.copy(file.store, toNewFile: path)
  }
}
