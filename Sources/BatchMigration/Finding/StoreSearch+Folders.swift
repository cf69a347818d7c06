internal import Files
internal import StoreAccess
internal import Waystone

extension StoreSearch {
  /// Searches all files below a folder, whose path has no links.
  ///
  /// - Throws: ``Refusal`` where the folder itself cannot be read or is a backup that is refused, and what
  ///   the closure throws.
  mutating func search(
    folder root: String,
    _ rootName: String,
    shownAs shown: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    var walk = FolderWalk(below: root, links: .reported)
    if let output = fence.outputFolder { visited.insert(output) }
    walk.visited = visited
    defer { visited = walk.visited }
    // In byte order a store comes before what is called like it.
    var stores: Set<String> = []
    while let item = walk.next() {
      switch item {
      case .folder(let folder, let path, let entries):
        stores = []
        if !path.isEmpty {
          outputs.merge(results(of: folder.path, entries.compactMap(\.name))) { $1 }
        }
        if fence.place(of: folder.path) != nil
          || !path.isEmpty
            && (Self.isWorkspace(folder.path, entries.compactMap(\.name))
              || Self.isFetched(folder.path))
        {
          walk.skipFolder()
        } else if DeviceBackup.isBackup(entries.compactMap(\.name)) {
          walk.skipFolder()
          let name = Self.joined(rootName, path)
          do { try search(backup: folder.path, name, body) } catch let refusal as Refusal {
            guard !path.isEmpty else { throw refusal }
            tally.add(ShownName.of(name), "\(refusal.error.message) \(refusal.error.recovery)")
          }
        }
      case .gap(let path, let error):
        guard !path.isEmpty else { throw Refusal(error: InputFile.unreadable(shown, error)) }
        tellUnreadable(Self.joined(rootName, path), error)
      case .entry(let entry):
        let name = Self.joined(rootName, entry.path)
        if try look(at: entry, name, below: root, stores, body) { stores.insert(entry.name) }
      }
    }
  }

  /// Returns whether a folder is where a migration keeps its files, the original of a replaced store among
  /// them.
  private static func isWorkspace(_ folder: String, _ names: [String]) -> Bool {
    folder.hasSuffix(Workspace.suffix) && names.contains { Workspace.marks.contains($0) }
  }

  /// Returns whether a path leads through such a folder.
  ///
  /// - Throws: ``Refusal`` where that cannot be known.
  static func leadsIntoWorkspace(_ path: String) throws(Refusal) -> Bool {
    var folder = FileSystem.folder(of: path)
    do throws(FileError) {
      while folder.utf8.count > 1 {
        if folder.hasSuffix(Workspace.suffix), try Workspace.isWorkspace(folder) { return true }
        folder = FileSystem.folder(of: folder)
      }
    } catch {
      throw Refusal(error: InputFile.unreadable(path, error))
    }
    return false
  }

  /// Returns the results of other batches whose output tree is a folder, or was moved there.
  ///
  /// A ledger in the folder lists them. Results are no sources; other files there may be. Another program may
  /// have written the ledger, and it is trusted for its own folder alone.
  ///
  /// - Returns: The results by path. Where the ledger was moved since it was made, each has its size in
  ///   bytes: a file of another size is not that result.
  private func results(of folder: String, _ names: [String]) -> [String: Int64?] {
    var results: [String: Int64?] = [:]
    for name in names where name.hasPrefix("batch") && name.hasSuffix(".waystone.sqlite") {
      let path = "\(folder)/\(name)"
      // Our own ledger is not opened again: closing it would drop the locks that this process has on it.
      guard fence.place(of: path) == nil, let status = try? FileSystem.status(path),
        status.kind == .file, !fence.isLedger(status),
        let connection = try? SQLiteConnection(path: path, access: .quiescent),
        (try? LedgerSchema.current.check(connection, path: path)) != nil,
        let output = try? connection.text("SELECT output FROM batch")
      else { continue }
      let relocation = try? LedgerRelocation(of: connection, at: path)
      guard output == folder || relocation?.to == folder else { continue }
      // A ledger does not have yet the results that its batch made right before it was killed.
      let rows = try? connection.rows(
        "SELECT IFNULL(result, ? || '/' || destination), result_bytes FROM store "
          + "WHERE state IN ('migrated', 'current', 'running')",
        [.text(output)]
      )
      for row in rows ?? [] {
        guard let path = row[0].text.map({ relocation?.place(of: $0) ?? $0 }),
          SearchBoundary.lies(path, in: folder), relocation == nil || row[1].integer != nil
        else { continue }
        results[path] = .some(relocation == nil ? nil : row[1].integer)
      }
    }
    return results
  }

