internal import Files
private import Foundation
internal import StoreAccess
package import Waystone

/// A search for the stores of a batch, root after root.
///
/// A store is found by the first bytes of its file, never by its name, and handed over at once: nothing
/// is kept of a file that is none. Nothing is written, and no link is followed.
package struct StoreSearch {
  /// The options of a search, beside its roots.
  package struct Options: Hashable, Sendable {
    /// The folder where results go, or nil where stores are migrated in place.
    package var output: String?
    /// The file in which the batch keeps its books.
    package var ledger: String?
    /// The folder that relative paths start from.
    package var folder: WorkingFolder
    /// The limits on the contents of archives.
    package var limits = ArchiveLimits()
    /// The folders where programs are, with colons between.
    package var searchPath: String

    package init(
      output: String?,
      ledger: String?,
      folder: WorkingFolder,
      searchPath: String? = nil
    ) {
      self.output = output
      self.ledger = ledger
      self.folder = folder
      self.searchPath =
        searchPath ?? ProcessInfo.processInfo.environment["PATH"]
        ?? "/usr/local/bin:/usr/bin:/bin"
    }
  }

  /// The reason why a root, or what a pattern or a manifest names, is not searched.
  struct Refusal: Error { var error: WaystoneError }

  let options: Options
  let fence: SearchBoundary
  var names = StoreNames()
  var visited: Set<FolderWalk.Identity> = []
  var tally = SearchTally()
  /// The results of other batches that were found, by path, with their size where only that identifies them.
  var outputs: [String: Int64?] = [:]
  /// Whether the root was named itself, and does not come from a pattern.
  var isNamed = false

  /// A search that has found nothing yet.
  ///
  /// - Throws: ``WaystoneError`` where the output or the ledger cannot be distinguished from other files.
  package init(_ options: Options) throws(WaystoneError) {
    self.options = options
    fence = try WaystoneError.converting { try SearchBoundary(options) }
    for name in fence.filesInOutput { names.reserve(file: name) }
  }

  /// Keeps for a store that an earlier search found what it is called, also where this one finds it; no
  /// other gets its name or its destination.
  package mutating func reserve(_ store: FoundStore) { names.reserve(store) }

  /// Searches a root that the user named, a folder, a store, an archive, a device's backup, or a pattern of
  /// these (`*`, `?`, `[…]`, and `**` for any folders), and passes each store to a closure.
  ///
  /// - Throws: ``WaystoneError``: `missingFile` where there is nothing; `badArgument` where the root is in
  ///   the output tree, or there is no program to read an archive with; `refused` for an encrypted backup.
  ///   Rethrows the errors of the closure.
  package mutating func search(
    _ root: String,
    _ body: (FoundStore) throws -> Void
  ) throws -> SearchTally {
    tally = SearchTally()
    guard !root.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "The path of what is to be searched is empty.",
        recovery: "Name a store, a folder, an archive or a backup; `.` is the working folder."
      )
    }
    let path = options.folder.resolved(root)
    do {
      if try InputFile.exists(path, shownAs: root) {
        let name = try WaystoneError.converting { try rootName(path) }
        isNamed = true
        defer { isNamed = false }
        try search(at: path, name: name, shownAs: root, body)
      } else if let pattern = PathPattern(path) {
        try search(pattern, shownAs: root, body)
      } else {
        throw WaystoneError(
          .missingFile,
          "There is no \(root).",
          recovery: "Name a store, a folder, an archive or a backup."
        )
      }
    } catch let refusal as Refusal {
      throw refusal.error
    }
    return tally
  }

  /// Returns the name of a root in reports: its last component, or that of the folder that a path such as
  /// `..` leads to.
  func rootName(_ path: String) throws(FileError) -> String {
    let name = FileSystem.name(of: Self.trimmed(path))
    guard ["", ".", ".."].contains(name) else { return name }
    return FileSystem.name(of: try FileSystem.resolved(path))
  }

  private static func trimmed(_ path: String) -> String {
    var path = Substring(path)
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") {
      path = Substring(path.utf8.dropLast())
    }
    return String(path)
  }

  /// Searches what is at a path.
  ///
  /// - Parameters:
  ///   - name: The start of the names of stores.
  ///   - shown: The path that errors show.
  /// - Throws: ``Refusal``, and the errors of the closure.
  mutating func search(
    at path: String,
    name: String,
    shownAs shown: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let real: String
    let status: FileStatus?
    do {
      real = try FileSystem.resolved(path)
      status = try FileSystem.status(real)
    } catch {
      throw Refusal(error: InputFile.unreadable(shown, error))
    }
    if let place = fence.place(of: real) {
      throw Refusal(
        error: WaystoneError(
          .badArgument,
          "\(shown) lies in \(place), where the batch itself writes.",
          recovery: "Name stores that lie elsewhere, or another output."
        )
      )
    }
    switch status?.kind {
    case .folder: try search(folder: real, name, shownAs: shown, body)
    case .file: try search(file: real, name, shownAs: shown, body)
    case .link, .other:
      throw Refusal(
        error: WaystoneError(
          .badFile,
          "\(shown) is a pipe, a socket or a device.",
          recovery: "Name a store, a folder, an archive or a backup."
        )
      )
    case nil:
      throw Refusal(
        error: WaystoneError(
          .missingFile,
          "There is no \(shown).",
          recovery: "Check the path."
        )
      )
    }
  }

  /// Searches a file that was named itself: a store or an archive.
  private mutating func search(
    file path: String,
    _ name: String,
    shownAs shown: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let folder: Folder
    let found: (head: [UInt8], status: FileStatus)?
    do {
      folder = try Folder(following: FileSystem.folder(of: path))
      found = try Self.head(of: FileSystem.name(of: path), in: folder)
    } catch {
      throw Refusal(error: InputFile.unreadable(shown, error))
    }
    guard let found else { return }
    if !DatabaseHeader.begins(found.head), ArchiveReader.isArchive(found.head) {
      return try search(archive: path, name, body)
    }
    tally.files += 1
    if try !take(FileSystem.name(of: path), in: folder, name, found, isNamed: isNamed, body) {
      tally.others += 1
      tally.add(
        name,
        DatabaseHeader.begins(found.head)
          ? "It is the ledger of a batch."
          : "It is no SQLite database, and no archive of a known form."
      )
    }
  }

  // MARK: Stores

  /// Returns the first bytes of a plain file, and its status; nil where it is gone.
  static func head(
    of name: String,
    in folder: Folder
  ) throws(FileError) -> (head: [UInt8], status: FileStatus)? {
    do throws(FileError) {
      let file = try folder.open(reading: name)
      return (try file.read(count: FoundStore.headSize, at: 0), try file.status())
    } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  /// Passes a file on where it is a store that this search has not found yet.
  ///
  /// - Returns: Whether it is one.
  mutating func take(
    _ file: String,
    in folder: Folder,
    _ name: String,
    _ found: (head: [UInt8], status: FileStatus),
    isNamed: Bool = false,
    _ body: (FoundStore) throws -> Void
  ) throws -> Bool {
    guard StoreFiles.mayBeStore(found.head) else { return false }
    let place = StorePlace.file(folder.path(of: file))
    guard names.isNew(place) else { return true }
    var (bytes, modified) = (found.status.size, found.status.modified)
    do throws(FileError) {
      if try DeviceBackup.keeps(file, in: folder) {
        tally.add(ShownName.of(name), DeviceBackup.refusal)
        return true
      }
      if let log = try folder.status(of: file + "-wal"), log.kind == .file {
        bytes += log.size
        modified = max(modified, log.modified)
      }
    } catch {
      tally.add(ShownName.of(name), "What lies beside it cannot be examined: \(error.reason).")
      return true
    }
    try hand(over: place, name, bytes, modified, found.head, isNamed: isNamed, body)
    return true
  }

  /// Names a store, and hands it over.
  mutating func hand(
    over place: StorePlace,
    _ name: String,
    _ bytes: Int64,
    _ modified: Int64?,
    _ head: [UInt8],
    isNamed: Bool = false,
    _ body: (FoundStore) throws -> Void
  ) throws {
    // A result is of the SQLite kind, and its name must not state another.
    let ending = OtherStoreKind(head) == .xml ? "sqlite" : nil
    let (unique, destination) = names.add(name, place, ending: ending)
    try body(
      FoundStore(
        name: unique,
        destination: destination,
        place: place,
        bytes: bytes,
        modified: modified,
        head: FoundStore.head(of: head),
        isNamed: isNamed,
        sharedName: ShownName.of(name)
      )
    )
  }

  /// Notes a file or a folder that cannot be read.
  mutating func tellUnreadable(_ name: String, _ error: FileError) {
    tally.add(ShownName.of(name), "It cannot be read: \(error.reason). \(error.recovery)")
  }

  /// Returns the oddity of a write-ahead log of SQLite that has no store beside it; nil where the file is no
  /// such log.
  ///
  /// - Parameter size: The bytes of the file; a log without pages has at most 32.
  static func oddity(ofStrayLog name: String, _ head: [UInt8], size: Int64) -> String? {
    // The format's own numbers (sqlite.org/fileformat2.html#the_write_ahead_log).
    guard name.hasSuffix("-wal"), size > 32, head.starts(with: [0x37, 0x7f, 0x06]) else {
      return nil
    }
    return strayLog
  }

  static let strayLog =
    "It is a -wal file, and the store of that name is not beside it. What it holds is not migrated."

  /// Returns the oddity of a file that is no database, from its name and its first bytes; nil where it has
  /// none.
  static func oddity(_ name: String, _ head: [UInt8]) -> String? {
    if DatabaseHeader.begins(head) { return nil }
    // A file that macOS puts beside one that it copies ("AppleDouble").
    if name.hasPrefix("._"), head.starts(with: [0, 5, 22, 7]) { return nil }
    if StoreFiles.isNamedStore(name) {
      if DatabaseHeader.isCompressed(head) {
        return "It is named as a store, and is compressed by gzip. Decompress it: gzip -d."
      }
      return head.isEmpty
        ? "It is named as a store, and is empty."
        : OtherStoreKind(head).map {
          "It is \($0.words), and Waystone reads the SQLite and the XML kind."
        }
          ?? "It is named as a store, and is no SQLite database, or it is encrypted."
    }
    if ArchiveReader.isNamedOtherArchive(name) {
      return
        "A batch cannot open archives or compressed files of this form. Unpack it, and name the folder."
    }
    guard ArchiveReader.isNamedArchive(name) else { return nil }
    guard ArchiveReader.isArchive(head) else {
      return "Its name is that of an archive, but its contents are not. It may be damaged."
    }
    return
      "It is an archive, and archives are opened only where they are named themselves, or by a "
      + "pattern."
  }
}
