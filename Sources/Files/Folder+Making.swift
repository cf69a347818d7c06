extension Folder {
  /// Makes folders, each in the one before, where they are not there yet; no link is followed.
  ///
  /// - Throws: ``FileError``: `notPlain` where a link or a file has one of the names.
  package func ensureFolders(_ names: some Sequence<Substring>) throws(FileError) {
    var folder = self
    for name in names.map(String.init) {
      if try folder.status(of: name) == nil {
        do throws(FileError) {
          try folder.createFolder(name, permissions: 0o777)
        } catch {
          // Another worker was faster.
          guard error.code == .exists else { throw error }
        }
        try folder.synchronize()
      }
      folder = try folder.folder(name)
    }
  }
}
