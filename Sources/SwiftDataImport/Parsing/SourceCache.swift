internal import ObjectModel
internal import Synchronization

/// The declarations of files that were parsed in this process, by their contents.
///
/// A release has nearly all files of the one before it, so that a history of releases is mostly the same files
/// again, under other names.
enum SourceCache {
  /// The things on which a file's declarations depend, but for its name in places.
  struct Key: Hashable, Sendable {
    private let digest: [UInt8]
    private let conditions: CompilationConditions
    /// Whether it is read as a package's manifest.
    private let isManifest: Bool

    /// - Complexity: O(*n*) in the bytes.
    init(_ text: SourceText, _ conditions: CompilationConditions) {
      digest = SHA256.hash(text.bytes)
      self.conditions = conditions
      isManifest = PackageManifest.isManifest(text.name)
    }
  }

  /// The most files that are kept; beyond them it begins anew.
  private static let greatestCount = 40_000

  private static let files = Mutex<[Key: SourceFile]>([:])

  /// Returns the declarations of a file, under the name that it has now; nil where no file of its contents was
  /// parsed.
  static func file(_ key: Key, named name: String) -> SourceFile? {
    files.withLock { $0[key] }?.named(name)
  }

  /// Keeps the declarations of a file.
  static func keep(_ file: SourceFile, as key: Key) {
    files.withLock { files in
      if files.count >= greatestCount { files = [:] }
      files[key] = file
    }
  }
}

extension SourceFile {
  /// Returns the same declarations as those of a file of another name.
  func named(_ name: String) -> SourceFile {
    guard name != self.name else { return self }
    var file = self
    file.name = name
    for index in file.types.indices { file.types[index].move(to: name) }
    for index in file.aliases.indices { file.aliases[index].place.file = name }
    for index in file.containers.indices { file.containers[index].place.file = name }
    for index in file.configurations.indices { file.configurations[index].place.file = name }
    for index in file.findings.indices { file.findings[index].place.file = name }
    return file
  }
}

extension TypeDeclaration {
  /// Replaces the file in the places of it and of its members.
  fileprivate mutating func move(to file: String) {
    place.file = file
    attributes.move(to: file)
    macros.move(to: file)
    for index in properties.indices {
      properties[index].place.file = file
      properties[index].attributes.move(to: file)
    }
    for index in cases.indices { cases[index].place.file = file }
    for index in doubts.indices { doubts[index].place.file = file }
  }
}

extension [MacroUse] {
  fileprivate mutating func move(to file: String) {
    for index in indices { self[index].place.file = file }
  }
}
