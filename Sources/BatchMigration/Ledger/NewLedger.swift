internal import Files
internal import Waystone

/// The place of a ledger that a command makes, which it takes away again where it is refused.
package struct NewLedger: Sendable {
  /// The ledger's path.
  package let path: String
  /// The folders that are made for it and for results, the innermost first.
  private let folders: [String]

  /// A ledger that is not there yet.
  ///
  /// - Parameters:
  ///   - path: Its absolute path.
  ///   - tree: The absolute path of the folder for results; nil where stores are migrated in place.
  /// - Throws: `FileError` where it cannot be known what is there.
  package init(at path: String, tree: String?) throws {
    self.path = path
    var missing: [String] = []
    var folder = tree ?? "/"
    while try FileSystem.status(folder) == nil {
      missing.append(folder)
      folder = FileSystem.folder(of: folder)
    }
    folders = missing
  }

  /// Throws if a folder for results is inside a searched root and contains files already: a search never
  /// reads that folder, and would pass over these files in silence.
  ///
  /// - Parameters:
  ///   - tree: Its absolute path.
  ///   - roots: The searched roots, as absolute paths.
  /// - Throws: ``WaystoneError``, `badArgument`; `FileError` where the folder cannot be read.
  package static func check(tree: String, within roots: [String]) throws {
    guard try FileSystem.status(tree)?.kind == .folder else { return }
    let names = try Folder(following: tree).names()
    // Parts of a batch share a tree.
    guard !names.isEmpty, !names.contains(where: { $0.hasSuffix(".waystone.sqlite") }) else {
      return
    }
    let real = try FileSystem.resolved(tree)
    for root in roots {
      guard try FileSystem.exists(root),
        SearchBoundary.lies(real, in: try FileSystem.resolved(root))
      else { continue }
      throw WaystoneError(
        .badArgument,
        "\(tree) lies in \(root), which is searched, and holds files already, which would not be looked at.",
        recovery: "Name an output that is new, or lies elsewhere."
      )
    }
  }

  /// Removes the ledger, the files beside it, and the folders that were made and are empty.
  ///
  /// Where another process has joined the batch meanwhile, all of it stays. Files that cannot be
  /// removed stay too: the reason for the command's refusal matters more.
  package func remove() {
    let holders = LedgerHold.folder(of: path)
    guard
      (try? FileSystem.exists(holders)) == false || (try? FileSystem.removeFolder(holders)) != nil
    else { return }
    for suffix in ["", "-wal", "-shm"] { _ = try? FileSystem.remove(path + suffix) }
    BatchFiles(ledger: path).tidy()
    removeFolders()
  }

  /// Removes the folders that were made and are empty.
  package func removeFolders() {
    for folder in folders { try? FileSystem.removeFolder(folder) }
  }
}
