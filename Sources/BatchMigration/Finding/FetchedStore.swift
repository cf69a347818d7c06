internal import Files
internal import StoreAccess
internal import Waystone

/// A store that is being copied from an archive or a backup into a folder of its own.
struct FetchedStore {
  let store: FoundStore
  private let parent: Folder
  private let folderName: String
  private var folder: Folder?
  private var external: Folder?
  /// The files that are still to come, by their names beside the store.
  private var missing: Set<String>
  /// Bytes of the store and of its `-wal` so far.
  private var bytes: Int64 = 0
  private var failure: WaystoneError?

  /// Makes the folder of a store.
  init(_ store: FoundStore, named name: String, in parent: Folder) {
    self.store = store
    self.parent = parent
    folderName = name
    switch store.place {
    case .file: missing = []
    case .member(_, let files), .backup(_, let files): missing = Set(files.keys)
    }
    do {
      try parent.createFolder(name)
      folder = try parent.folder(name)
      guard !missing.isEmpty else { throw unexpected("it lies in a file of its own") }
    } catch {
      failure = WaystoneError(error)
    }
  }

  /// Writes one of the files, under its name beside the store.
  ///
  /// - Parameter next: Gives the next bytes; none at the end.
  /// - Throws: Rethrows the errors of `next`. Any other failure is the store's.
  mutating func write(
    _ name: String,
    size: Int64,
    _ next: () throws -> ArraySlice<UInt8>
  ) throws {
    guard failure == nil else { return }
    do {
      let file = try create(name, size)
      var written: Int64 = 0
      while true {
        let piece: ArraySlice<UInt8>
        do { piece = try next() } catch { throw Passed(error: error) }
        if piece.isEmpty { break }
        written += Int64(piece.count)
        guard written <= size else { throw unexpected("it is longer than it was") }
        try file.write(piece)
      }
      guard written == size else { throw unexpected("it is shorter than it was") }
    } catch let passed as Passed {
      throw passed.error
    } catch {
      failure = WaystoneError(error)
    }
  }

  private struct Passed: Error { var error: any Error }

  /// Copies the files of a backup, cloned where the file system can.
  mutating func copy(_ files: [String: String]) {
    for (name, path) in files.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard failure == nil else { return }
      do {
        let source = try OpenFile(plainFile: path)
        let size = try source.status().size
        let file = try create(name, size)
        try source.copy(into: file) { true }
        guard try file.status().size == size else { throw unexpected("it is longer than it was") }
      } catch {
        failure = WaystoneError(error)
      }
    }
  }

  /// Returns the path of the store's file where it is complete and unchanged since it was found; else the
  /// error, after its files were removed.
  mutating func finish() -> Result<String, WaystoneError> {
    do {
      if let failure { throw failure }
      guard let folder, missing.isEmpty else {
        throw unexpected("a file of it is missing: \(missing.min().map(ShownName.of) ?? "")")
      }
      guard bytes == store.bytes else {
        throw unexpected("it and its -wal have \(bytes) bytes, and had \(store.bytes)")
      }
      let name = store.place.fileName
      let head = try folder.open(reading: name).read(count: FoundStore.headSize, at: 0)
      guard FoundStore.head(of: head) == store.head else {
        throw unexpected("its first page differs")
      }
      return .success(folder.path(of: name))
    } catch {
      discard()
      return .failure(WaystoneError(error))
    }
  }

  /// Removes what was written of the store.
  mutating func discard() {
    // A file that cannot be removed is in a folder that is removed as a whole.
    guard let folder else { return }
    if let external {
      for name in (try? external.names()) ?? [] { _ = try? external.remove(name) }
    }
    for name in (try? folder.names()) ?? [] where StoreFiles.isSupportFolder(name) {
      _ = try? folder.folder(name).removeFolder(ExternalFolder.name)
      _ = try? folder.removeFolder(name)
    }
    for name in (try? folder.names()) ?? [] { _ = try? folder.remove(name) }
    _ = try? parent.removeFolder(folderName)
    self.folder = nil
  }

  /// Makes one of the files, for this user alone.
  private mutating func create(_ name: String, _ size: Int64) throws -> OpenFile {
    guard let folder, missing.remove(name) != nil else {
      throw unexpected("\(name) is there twice")
    }
    let own = store.place.fileName
    guard let path = try? MemberPath(text: name), path.text.utf8.elementsEqual(name.utf8) else {
      throw unexpected("\(ShownName.of(name)) is no name beside a store")
    }
    if path.components.count == 1 {
      if name == own || name == own + "-wal" {
        bytes += size
        guard bytes <= store.bytes else { throw unexpected("it is longer than it was") }
      } else if name != own + "-journal" {
        throw unexpected("\(ShownName.of(name)) is no part of a store")
      }
      return try folder.open(creating: name)
    }
    let support = StoreFiles.supportName(of: own)
    guard path.components.count == 3, path.components[0] == support,
      path.components[1] == ExternalFolder.name
    else { throw unexpected("\(ShownName.of(name)) is no part of a store") }
    if external == nil {
      try folder.createFolder(support)
      let inner = try folder.folder(support)
      try inner.createFolder(ExternalFolder.name)
      external = try inner.folder(ExternalFolder.name)
    }
    guard let external else { throw unexpected("its folder is gone") }
    return try external.open(creating: path.name)
  }

  private func unexpected(_ reason: String) -> WaystoneError {
    WaystoneError(
      .mismatch,
      "\(store.name) is not what was found: \(reason).",
      recovery: "Search again, as the archive or the backup was changed; or free the folder of it."
    )
  }
}
