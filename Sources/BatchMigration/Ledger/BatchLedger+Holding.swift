internal import Files
internal import Foundation
internal import StoreAccess
internal import Waystone

extension BatchLedger {
  /// Takes the right to claim stores, after giving back what dead holders had.
  ///
  /// - Parameter joining: Whether another living holder is welcome.
  /// - Throws: ``WaystoneError``, `inUse` where another lives and is not.
  package func hold(joining: Bool) throws -> LedgerHold {
    try connection.transaction {
      let living = try freeDeadHolders()
      if !joining, let other = living.first {
        throw WaystoneError(
          .inUse,
          "Another batch works with \(path) (process \(other.process) on \(other.host)).",
          recovery: "Wait until it ends, or join it with --join."
        )
      }
      // The path by which every process knows it: two names of a ledger have one folder. Made while others
      // must wait, so that a file without a row and a lock is that of a dead process.
      let hold = try LedgerHold(ledger: FileSystem.resolved(path))
      try connection.execute(
        "INSERT INTO holder (id, host, process, begun) VALUES (?, ?, ?, ?)",
        [
          .text(hold.id), .text(Host.name),
          .integer(Int64(ProcessInfo.processInfo.processIdentifier)),
          .real(Date().timeIntervalSince1970),
        ]
      )
      return hold
    }
  }

  /// Runs a closure while no other holder lives, and none can begin.
  func whileAlone(_ hold: borrowing LedgerHold, _ body: () throws -> Void) throws {
    try connection.transaction {
      let own = hold.id
      let others = try connection.integer("SELECT COUNT(*) FROM holder WHERE id <> ?", [.text(own)])
      if others == 0 { try body() }
    }
  }

  /// Gives the right up; stores that it still has wait again.
  package func end(_ hold: consuming LedgerHold) throws {
    let id = hold.id
    try connection.transaction { try free(id) }
  }

  /// Gives back what dead holders had, within a transaction, so that no two processes ask at once.
  ///
  /// - Returns: The holders that live.
  @discardableResult
  func freeDeadHolders() throws -> [(host: String, process: Int64)] {
    let ledger = try FileSystem.resolved(path)
    var living: [(String, Int64)] = []
    for row in try connection.rows("SELECT id, host, process FROM holder ORDER BY begun, id") {
      guard let id = row[0].text else { throw damaged("a holder has no name") }
      if try LedgerHold.isAlive(id, ledger: ledger) {
        living.append((row[1].text ?? "?", row[2].integer ?? 0))
      } else {
        try free(id)
        LedgerHold.removeFile(of: id, ledger: ledger)
      }
    }
    try LedgerHold.removeDeadFiles(ledger: ledger)
    // Rows of a holder that has no row itself: no process can prove that it lives.
    try connection.execute(
      "UPDATE store SET \(Self.waiting) "
        + "WHERE state = 'running' AND (holder IS NULL OR holder NOT IN (SELECT id FROM holder))"
    )
    return living
  }

  private func free(_ holder: String) throws {
    try connection.execute(
      "UPDATE store SET \(Self.waiting) WHERE state = 'running' AND holder = ?",
      [.text(holder)]
    )
    try connection.execute("DELETE FROM holder WHERE id = ?", [.text(holder)])
  }
}
