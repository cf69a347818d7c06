#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A path in the file system, and the little that readers of models ask of it.
struct FilePath: Hashable, Sendable {
  /// What lies at a path, symbolic links followed.
  enum Kind: Hashable, Sendable {
    case file
    case folder
    /// A device, a pipe or a socket, which is never opened.
    case other
    case missing
  }

  /// What tells a folder from all others, whatever its paths.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let node: UInt64
  }

  /// The path without trailing slashes.
  let string: String

  init(_ string: String) {
    var text = string[...]
    while text.count > 1, text.hasSuffix("/") { text = text.dropLast() }
    self.string = String(text)
  }

  /// The last component.
  var name: String {
    string.split(separator: "/").last.map(String.init) ?? string
  }

  /// The last component without its extension.
  var stem: String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// What follows the name's last dot, or nothing.
  var fileExtension: String {
    let name = name
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The folder in which it lies.
  var parent: FilePath {
    guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return FilePath(slash == string.startIndex ? "/" : String(string[..<slash]))
  }

  func hasExtension(_ text: String) -> Bool { name.hasSuffix("." + text) }

  func appending(_ component: String) -> FilePath {
    FilePath(string == "/" ? "/" + component : string + "/" + component)
  }

  /// What lies here, symbolic links followed; a dangling link is missing.
  var kind: Kind { status?.kind ?? .missing }

  /// Which folder or file this is, or nil where there is none.
  var identity: Identity? { status?.identity }

  private var status: (kind: Kind, identity: Identity)? {
    var status = stat()
    guard unsafe stat(string, &status) == 0 else { return nil }
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    let identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      node: UInt64(truncatingIfNeeded: status.st_ino)
    )
    return (kind, identity)
  }

  /// The file's bytes.
  ///
  /// - Throws: ``ModelImportError`` where the file is missing, no plain file, or over the limit.
  func bytes(limit: Int) throws(ModelImportError) -> [UInt8] {
    // O_NONBLOCK: a pipe put in a model's place must not hang the reader.
    let descriptor = unsafe open(string, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    guard kind == .file else {
      throw ModelImportError(
        .notAModel,
        file: string,
        message: "This is not a plain file.",
        recovery: "Name a model."
      )
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw ModelImportError(
          .tooLarge,
          file: string,
          message: "The file is larger than \(limit >> 20) MiB.",
          recovery: "Models are far smaller; check that this is one."
        )
      }
      bytes += buffer[..<count]
    }
  }

  /// The names in a folder in byte order, and whether some were left out as they are not UTF-8.
  ///
  /// - Throws: ``ModelImportError`` where the folder cannot be read.
  func entries() throws(ModelImportError) -> (names: [String], hasUnreadableNames: Bool) {
    guard let folder = unsafe opendir(string) else { throw failure(errno) }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    var hasUnreadableNames = false
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else {
        guard errno == 0 else { throw failure(errno) }
        names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (names, hasUnreadableNames)
      }
      // The record may be shorter than its declared type, so the name is read where it stands.
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
        .assumingMemoryBound(to: CChar.self)
      guard let name = unsafe String(validatingCString: start) else {
        hasUnreadableNames = true
        continue
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// The error for a path where nothing lies.
  func missing() -> ModelImportError {
    ModelImportError(
      .missing,
      file: string,
      message: "There is no such file or folder.",
      recovery: "Check the path."
    )
  }

  private func failure(_ number: Int32) -> ModelImportError {
    if number == ENOENT || number == ENOTDIR { return missing() }
    let text = unsafe strerror(number).map { unsafe String(cString: $0) }
    return ModelImportError(
      .unreadable,
      file: string,
      message: "It cannot be read: \(text ?? "error \(number)").",
      recovery: "Check its permissions."
    )
  }
}
