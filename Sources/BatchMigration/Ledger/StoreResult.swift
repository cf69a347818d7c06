internal import Files
internal import StoreAccess

/// The result of a store, as a ledger knows it.
package struct StoreResult: Hashable, Sendable {
  /// The number of the store in the ledger.
  package var store: Int64
  /// The name of the store.
  package var name: String
  /// The absolute path of the result.
  package var path: String
  /// The path of the store in the output tree.
  var destination: String
  /// The path at which the run wrote the certificate, where another ledger had it.
  var origin: String?

  /// The absolute path of the folder below which the result has its destination; the result's own folder
  /// where it is called otherwise here than in the batch that made it.
  var tree: String {
    let end = Array("/\(destination)".utf8)
    guard path.utf8.reversed().starts(with: end.reversed()) else {
      return FileSystem.folder(of: path)
    }
    return String(decoding: path.utf8.dropLast(end.count), as: UTF8.self)
  }

  /// The path of the ledger whose batch made the result, and makes it again in its place; nil where that is
  /// the ledger that has the result, or is not there any more.
  var maker: String? {
    guard let ledger = origin.flatMap(BatchFiles.ledger(ofCertificate:)),
      (try? FileSystem.exists(ledger)) == true
    else { return nil }
    return ledger
  }
}

extension LedgerStore {
  /// The store's result, where there is one.
  var made: StoreResult? {
    result.map {
      StoreResult(
        store: id,
        name: found.name,
        path: $0,
        destination: found.destination,
        origin: origin
      )
    }
  }
}

extension BatchLedger {
  /// Returns the results that are gone from the output tree; none of stores that were replaced.
  ///
  /// - Parameter isStrict: Whether a place that cannot be read is an error, and not passed over.
  /// - Throws: `FileError`, `SQLiteError`.
  /// - Complexity: One system call for each migrated store.
  package func missingResults(isStrict: Bool) throws -> [StoreResult] {
    guard try description.output != nil else { return [] }
    let statement = try connection.prepare(
      """
      SELECT id, name, destination, result, origin FROM store
      WHERE state IN ('migrated', 'current') AND result IS NOT NULL ORDER BY id
      """
    )
    var missing: [StoreResult] = []
    while try statement.step() {
      guard let name = try statement.text(1), let destination = try statement.text(2),
        let path = try statement.text(3)
      else { throw damaged("store \(statement.int64(0)) lacks a value") }
      let place = relocation?.place(of: path) ?? path
      do throws(FileError) {
        guard try !FileSystem.exists(place) else { continue }
      } catch {
        if isStrict { throw error }
        continue
      }
      missing.append(
        StoreResult(
          store: statement.int64(0),
          name: name,
          path: place,
          destination: destination,
          origin: try statement.text(4)
        )
      )
    }
    return missing
  }
}
