/// The forms in which models lie on disk; each has one reader.
enum ModelForm: Hashable {
  /// An `.xcdatamodel` with a `contents` file, as Xcode writes since version 4.3.
  case contents
  /// An `.xcdatamodel` with an `elements` file, a keyed archive of Xcode 3.
  case legacyElements
  /// An `.xcdatamodeld` with versions inside.
  case versions

  /// The form of what lies at a path, or nil where it is no model.
  ///
  /// - Throws: ``ModelImportError`` where an `.xcdatamodel` holds neither file.
  static func of(_ path: FilePath) throws(ModelImportError) -> ModelForm? {
    if path.hasExtension("xcdatamodeld") { return path.kind == .folder ? .versions : nil }
    if path.name == "contents", path.kind == .file { return .contents }
    guard path.hasExtension("xcdatamodel") else { return nil }
    if path.kind == .folder {
      if path.appending("contents").kind == .file { return .contents }
      if path.appending("elements").kind == .file { return .legacyElements }
    }
    throw ModelImportError(
      .notAModel,
      file: path.string,
      message: "The model holds no file named contents.",
      recovery: "Restore it from version control, or delete the empty model."
    )
  }
}
