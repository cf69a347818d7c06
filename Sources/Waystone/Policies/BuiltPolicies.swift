internal import Files
private import Foundation
internal import ObjectModel

/// A record of the program that `waystone policies` built for a project.
///
/// It is kept in the user's own folder, and not in the project's: a repository that came from elsewhere names no
/// program that would be started.
package struct BuiltPolicies: Codable, Hashable, Sendable {
  /// The absolute path of the program.
  package let program: String
  /// The place of Waystone's source that it was built from: a checkout, or a repository's URL.
  package let package: String
  /// The SHA-256 of the sources.
  private let sources: String
  /// The version of Waystone that is in it.
  private let version: String
  /// Bytes of the program.
  private let size: Int64
  /// The time of its last change, in nanoseconds since 1970.
  private let modified: Int64

  /// Records a program that was built just now.
  ///
  /// - Parameters:
  ///   - package: The place of Waystone's source.
  ///   - version: The version of Waystone in it.
  /// - Throws: `FileError` where there is no such program.
  package init(
    _ program: String,
    of sources: PolicySources,
    package: String,
    version: String
  ) throws {
    let status = try OpenFile(plainFile: program, limit: .max).status()
    self.program = program
    self.package = package
    self.sources = sources.digest
    self.version = version
    size = status.size
    modified = status.modified
  }

  /// Returns the record of a project; nil where its policies were never built by this user.
  ///
  /// - Parameter environment: The variables of the user's environment.
  /// - Throws: ``WaystoneError``, `badFile`, where the record cannot be used: others may write it, or it is none.
  package static func read(
    for configuration: Configuration,
    _ environment: [String: String]
  ) throws -> BuiltPolicies? {
    guard let path = try place(for: configuration, environment),
      let status = try FileSystem.status(path)
    else { return nil }
    // The writer of the record chooses the program.
    guard status.owner == FileSystem.effectiveUser, status.permissions & 0o022 == 0 else {
      throw unusable("Other users can change \(path), which names a program to run.")
    }
    let bytes = try InputFile.bytes(of: path, shownAs: path, limit: 1 << 16)
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else {
      throw unusable("\(path) is no record of built policies.")
    }
    return record
  }

  private static func unusable(_ message: String) -> WaystoneError {
    WaystoneError(.badFile, message, recovery: "Remove it, and run `waystone policies` again.")
  }

  /// Keeps the record for a project; returns whether the environment names a folder for it.
  ///
  /// - Throws: `FileError` where it cannot be written.
  package func write(
    for configuration: Configuration,
    _ environment: [String: String]
  ) throws -> Bool {
    guard let path = try Self.place(for: configuration, environment) else { return false }
    try FileSystem.ensureFolders(FileSystem.folder(of: path))
    let text = Array(try JSONEncoder().encode(self))
    try AtomicFile.write(to: path, permissions: 0o600) { try $0(text) }
    return true
  }

  /// Returns the path of a project's record, in the folder for the state of programs (XDG Base Directory
  /// Specification); nil where the environment names none.
  private static func place(
    for configuration: Configuration,
    _ environment: [String: String]
  ) throws -> String? {
    let folder: String
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      folder = state
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = "\(home)/.local/state"
    } else {
      return nil
    }
    var hash = SHA256()
    hash.update(try FileSystem.canonical(configuration.path).utf8)
    return "\(folder)/waystone/policies/\(Hexadecimal.string(hash.finalize())).json"
  }

  /// Returns why the program is not the one for the sources as they are; nil where it is.
  ///
  /// - Parameter version: The version of Waystone that asks.
  /// - Throws: `FileError` where the program cannot be seen.
  package func flaw(_ sources: PolicySources, version: String) throws -> String? {
    guard let status = try FileSystem.status(program), status.kind == .file else {
      return "\(program) is not there any more"
    }
    guard status.size == size, status.modified == modified,
      [FileSystem.effectiveUser, 0].contains(status.owner), status.permissions & 0o002 == 0
    else { return "\(program) is not the program that was built" }
    guard sources.digest == self.sources else { return "the sources have changed since" }
    guard version == self.version else { return "it has Waystone \(self.version)" }
    return nil
  }
}
