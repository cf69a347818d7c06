import Files
import StoreAccess

/// The logs and journals beside a store that SQLite does not read in full, and the copies that are
/// kept of them, since closing the store deletes them.
struct UnreadFiles {
  /// Sentences for the report, each with the path of a file.
  private(set) var notes: [String] = []
  private var made: [String] = []
  private let backups: Folder?

  /// Looks for such files, and copies each into the folder of backups.
  ///
  /// - Parameters:
  ///   - store: The path of the store, which this process has not open.
  ///   - isKept: Whether copies are made, as for a store that is replaced.
  /// - Throws: ``MigrationError``, or `StoreAccessError` where a file cannot be read or copied: then
  ///   nothing may open the store.
  init(_ store: String, isKept: Bool, in files: WorkspaceFolder) throws {
    let unread: [String]
    do throws(StoreAccessError) {
      unread = try UnreadCompanions.paths(beside: StoreFiles(store: store))
    } catch {
      // A journal that is none, or a link: the store is refused for it where it is opened.
      guard error.isOfContents else { throw error }
      unread = []
    }
    guard isKept else {
      notes = unread.map { path in
        "\(path) holds changes that SQLite does not read: the result lacks them"
      }
      backups = nil
      return
    }
    backups = unread.isEmpty ? try files.existingBackups() : try files.makeBackups()
    guard let backups else { return }
    do {
      for path in unread {
        let name = try Self.kept(path, in: backups) ?? Self.freeName(for: path, in: backups)
        if try backups.status(of: name) == nil {
          let copy = backups.path(of: name)
          try OpenFile(plainFile: path).copy(toNewFile: copy)
          made.append(name)
        }
      }
      try backups.synchronize()
    } catch {
      remove()
      throw error
    }
    // Those too that a run which died has kept.
    notes = try backups.names().filter { $0.hasPrefix(Workspace.unreadPrefix) }.map { name in
      "a log or journal held changes that SQLite does not read: the result lacks them; kept as "
        + backups.path(of: name)
    }
  }

  private func remove() {
    for name in made { _ = try? backups?.remove(name) }
  }

  /// The name of a copy that holds the same already.
  private static func kept(_ path: String, in backups: Folder) throws -> String? {
    for name in try backups.names() where name.hasPrefix(Workspace.unreadPrefix) {
      guard try backups.status(of: name)?.kind == .file else { continue }
      let file = try OpenFile(plainFile: path)
      if try backups.open(reading: name).hasSameContents(as: file) { return name }
    }
    return nil
  }

  private static func freeName(for path: String, in backups: Folder) throws -> String {
    let name = FileSystem.name(of: path)
    var number = 1
    while true {
      let free = "\(Workspace.unreadPrefix)\(number)-\(name.utf8.count > 180 ? "store" : name)"
      if try backups.status(of: free) == nil { return free }
      number += 1
    }
  }
}
