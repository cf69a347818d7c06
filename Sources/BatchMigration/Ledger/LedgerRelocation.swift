internal import Files
internal import Foundation
internal import StoreAccess
internal import Waystone

/// The move of an output tree with its ledger: from the path that the ledger records to its present path.
struct LedgerRelocation: Hashable, Sendable {
  /// The option of a description that keeps the ledger's path from the output tree.
  static let option = "ledger"

  /// The absolute path that the tree had.
  let from: String
  /// The absolute path that it has.
  let to: String

  /// The move since a ledger was made; nil where it is in its place, or was never in its output tree.
  ///
  /// - Parameter schema: `main`, or the name of the database as which the ledger is attached.
  /// - Throws: `FileError` where the ledger cannot be examined.
  init?(
    of connection: borrowing SQLiteConnection,
    _ schema: String = "main",
    at path: String
  ) throws {
    let table = SQL.identifier(schema, "batch")
    guard let row = try connection.rows("SELECT output, options FROM \(table)").first,
      let output = row[0].text, let text = row[1].text,
      let options: [String: String] = try? LedgerJSON.value(text),
      let place = options[Self.option], BatchLedger.isBelow(place)
    else { return nil }
    let ledger = try FileSystem.resolved(path)
    guard ledger.hasSuffix("/" + place) else { return nil }
    let tree = String(ledger.dropLast(place.count + 1))
    guard tree != output, !tree.isEmpty else { return nil }
    (from, to) = (output, tree)
  }

  /// Returns the path of a new ledger relative to an output tree; nil where its place is elsewhere.
  static func place(ofLedger path: String, in output: String?) throws -> String? {
    let ledger = try FileSystem.canonical(path)
    guard let output, ledger.hasPrefix(output + "/") else { return nil }
    return String(ledger.dropFirst(output.count + 1))
  }

  /// Maps a path recorded in the ledger to its present path; a path outside the moved tree stays as it is.
  func place(of path: String) -> String {
    path.hasPrefix(from + "/") ? to + path.dropFirst(from.count) : path
  }
}

extension BatchLedger {
  /// Updates the recorded paths of the ledger and its output tree, where both were moved, and returns the
  /// ledger.
  ///
  /// - Throws: ``WaystoneError``, `inUse` where another batch works with the ledger, by another path;
  ///   `SQLiteError`.
  consuming func settled() throws -> BatchLedger {
    guard let relocation else { return self }
    try connection.transaction {
      guard try connection.integer("SELECT COUNT(*) FROM holder") ?? 0 <= 1 else {
        throw WaystoneError(
          .inUse,
          "Another batch works with \(path), and knows its folder as \(relocation.from).",
          recovery: "Wait until it ends, or use that path here too."
        )
      }
      try connection.execute("UPDATE batch SET output = ?", [.text(relocation.to)])
      try connection.execute(
        "UPDATE store SET result = ?1 || substr(result, length(?2) + 1) "
          + "WHERE substr(result, 1, length(?2) + 1) = ?2 || '/'",
        [.text(relocation.to), .text(relocation.from)]
      )
    }
    return try BatchLedger(opening: path)
  }
}
