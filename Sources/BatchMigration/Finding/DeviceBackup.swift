internal import Files
private import Foundation
internal import StoreAccess
internal import Waystone

/// The backup of a device by iTunes or the Finder: files under hashes, and a database of their names.
struct DeviceBackup: ~Copyable {
  /// A file of the device.
  struct File {
    /// The number under which the backup keeps it, 40 hexadecimal digits.
    var id: String
    var domain: String
    var path: String
  }

  private let folder: Folder
  private let connection: SQLiteConnection
  private let rows: SQLiteStatement

  /// Returns whether a folder with these names in it is such a backup.
  static func isBackup(_ names: [String]) -> Bool {
    names.contains("Manifest.plist")
      && (names.contains("Manifest.db") || names.contains("Manifest.mbdb"))
  }

  /// Returns whether a file is one that a backup keeps; only the manifest has its name and its `-wal`.
  ///
  /// - Throws: `FileError` where the files beside it cannot be examined.
  static func keeps(_ file: String, in folder: Folder) throws(FileError) -> Bool {
    guard isID(file) else { return false }
    if FileSystem.name(of: folder.path) == String(file.prefix(2)) { return true }
    for name in ["Manifest.plist", "Manifest.db", "Manifest.mbdb", "Status.plist", "Info.plist"] {
      if try folder.status(of: name) != nil { return true }
    }
    return false
  }

  /// The reason for which a file of a backup is not taken as a store.
  static let refusal =
    "It is a file of a device's backup, which keeps its -wal under another name: name the backup's folder, "
    + "with the Manifest.plist and the Manifest.db in it."

  /// Opens the backup in a folder.
  ///
  /// - Throws: ``WaystoneError``: `refused` where it is encrypted, or may be; `badFile` where it is of an
  ///   old form, or damaged; `inUse`.
  init(_ path: String, shownAs shown: String) throws(WaystoneError) {
    try Self.checkPlain(path, shown)
    do { self = try Self.open(path, shown) } catch {
      guard (error as? SQLiteError)?.code == .statement else { throw WaystoneError(error) }
      throw WaystoneError(
        .badFile,
        "\(shown)/Manifest.db has no list of the backup's files.",
        recovery: "Take the backup from where it was made."
      )
    }
  }

  private init(
    _ folder: Folder,
    _ connection: consuming SQLiteConnection,
    _ rows: consuming SQLiteStatement
  ) {
    self.folder = folder
    self.connection = connection
    self.rows = rows
  }

  private static func open(_ path: String, _ shown: String) throws -> DeviceBackup {
    let folder = try Folder(path)
    guard try folder.status(of: "Manifest.db") != nil else {
      throw WaystoneError(
        .badFile,
        "\(shown) is a backup of iOS 9 or older, which keeps its names in another form.",
        recovery: "Restore it to a device, and back that up anew; or name the files themselves."
      )
    }
    let database = folder.path(of: "Manifest.db")
    _ = try DatabaseHeader(path: database)
    let isFree = try QuiescenceProbe.ask(database) == .free
    let connection = try SQLiteConnection(
      path: database,
      access: isFree ? .quiescent : .readOnly
    )
    let rows = try connection.prepare(
      "SELECT fileID, domain, relativePath FROM Files WHERE flags = 1"
    )
    return DeviceBackup(folder, connection, rows)
  }

  /// Throws if a backup is encrypted, or does not state that it is not.
  private static func checkPlain(_ path: String, _ shown: String) throws(WaystoneError) {
    let file = "\(shown)/Manifest.plist"
    let bytes = try InputFile.bytes(of: "\(path)/Manifest.plist", shownAs: file, limit: 64 << 20)
    let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    guard let isEncrypted = (list as? [String: Any])?["IsEncrypted"] as? Bool else {
      throw WaystoneError(
        .badFile,
        "\(file) does not say whether the backup is encrypted.",
        recovery: "Take the backup from where it was made."
      )
    }
    guard !isEncrypted else {
      throw WaystoneError(
        .refused,
        "\(shown) is an encrypted backup.",
        recovery: "Make one without encryption, or decrypt it and name the folder."
      )
    }
  }

  /// Returns the next plain file of the device, in the order of the manifest; nil at its end.
  ///
  /// - Throws: `SQLiteError`. A row without the three texts is given with empty ones.
  func next() throws(SQLiteError) -> File? {
    guard try rows.step() else { return nil }
    func text(_ column: Int) -> String {
      if case .text(let text) = rows.value(column) { text } else { "" }
    }
    return File(id: text(0), domain: text(1), path: text(2))
  }

  /// Returns whether the manifest lists a file, of any domain of the device.
  func lists(_ id: String) throws(SQLiteError) -> Bool {
    try connection.integer("SELECT 1 FROM Files WHERE fileID = ?", [.text(id)]) != nil
  }

  /// Returns the numbers of the files that have a path in a domain.
  func ids(_ domain: String, _ path: String) throws(SQLiteError) -> [String] {
    try connection.rows(
      "SELECT fileID FROM Files WHERE domain = ? AND relativePath = ? AND flags = 1",
      [.text(domain), .text(path)]
    ).map { row in
      if case .text(let id)? = row.first { id } else { "" }
    }
  }

  /// Returns the files of a domain in a folder, which is given with a slash at its end.
  func files(_ domain: String, in folder: String) throws(SQLiteError) -> [File] {
    // The character after the slash.
    let end = String(folder.dropLast()) + "0"
    return try connection.rows(
      "SELECT fileID, relativePath FROM Files"
        + " WHERE domain = ? AND relativePath > ? AND relativePath < ? AND flags = 1",
      [.text(domain), .text(folder), .text(end)]
    ).compactMap { row in
      guard case .text(let id) = row[0], case .text(let path) = row[1] else { return nil }
      return File(id: id, domain: domain, path: path)
    }
  }

  /// Returns the folder of the backup that contains a file, held open; nil where the backup lacks the file.
  ///
  /// - Throws: `FileError`.
  func folder(of id: String) throws(FileError) -> Folder? {
    guard Self.isID(id) else { return nil }
    let part = String(id.prefix(2))
    if try folder.status(of: part)?.kind == .folder {
      let inner = try folder.folder(part)
      if try inner.status(of: id) != nil { return inner }
    }
    return try folder.status(of: id) == nil ? nil : folder
  }

  /// Returns whether a text is a number that backups give, and so the name of a file.
  static func isID(_ id: String) -> Bool {
    id.utf8.count == 40
      && id.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
