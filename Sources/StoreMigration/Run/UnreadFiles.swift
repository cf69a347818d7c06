import Files
import StoreAccess

/// The copies of logs and journals beside a store that SQLite does not read whole; they are kept
/// because closing the store deletes the originals.
struct UnreadFiles {
  /// A copy in the folder of backups.
  private struct Copy {
    let name: String
    /// Whether the lock takes the original away.
    let isOfHotJournal: Bool
    /// Whether this value made it; else an earlier run did.
    let isNew: Bool
  }

  private let store: StoreFiles
  private let files: WorkspaceFolder
  private var copies: [Copy] = []
  /// The status of each original when it was copied.
  private var seen: [FileStatus?] = []

  /// The names of the copies, in the folder of backups.
  var names: [String] { copies.map(\.name) }

  /// Finds such files beside a store that is replaced, and copies each into the folder of backups.
  ///
  /// - Parameter store: The path of the store, which this process does not have open.
  /// - Throws: ``MigrationError``, or `StoreAccessError` where a file cannot be read or copied: then the
  ///   store must not be opened.
  init(_ store: String, in files: WorkspaceFolder) throws {
    self.store = try StoreFiles(store: store)
    self.files = files
    try copyAll()
  }

  /// Returns the lock on the store, under which the copies are what the files were before it.
  ///
  /// - Throws: The error of the lock; no copy is left of files that still exist then. It also throws
  ///   the errors of ``init(_:in:)``.
  mutating func kept<Lock: ~Copyable>(
    onEvent: (MigrationEvent) -> Void,
    under lock: () throws -> Lock
  ) throws -> Lock {
    defer { for name in names { onEvent(.noted(Self.note(files.workspace.backups + "/" + name))) } }
    let held: Lock
    do { held = try lock() } catch {
      if try statuses() == seen {
        remove(copies)
        copies = []
      }
      throw error
    }
    try confirm()
    return held
  }

  /// Copies anew what a writer changed before the lock was taken.
  private mutating func confirm() throws {
    guard try statuses() != seen else { return }
    let stale = copies.filter { !$0.isOfHotJournal }
    copies.removeAll { !$0.isOfHotJournal }
    do { try copyAll() } catch {
      copies += stale
      throw error
    }
    remove(stale.filter { !names.contains($0.name) })
  }

  private mutating func copyAll() throws {
    seen = try statuses()
    let unread = try Self.files(beside: store)
    guard !unread.isEmpty else { return }
    let backups = try files.makeBackups()
    var made: [Copy] = []
    do {
      for file in unread {
        let earlier = try Self.copy(of: file.path, in: backups)
        let name = try earlier ?? Self.freeName(for: file.path, in: backups)
        if earlier == nil {
          try OpenFile(plainFile: file.path).copy(toNewFile: backups.path(of: name))
        }
        made.append(
          Copy(name: name, isOfHotJournal: file.isHotJournal, isNew: earlier == nil)
        )
      }
      try backups.synchronize()
    } catch {
      remove(made)
      throw error
    }
    copies += made
  }

  private func remove(_ copies: [Copy]) {
    guard let backups = try? files.existingBackups() else { return }
    for copy in copies where copy.isNew { _ = try? backups.remove(copy.name) }
  }

  private func statuses() throws -> [FileStatus?] {
    try [store.writeAheadLog, store.rollbackJournal].map {
      try FileSystem.status($0, followsLinks: false)
    }
  }

  private static func files(
    beside store: StoreFiles
  ) throws(StoreAccessError) -> [UnreadCompanions.File] {
    do {
      return try UnreadCompanions.files(beside: store)
    } catch {
      // A journal that is none, or a link: the store is refused for it where it is opened.
      guard error.isOfContents else { throw error }
      return []
    }
  }

  /// Returns the name of a copy that holds the same already.
  private static func copy(of path: String, in backups: Folder) throws -> String? {
    for name in try backups.names() where name.hasPrefix(Workspace.unreadPrefix) {
      guard try backups.status(of: name)?.kind == .file else { continue }
      let file = try OpenFile(plainFile: path)
      if try backups.open(reading: name).hasSameContents(as: file) { return name }
    }
    return nil
  }

  private static func freeName(for path: String, in backups: Folder) throws -> String {
    let name = FileSystem.name(of: path)
    let suffix = isJournal(name) ? journalSuffix : logSuffix
    var number = 1
    while true {
      let free =
        "\(Workspace.unreadPrefix)\(number)-\(name.utf8.count > 180 ? "store" + suffix : name)"
      if try backups.status(of: free) == nil { return free }
      number += 1
    }
  }
}

extension UnreadFiles {
  private static let (logSuffix, journalSuffix) = ("-wal", "-journal")

  private static func isJournal(_ path: String) -> Bool { path.hasSuffix(journalSuffix) }

  /// Returns a sentence for each such file beside a store that stays as it is.
  static func notes(beside store: String) throws -> [String] {
    try files(beside: StoreFiles(store: store)).map { file in
      isJournal(file.path)
        ? "\(file.path) is damaged: SQLite does not undo all of its transaction, of which the result may "
          + "hold a part"
        : "\(file.path) holds changes that SQLite does not read: the result lacks them"
    }
  }

  /// Returns the sentence on a copy.
  static func note(_ copy: String) -> String {
    (isJournal(copy)
      ? "a journal is damaged: SQLite does not undo all of its transaction, of which the store may hold a "
        + "part; kept as "
      : "a log held changes that SQLite does not read: the result lacks them; kept as ") + copy
  }
}
