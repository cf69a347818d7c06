extension FileSystem {
  /// Gives a file a new name that nothing has yet, and takes the old one away.
  ///
  /// By a hard link, so that nothing is ever replaced; where the file system has no links, by a
  /// rename after a look. A move that died between its two steps is completed.
  ///
  /// - Throws: ``FileError``; `exists` where something else has the name.
  package static func move(_ path: String, toNewName newPath: String) throws(FileError) {
    do {
      try link(path, to: newPath)
    } catch {
      let there = try status(newPath)
      if let there, let here = try status(path) {
        guard there.isSameFile(as: here) else { throw error }
      } else if there == nil {
        return try rename(path, to: newPath)
      }
    }
    try remove(path)
  }
}
