internal import Files

/// A folder in which git runs: it has the references of a repository and no objects of its own, and goes
/// when its owner lets go of it.
final class PrivateGitFolder: Sendable {
  /// The path of the folder.
  let path: String
  private let objects: String
  private let parent: Folder
  private let name: String

  /// Makes the folder.
  ///
  /// - Throws: ``FileError`` where a part of the repository cannot be read, or the folder cannot be made.
  init(of layout: GitLayout) throws(FileError) {
    try layout.checkObjects()
    let head = try layout.head()
    let references = try layout.references()
    let shallow = try layout.shallow()
    let isOfSHA256 = ([head] + references.values).contains {
      $0.utf8.count == 64 && GitLayout.isHash($0)
    }
    objects = try FileSystem.resolved(layout.objects)
    parent = try Folder(following: FileSystem.temporaryFolder)
    name = "waystone-git-" + String(UInt64.random(in: .min ... .max), radix: 36)
    path = parent.path(of: name)
    try parent.createFolder(name)
    let folder = try parent.folder(name)
    try folder.createFolder("refs")
    var files = [
      "HEAD": head + "\n",
      "packed-refs": references.map { "\($0.value) \($0.key)\n" }.filter { $0.contains(" refs/") }
        .sorted().joined(),
      "config": "[core]\n\trepositoryformatversion = \(isOfSHA256 ? 1 : 0)\n\tbare = true\n"
        + (isOfSHA256 ? "[extensions]\n\tobjectFormat = sha256\n" : ""),
    ]
    for (name, hash) in references where !name.hasPrefix("refs/") { files[name] = hash + "\n" }
    if !shallow.isEmpty { files["shallow"] = shallow.map { $0 + "\n" }.joined() }
    for (name, text) in files {
      try folder.open(creating: name).write(Array(text.utf8))
    }
  }

  deinit {
    // Files that cannot be removed are left to the system's cleaning of temporary files.
    guard let folder = try? parent.folder(name) else { return }
    try? folder.removeContents()
    _ = try? parent.removeFolder(name)
  }

  /// Returns the environment of git, which has nothing of the process's own but the folders of programs.
  func environment(_ given: [String: String]) -> [String: String] {
    var environment = [
      "GIT_DIR": path, "GIT_OBJECT_DIRECTORY": objects, "HOME": path,
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_SYSTEM": "/dev/null",
      "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_ATTR_NOSYSTEM": "1", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1",
      "GIT_ALLOW_PROTOCOL": "none", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
      "GIT_LITERAL_PATHSPECS": "1", "LC_ALL": "C",
    ]
    for name in ["PATH", "DEVELOPER_DIR", "TMPDIR"] { environment[name] = given[name] }
    return environment
  }
}
