package import Files

/// The folder `_EXTERNAL_DATA`, in which Core Data keeps large values of a store as files.
///
/// Neither it nor the support folder above it nor a file in it may be a link: what a link leads to is
/// not the store's.
package struct ExternalFolder: ~Copyable {
  /// The name of the folder in a store's support folder.
  package static let name = "_EXTERNAL_DATA"

  /// The folder itself, held open.
  package let folder: Folder

  /// Opens the folder, or gives nil where there is none.
  ///
  /// - Parameter path: As `StoreFiles.externalData` gives it; an empty one is no folder.
  /// - Throws: ``FileError``; `notPlain` where a link or a file is in its place.
  package static func open(_ path: String) throws(FileError) -> ExternalFolder? {
    guard !path.isEmpty else { return nil }
    do throws(FileError) {
      let support = try Folder(FileSystem.folder(of: path))
      return ExternalFolder(folder: try support.folder(FileSystem.name(of: path)))
    } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  /// Opens one of the files for reading, or gives nil where there is none.
  ///
  /// - Throws: ``FileError``; `notPlain` where a link, a folder, a pipe or a device has the name.
  package borrowing func file(_ name: String) throws(FileError) -> OpenFile? {
    do throws(FileError) { return try folder.open(reading: name) } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  /// Returns whether a plain file has a name.
  package borrowing func hasFile(_ name: String) throws(FileError) -> Bool {
    try folder.status(of: name)?.kind == .file
  }
}

/// The contents of a store's support folder.
package struct ExternalContents: Hashable, Sendable {
  /// An item that Core Data does not put there.
  package struct Oddity: Hashable, Sendable {
    /// The name from the support folder; bytes that are not UTF-8 are replaced.
    package var name: String
    /// The kind of the thing: "a symbolic link".
    package var kind: String
  }

  /// The bytes of each plain file of `_EXTERNAL_DATA`, by name.
  package var files: [String: Int64] = [:]
  /// The other entries.
  package var oddities: [Oddity] = []

  /// The bytes of all files.
  package var bytes: Int64 {
    files.values.reduce(0) { sum, size in
      let (sum, overflow) = sum.addingReportingOverflow(size)
      return overflow ? .max : sum
    }
  }

  /// Makes an empty folder.
  package init() {}

  /// Lists what is there, and opens no file.
  ///
  /// - Parameter path: The folder of external files, as `StoreFiles.externalData` gives it.
  /// - Throws: ``FileError`` where it cannot be listed.
  package init(ofFolder path: String) throws(FileError) {
    guard !path.isEmpty else { return }
    let place = FileSystem.folder(of: path)
    switch try FileSystem.status(place, followsLinks: false)?.kind {
    case nil: return
    case .folder: break
    case let kind?:
      oddities.append(Oddity(name: FileSystem.name(of: place), kind: Self.words(kind)))
      return
    }
    let support = try Folder(place)
    for entry in try support.entries() {
      let kind = try entry.name.map { name throws(FileError) in
        try support.status(of: name)?.kind
      }
      guard entry.name == FileSystem.name(of: path), kind == .folder else {
        oddities.append(Oddity(name: entry.shownName, kind: Self.words(kind ?? nil)))
        continue
      }
      try list(support.folder(FileSystem.name(of: path)))
    }
  }

  private mutating func list(_ folder: borrowing Folder) throws(FileError) {
    for entry in try folder.entries() {
      guard let name = entry.name else {
        oddities.append(Oddity(name: entry.shownName, kind: Self.words(nil)))
        continue
      }
      guard let status = try folder.status(of: name) else { continue }
      if status.kind == .file {
        files[name] = status.size
      } else {
        oddities.append(Oddity(name: entry.shownName, kind: Self.words(status.kind)))
      }
    }
  }

  private static func words(_ kind: FileStatus.Kind?) -> String {
    switch kind {
    case .file: "a file outside \(ExternalFolder.name)"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .other: "a pipe, a socket or a device"
    case nil: "a name that is not UTF-8"
    }
  }
}
