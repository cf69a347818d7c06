/// The forms of models on disk; each has one reader.
enum ModelForm: Hashable {
  /// An `.xcdatamodel` with a `contents` file, as Xcode writes since version 4.3.
  case contents
  /// An `.xcdatamodel` with an `elements` file, a keyed archive of Xcode 3.
  case legacyElements
  /// An `.xcdatamodeld` with versions inside.
  case versions
  /// A `.mom`, which is the keyed archive of a compiled model.
  case compiled
  /// An `.omo`, a compiled model for mapping into memory; it is read from the `.mom` beside it.
  case optimized
  /// A `.momd` with compiled versions inside.
  case compiledVersions

  /// Returns the form of a path, or nil where it is no model.
  ///
  /// - Throws: ``ModelImportError`` where an `.xcdatamodel` holds neither file.
  static func of(_ path: FilePath) throws(ModelImportError) -> ModelForm? {
    switch path.fileExtension {
    case "xcdatamodeld": return try path.kind == .folder ? .versions : nil
    case "momd": return try path.kind == .folder ? .compiledVersions : nil
    case "mom": return try path.kind == .file ? .compiled : nil
    case "omo": return try path.kind == .file ? .optimized : nil
    case "xcdatamodel": break
    default:
      switch path.name {
      case "contents" where try path.kind == .file: return .contents
      case "elements" where try path.kind == .file && path.parent.hasExtension("xcdatamodel"):
        return .legacyElements
      default: return nil
      }
    }
    if try path.kind == .folder {
      if try path.appending("contents").kind == .file { return .contents }
      if try path.appending("elements").kind == .file { return .legacyElements }
    }
    throw ModelImportError(
      .notAModel,
      file: path.string,
      message: "The model holds no file named contents.",
      recovery: "Restore it from version control, or delete the empty model."
    )
  }
}
