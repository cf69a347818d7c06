/// Reads one version of a model.
public enum ModelImporter {
  /// The model in an `.xcdatamodel`, or in the `contents` file inside of one.
  ///
  /// - Throws: ``ModelImportError``, with the file and where possible the line at fault.
  /// - Complexity: O(*n*) in the file's bytes; see ``ObjectModel/ManagedObjectModel`` for the rest.
  public static func importModel(at path: String) throws(ModelImportError) -> ImportedModel {
    try importModel(at: FilePath(path))
  }

  /// The model in the bytes of a `contents` file, which messages call by a name of one's choice.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importModel(
    contents bytes: [UInt8],
    file: String
  ) throws(ModelImportError) -> ImportedModel {
    try XMLModelReader.read(bytes, file: file)
  }

  static func importModel(at path: FilePath) throws(ModelImportError) -> ImportedModel {
    guard path.kind != .missing else { throw path.missing() }
    switch try ModelForm.of(path) {
    case .contents:
      let file = path.kind == .folder ? path.appending("contents") : path
      return try XMLModelReader.read(file.bytes(limit: XMLTree.greatestSize), file: file.string)
    case .legacyElements: throw legacy(path)
    case .versions, nil:
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: "This is not a single model version.",
        recovery: "Name an .xcdatamodel."
      )
    }
  }

  private static func legacy(_ path: FilePath) -> ModelImportError {
    ModelImportError(
      .notAModel,
      file: path.string,
      message: "The model is in the form of Xcode 3 (elements), which is not read.",
      recovery: "Open it in Xcode and save it, which writes a contents file."
    )
  }
}
