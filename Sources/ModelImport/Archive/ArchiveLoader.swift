public import ObjectModel

/// Finds and reads all models below a path.
///
/// Hidden files and folders are passed over, and nothing inside of an `.xcdatamodel` counts but its
/// own content: Xcode does the same.
public enum ArchiveLoader {
  /// The models in an `.xcdatamodel`, an `.xcdatamodeld`, or anywhere below a folder.
  ///
  /// Symbolic links are followed; a folder reached twice is read once, at the path that comes first
  /// in byte order.
  /// - Throws: ``ModelImportError`` for the first file or folder that cannot be read; a model in a
  ///   form that is not read is a finding instead, and so is a doubtful current version.
  /// - Complexity: O(*n*) in the entries below the path and the bytes of the models.
  public static func load(_ path: String) throws(ModelImportError) -> ModelArchive {
    let path = FilePath(path)
    var walk = ArchiveWalk()
    try walk.read(path)
    if walk.models.isEmpty, walk.findings.isEmpty {
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: path.kind == .folder
          ? "The folder holds no .xcdatamodeld and no .xcdatamodel."
          : "The file is no model.",
        recovery: "Name the folder that holds the app's models."
      )
    }
    let models = walk.models.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return ModelArchive(models: models, findings: walk.findings)
  }
}