  /// Returns whether a folder is where a batch unpacks stores of archives, beside its ledger.
  private static func isFetched(_ folder: String) -> Bool {
    guard folder.hasSuffix(BatchFiles.fetchedEnding) else { return false }
    let ledger = String(folder.dropLast(BatchFiles.fetchedEnding.count))
    guard
      let head = try? OpenFile(plainFile: ledger).read(count: FoundStore.headSize, at: 0)
    else { return false }
    return StoreFiles.isLedger(head)
  }

  /// Looks at an item that is no folder.
  ///
  /// - Returns: Whether it is a store, or the result of another batch.
  private mutating func look(
    at entry: FolderWalk.Entry,
    _ name: String,
    below root: String,
    _ stores: Set<String>,
    _ body: (FoundStore) throws -> Void
  ) throws -> Bool {
    guard fence.place(of: entry.fullPath) == nil, let status = entry.status else { return false }
    if let bytes = outputs[entry.fullPath], bytes == nil || bytes == status.size { return true }
    tally.files += 1
    var store: (head: [UInt8], status: FileStatus)?
    do throws(FileError) {
      if let reason = try oddity(of: entry, status, below: root, stores, &store) {
        tally.add(ShownName.of(name), reason)
      }
    } catch {
      tellUnreadable(name, error)
    }
    if let store { return try take(entry.name, in: entry.folder, name, store, body) }
    if !isCompanion(entry.name, stores) { tally.others += 1 }
    return false
  }

  /// Returns the oddity of an entry that is no folder; nil where it has none.
  ///
  /// - Parameter store: Receives the first bytes of a file that is a store.
  private func oddity(
    of entry: FolderWalk.Entry,
    _ status: FileStatus,
    below root: String,
    _ stores: Set<String>,
    _ store: inout (head: [UInt8], status: FileStatus)?
  ) throws(FileError) -> String? {
    switch status.kind {
    case .file where fence.isLedger(status):
      return "It is the ledger of the batch under another name."
    case .file:
      guard let found = try Self.head(of: entry.name, in: entry.folder) else { return nil }
      if StoreFiles.mayBeStore(found.head) {
        store = found
        return nil
      }
      guard !isCompanion(entry.name, stores) else { return nil }
      let log = Self.oddity(ofStrayLog: entry.name, found.head, size: status.size)
      // Beside a ledger, or a store that is encrypted, it is not alone.
      if log != nil, try entry.folder.status(of: String(entry.name.dropLast(4))) != nil {
        return nil
      }
      return log ?? Self.oddity(entry.name, found.head)
    case .link: return try oddity(ofLink: entry, below: root)
    case .folder, .other:
      return StoreFiles.isNamedStore(entry.name) ? "It is a pipe, a socket or a device." : nil
    }
  }

  /// Returns whether a file is what SQLite keeps beside a store of the same folder.
  private func isCompanion(_ name: String, _ stores: Set<String>) -> Bool {
    StoreFiles.companionSuffixes.contains {
      name.hasSuffix($0) && stores.contains(String(name.dropLast($0.count)))
    }
  }

  /// Returns the oddity of a link, which is not followed; nil where it has none.
  private func oddity(
    ofLink entry: FolderWalk.Entry,
    below root: String
  ) throws(FileError) -> String? {
    guard let target = try FileSystem.status(entry.fullPath) else {
      return StoreFiles.isNamedStore(entry.name) ? "It is a link that leads nowhere." : nil
    }
    let path = try FileSystem.resolved(entry.fullPath)
    if let place = fence.place(of: path) { return "It is a link that leads to \(place)." }
    // Targets below the root are found by themselves.
    if SearchBoundary.lies(path, in: root) { return nil }
    switch target.kind {
    case .folder: return Self.leadsOut
    case .file:
      let begin = try OpenFile(plainFile: path).read(count: DatabaseHeader.magic.count, at: 0)
      let isStore = StoreFiles.isNamedStore(entry.name) || DatabaseHeader.begins(begin)
      return isStore ? Self.leadsOut : nil
    case .link, .other: return nil
    }
  }

  private static let leadsOut =
    "It is a link that leads out of the folder, and is not followed: name what it leads to."

  static func joined(_ root: String, _ path: String) -> String {
    root.isEmpty || path.isEmpty ? root + path : "\(root)/\(path)"
  }
}
