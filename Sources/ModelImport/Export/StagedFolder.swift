#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A folder that is made beside its place and moved there when it is complete.
struct StagedFolder {
  private let destination: FilePath
  private let staging: FilePath
  private var files: [FilePath] = []
  private var folders: [FilePath] = []

  /// Makes the folder under a hidden name.
  ///
  /// - Throws: ``ModelImportError`` where something lies at the destination, or its folder cannot be
  ///   written.
  init(for path: String) throws(ModelImportError) {
    let destination = FilePath(path)
    guard destination.kind == .missing else {
      throw Self.error(destination, "Something lies here already.", "Remove it, or name another.")
    }
    let slash = destination.string.lastIndex(of: "/")
    let parent = slash.map { destination.string[...$0] } ?? ""
    self.destination = destination
    staging = FilePath("\(parent).\(destination.name).\(getpid())")
    try create(staging)
  }

  /// Makes a folder inside.
  mutating func createFolder(_ name: String) throws(ModelImportError) {
    let isPlain = !name.isEmpty && !name.utf8.contains(0x2f) && !name.utf8.contains(0)
    guard isPlain, name != ".", name != ".." else {
      throw Self.error(destination, "A version's name is no name of a file.", "Rename it.")
    }
    try create(staging.appending(name))
  }

  /// Writes a file inside, and waits until it is on disk.
  mutating func write(_ text: String, to name: String) throws(ModelImportError) {
    let path = staging.appending(name)
    let descriptor = unsafe open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    files.append(path)
    defer { close(descriptor) }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Self.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path, errno) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw Self.failure(path, errno) }
  }

  /// Moves the folder to its place.
  mutating func finish() throws(ModelImportError) {
    guard unsafe rename(staging.string, destination.string) == 0 else {
      throw Self.failure(destination, errno)
    }
  }

  /// Removes what was made.
  func discard() {
    for file in files { _ = unsafe unlink(file.string) }
    for folder in folders.reversed() { _ = unsafe rmdir(folder.string) }
  }

  private mutating func create(_ folder: FilePath) throws(ModelImportError) {
    guard unsafe mkdir(folder.string, 0o777) == 0 else { throw Self.failure(folder, errno) }
    folders.append(folder)
  }

  private static func write(
    _ descriptor: Int32,
    _ bytes: UnsafeRawPointer?,
    _ count: Int
  ) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.write(descriptor, bytes, count)
    #else
      unsafe Glibc.write(descriptor, bytes, count)
    #endif
  }

  private static func failure(_ path: FilePath, _ number: Int32) -> ModelImportError {
    let text = unsafe strerror(number).map { unsafe String(cString: $0) }
    return error(
      path,
      "It cannot be written: \(text ?? "error \(number)").",
      "Name a folder that exists, can be written and has room."
    )
  }

  private static func error(
    _ path: FilePath,
    _ message: String,
    _ recovery: String
  ) -> ModelImportError {
    ModelImportError(.cannotCreate, file: path.string, message: message, recovery: recovery)
  }
}
