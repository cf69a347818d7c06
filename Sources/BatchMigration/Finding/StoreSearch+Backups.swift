internal import Files
internal import StoreAccess
internal import Waystone

extension StoreSearch {
  /// Searches the backup of a device in a folder.
  ///
  /// - Throws: ``Refusal`` where the backup cannot be read, and what the closure throws.
  mutating func search(
    backup path: String,
    _ rootName: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let backup: DeviceBackup
    do throws(WaystoneError) {
      backup = try DeviceBackup(path, shownAs: rootName)
    } catch {
      throw Refusal(error: error)
    }
    while true {
      let file: DeviceBackup.File?
      do throws(SQLiteError) { file = try backup.next() } catch {
        throw Refusal(error: WaystoneError(error))
      }
      guard let file else { break }
      tally.files += 1
      tally.others += 1
      try look(at: file, in: backup, path, rootName, body)
    }
    do throws(SQLiteError) { try tellUnlisted(path, rootName, in: backup) } catch {
      throw Refusal(error: WaystoneError(error))
    }
  }

  /// Reports databases in the folder of a backup that its manifest does not list, and whose names are
  /// therefore unknown.
  private mutating func tellUnlisted(
    _ path: String,
    _ rootName: String,
    in backup: borrowing DeviceBackup
  ) throws(SQLiteError) {
    var walk = FolderWalk(below: path, links: .reported)
    while let item = walk.next() {
      let entry: FolderWalk.Entry
      switch item {
      case .folder: continue
      case .gap(let path, let error):
        tellUnreadable(Self.joined(rootName, path), error)
        continue
      case .entry(let found): entry = found
      }
      guard entry.status?.kind == .file, entry.fullPath != "\(path)/Manifest.db",
        fence.place(of: entry.fullPath) == nil, try !backup.lists(entry.name)
      else { continue }
      let name = Self.joined(rootName, entry.path)
      do throws(FileError) {
        guard let head = try Self.head(of: entry.name, in: entry.folder)?.head,
          StoreFiles.mayBeStore(head)
        else { continue }
        tally.files += 1
        tally.add(
          ShownName.of(name),
          "It is a database that the manifest of the backup does not list."
        )
      } catch {
        tellUnreadable(name, error)
      }
    }
  }

  /// Looks at a file of the device, and hands it over where it is a store.
  private mutating func look(
    at file: DeviceBackup.File,
    in backup: borrowing DeviceBackup,
    _ root: String,
    _ rootName: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let shown = "\(rootName)/\(file.domain)/\(file.path)"
    let path: MemberPath
    do throws(MemberPath.Refusal) { path = try Self.path(of: file) } catch {
      tally.add(ShownName.of(shown), error.reason)
      return
    }
    if case .support = ArchiveListing.part(path) { return }
    do {
      guard let folder = try backup.folder(of: file.id),
        let found = try Self.head(of: file.id, in: folder)
      else {
        if StoreFiles.isNamedStore(path.name) {
          tally.add(ShownName.of(shown), "The backup lacks the file \(ShownName.of(file.id)).")
        }
        return
      }
      guard StoreFiles.mayBeStore(found.head) else {
        if case .other = ArchiveListing.part(path), let odd = Self.oddity(path.name, found.head) {
          tally.add(ShownName.of(shown), odd)
        }
        return
      }
      let store = try files(of: file, path, folder.path(of: file.id), in: backup)
      let place = StorePlace.backup(folder: root, files: store.files)
      tally.others -= store.files.count
      guard names.isNew(place) else { return }
      let bytes = found.status.size + (store.log?.size ?? 0)
      let modified = max(found.status.modified, store.log?.modified ?? .min)
      try Self.passing {
        try hand(over: place, shown, bytes, modified, found.head, body)
      }
    } catch let passed as Passed {
      throw passed.error
    } catch let refusal as Refusal {
      tally.add(ShownName.of(shown), refusal.error.message)
    } catch {
      tally.add(ShownName.of(shown), WaystoneError(error).description)
    }
  }

  /// A wrapper for an error that the caller's closure threw, so that it is not taken for an error of a file.
  private struct Passed: Error { var error: any Error }

  private static func passing(_ body: () throws -> Void) throws(Passed) {
    do { try body() } catch { throw Passed(error: error) }
  }

  private static func path(of file: DeviceBackup.File) throws(MemberPath.Refusal) -> MemberPath {
    let domain = try MemberPath(text: file.domain)
    guard domain.components.count == 1, !file.path.isEmpty else {
      throw MemberPath.Refusal(
        shownName: ShownName.of(file.path),
        reason: "It has no name in the manifest of the backup."
      )
    }
    let path = try MemberPath(text: file.path)
    return try MemberPath(text: "\(domain.text)/\(path.text)")
  }

  /// Returns the files of a store by their names beside it, and the status of its `-wal`.
  ///
  /// - Throws: ``Refusal`` where the backup lacks one without which the store has other contents.
  private func files(
    of store: DeviceBackup.File,
    _ path: MemberPath,
    _ place: String,
    in backup: borrowing DeviceBackup
  ) throws -> (files: [String: String], log: FileStatus?) {
    var files = [path.name: place]
    var log: FileStatus?
    for suffix in StoreFiles.companionSuffixes where suffix != "-shm" {
      let ids = try backup.ids(store.domain, store.path + suffix)
      guard let id = ids.first else { continue }
      guard ids.count == 1, let folder = try backup.folder(of: id),
        let status = try folder.status(of: id), status.kind == .file
      else {
        throw Refusal(
          error: WaystoneError(
            .badFile,
            "It is refused, as the backup lacks its \(suffix), or has several.",
            recovery: "Take the store from another backup."
          )
        )
      }
      files[path.name + suffix] = folder.path(of: id)
      if suffix == "-wal" { log = status }
    }
    let beside = "\(StoreFiles.supportName(of: path.name))/\(ExternalFolder.name)/"
    let parent = store.path.utf8.dropLast(FileSystem.name(of: store.path).utf8.count)
    for file in try backup.files(store.domain, in: String(Substring(parent)) + beside) {
      let name = FileSystem.name(of: file.path)
      // The migration reports missing files: the store has a list of its files.
      guard file.path.utf8.elementsEqual((String(Substring(parent)) + beside + name).utf8),
        let folder = try backup.folder(of: file.id)
      else { continue }
      files[beside + name] = folder.path(of: file.id)
    }
    return (files, log)
  }
}
