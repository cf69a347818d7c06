extension Folder {
  /// Removes all contents of the folder, without following a link.
  ///
  /// - Throws: ``FileError`` at the first thing that cannot be removed.
  package func removeContents() throws(FileError) {
    for entry in try entries() {
      guard let name = entry.name else {
        throw FileError(
          code: .invalidPath,
          message: "\(path)/\(entry.shownName) has a name that is not UTF-8",
          recovery: "Remove it."
        )
      }
      if try status(of: name)?.kind == .folder {
        try folder(name).removeContents()
        try removeFolder(name)
      } else {
        try remove(name)
      }
    }
  }
}
