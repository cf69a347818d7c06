import Files

/// A path in the file system, and the little that readers of models ask of it.
struct FilePath: Hashable, Sendable {
  /// The kind of a path's file, symbolic links followed.
  enum Kind: Hashable, Sendable {
    case file
    case folder
    /// A device, a pipe or a socket, which is never opened.
    case other
    case missing
  }

  /// The identity of a file or folder, the same for all its paths.
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

  /// The name's part after its last dot, or nothing.
  var fileExtension: String {
    let name = name
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The folder that contains it.
  var parent: FilePath {
    guard let slash = string.utf8.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return FilePath(slash == string.startIndex ? "/" : String(string[..<slash]))
  }

  func hasExtension(_ text: String) -> Bool { name.hasSuffix("." + text) }

  func appending(_ component: String) -> FilePath {
    FilePath(string == "/" ? "/" + component : string + "/" + component)
  }

  /// The kind of the file, symbolic links followed; a dangling link is missing, and one that leads
  /// in a circle is never opened.
  ///
  /// - Throws: ``ModelImportError``, `unreadable` where that cannot be known: a file that cannot be
  ///   seen may be a version.
  var kind: Kind {
    get throws(ModelImportError) {
      do throws(FileError) {
        return switch try FileSystem.status(string)?.kind {
        case .file: .file
        case .folder: .folder
        case .link, .other: .other
        case nil: .missing
        }
      } catch {
        if error.code == .notAFolder { return .missing }
        if error.isCircle { return .other }
        throw failure(error)
      }
    }
  }

  /// The identity of the folder or file, or nil where there is none.
  ///
  /// - Throws: ``ModelImportError``, `unreadable` where that cannot be known.
  var identity: Identity? {
    get throws(ModelImportError) {
      do throws(FileError) {
        return try FileSystem.status(string).map { Identity(device: $0.device, node: $0.inode) }
      } catch {
        throw failure(error)
      }
    }
  }

  /// Returns the file's bytes.
  ///
  /// - Throws: ``ModelImportError`` where the file is missing, no plain file, or over the limit.
  func bytes(limit: Int) throws(ModelImportError) -> [UInt8] {
    do throws(FileError) {
      // A pipe or device put in a model's place is not opened, and read as a link leads.
      let path = try FileSystem.resolved(string)
      let file = try OpenFile(plainFile: path, limit: Int64(limit))
      return try file.read(count: Int(file.status().size), at: 0)
    } catch {
      switch error.code {
      case .notPlain:
        throw ModelImportError(
          .notAModel,
          file: string,
          message: "This is not a plain file.",
          recovery: "Name a model."
        )
      case .tooLarge:
        throw ModelImportError(
          .tooLarge,
          file: string,
          message: "The file is larger than \(limit >> 20) MiB.",
          recovery: "Models are far smaller; check that this is one."
        )
      default: throw failure(error)
      }
    }
  }

  /// Returns the names in a folder in byte order, and whether some were left out as they are not UTF-8.
  ///
  /// - Throws: ``ModelImportError`` where the folder cannot be read.
  func entries() throws(ModelImportError) -> (names: [String], hasUnreadableNames: Bool) {
    do throws(FileError) {
      let entries = try FileSystem.entries(ofFolder: string)
      let names = entries.compactMap(\.name)
      return (names, names.count < entries.count)
    } catch {
      throw failure(error)
    }
  }

  /// Returns the error for a path without a file.
  func missing() -> ModelImportError {
    ModelImportError(
      .missing,
      file: string,
      message: "There is no such file or folder.",
      recovery: "Check the path."
    )
  }

  private func failure(_ error: FileError) -> ModelImportError {
    if error.code == .missing || error.code == .notAFolder { return missing() }
    return ModelImportError(
      .unreadable,
      file: string,
      message: "It cannot be read: \(error.reason).",
      recovery: error.code == .other ? error.recovery : "Check its permissions."
    )
  }
}
