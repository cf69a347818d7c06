internal import Files
internal import ObjectModel

/// A store that a batch was given.
package struct FoundStore: Hashable, Codable, Sendable {
  /// The store's name in reports: its path from the root that was named, with the root's own last name first.
  ///
  /// In an archive `old.zip/Documents/Notes.sqlite`, in a backup
  /// `Backup/AppDomain-com.example.app/Documents/Notes.sqlite`. No other store of a search has it.
  package var name: String
  /// The store's path in the output tree: below it, without `..`, and unique also where case and normal form
  /// do not count.
  package var destination: String
  /// The place of the store's bytes.
  package var place: StorePlace
  /// The bytes of the file and of its `-wal`.
  package var bytes: Int64
  /// The time of the last modification of the file or its `-wal`, in nanoseconds since 1970; nil where the
  /// place has no time.
  package var modified: Int64?
  /// The digest of the file's first bytes, see ``head(of:)``.
  package var head: String
  /// Whether the user named the very file, and not a folder, pattern or archive that contains it.
  package var isNamed: Bool
  /// The name that the store would have if no other store had it.
  ///
  /// Stores that share it are of one part of a batch, so that the ledger of that part can distinguish them.
  package var sharedName: String

  package init(
    name: String,
    destination: String,
    place: StorePlace,
    bytes: Int64,
    modified: Int64?,
    head: String,
    isNamed: Bool = false,
    sharedName: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.place = place
    self.bytes = bytes
    self.modified = modified
    self.head = head
    self.isNamed = isNamed
    self.sharedName = sharedName ?? name
  }

  /// The most bytes of a file that its head is the digest of.
  package static let headSize = 4096

  /// Returns the digest of a file's first bytes, at most 4,096, in hex; it identifies the file that was
  /// found.
  package static func head(of bytes: some Collection<UInt8>) -> String {
    Hexadecimal.string(SHA256.hash(bytes.prefix(headSize)))
  }

  /// Returns the ``head(of:)`` of the file at a path, whose links are not followed.
  ///
  /// It opens and closes the file, which drops the locks that this process holds on it.
  ///
  /// - Throws: `FileError`.
  package static func head(ofFile path: String) throws -> String {
    head(of: try OpenFile(plainFile: path).read(count: headSize, at: 0))
  }
}

/// The place of a store's bytes.
package enum StorePlace: Hashable, Codable, Sendable {
  /// A file of its own, at an absolute path; it may be migrated in place.
  case file(String)
  /// An archive: for each name beside the store, its own included, the path in the archive.
  case member(archive: String, files: [String: String])
  /// The backup of a device: for each name beside the store, its own included, the absolute path of the file
  /// that the backup keeps under a hash.
  case backup(folder: String, files: [String: String])
}

extension StorePlace {
  /// The name of the store's own file.
  ///
  /// Files beside it in the same folder have its name with a suffix.
  package var fileName: String {
    switch self {
    case .file(let path): FileSystem.name(of: path)
    case .member(_, let files), .backup(_, let files):
      files.keys.filter { !$0.contains("/") }.min { $0.utf8.count < $1.utf8.count } ?? ""
    }
  }
}
