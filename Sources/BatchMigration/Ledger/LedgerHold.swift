internal import Files
internal import Foundation
internal import Waystone

/// A dispatcher's right to claim stores of a ledger, which ends with its process.
///
/// The system's advisory lock on a file of its own (`<ledger>.holders/<id>`) distinguishes live processes
/// from dead ones, also where a process was killed.
package struct LedgerHold: ~Copyable {
  /// The name that rows of the ledger have for it.
  package let id: String
  private let file: OpenFile

  /// Makes the file of a new holder and takes its lock.
  init(ledger: String) throws {
    let folder = Self.folder(of: ledger)
    try FileSystem.ensureFolder(folder)
    let id = UUID().uuidString.lowercased()
    let file = try OpenFile(creating: "\(folder)/\(id)")
    guard try file.tryLock() else {
      throw WaystoneError(
        .inUse,
        "\(folder)/\(id) was just made, and another process has locked it.",
        recovery: "Run the command again."
      )
    }
    self.id = id
    self.file = file
  }

  deinit {
    // Given up by name, as a worker that is just being started has a copy of the descriptor.
    file.unlock()
    // The file is only litter, which the next holder removes too.
    _ = try? FileSystem.remove(file.path)
  }

  /// Returns whether the process of a holder lives.
  ///
  /// - Throws: `FileError` where that cannot be known, which is then not "no".
  static func isAlive(_ id: String, ledger: String) throws -> Bool {
    guard UUID(uuidString: id) != nil else { return false }
    let path = "\(folder(of: ledger))/\(id)"
    do throws(FileError) {
      let file = try OpenFile(plainFile: path)
      guard try file.tryLock() else { return true }
    } catch {
      if error.code == .missing { return false }
      throw error
    }
    return false
  }

  /// Removes what a dead holder left.
  static func removeFile(of id: String, ledger: String) {
    guard UUID(uuidString: id) != nil else { return }
    _ = try? FileSystem.remove("\(folder(of: ledger))/\(id)")
  }

  /// Removes what holders left that died before the ledger knew them.
  static func removeDeadFiles(ledger: String) throws {
    guard try FileSystem.exists(folder(of: ledger)) else { return }
    for id in try FileSystem.names(inFolder: folder(of: ledger))
    where try UUID(uuidString: id) != nil && !isAlive(id, ledger: ledger) {
      removeFile(of: id, ledger: ledger)
    }
  }

  /// Returns the folder of the files of a ledger's holders.
  static func folder(of ledger: String) -> String { ledger + ".holders" }
}
