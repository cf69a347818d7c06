package import ObjectModel

/// A reader of mapping models: Xcode's `.xcmappingmodel` and the compiled `.cdm`.
package enum MappingImporter {
  /// The largest file that is read, in bytes; the largest of a public app has 700 KB.
  static let greatestSize = 32 << 20

  /// Returns the mapping in an `.xcmappingmodel`, in the `xcmapping.xml` inside of one, or in a `.cdm`.
  ///
  /// - Throws: ``ModelImportError``, with the file and where possible the line at fault.
  /// - Complexity: O(*n*) in the file's bytes.
  package static func importMapping(at path: String) throws(ModelImportError) -> AuthoredMapping {
    let path = FilePath(path)
    guard try path.kind != .missing else { throw path.missing() }
    switch try MappingForm.of(path) {
    case .mappingModel:
      let file = try path.kind == .folder ? path.appending(MappingForm.innerName) : path
      guard try file.kind != .missing else { throw Self.incomplete(path) }
      let bytes = try file.bytes(limit: greatestSize)
      return try XMLMappingReader.read(bytes, path: path, file: file.string)
    case .compiled:
      return try CompiledMappingReader.read(path.bytes(limit: greatestSize), path: path)
    case nil:
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: "This is no mapping model.",
        recovery: "Name an .xcmappingmodel or a .cdm."
      )
    }
  }

  private static func incomplete(_ folder: FilePath) -> ModelImportError {
    ModelImportError(
      .notAModel,
      file: folder.string,
      message: "The mapping model has no \(MappingForm.innerName).",
      recovery: "Restore that file, or remove the folder."
    )
  }

  /// Returns the mappings in a file of any form: a hop file's among given models.
  ///
  /// - Throws: ``ModelImportError``, with the file and where possible the line at fault.
  package static func importMappings(
    at path: String,
    models: [VersionedModel]
  ) throws(ModelImportError) -> [AuthoredMapping] {
    let file = FilePath(path)
    guard let form = HopForm.of(file) else { return [try importMapping(at: path)] }
    let bytes = try file.bytes(limit: HopDocument.greatestSize)
    return try importMappings(yaml: bytes, form: form, file: file, models: models)
  }

  /// Returns the mapping in the bytes of a hop file, which messages call by a name of one's choice.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importMapping(
    hop text: String,
    file: String,
    models: [VersionedModel]
  ) throws(ModelImportError) -> AuthoredMapping {
    let path = FilePath(file)
    return try HopReader(file: file, models: models).read(Array(text.utf8), name: path.hopName)
  }

  private static func importMappings(
    yaml bytes: [UInt8],
    form: HopForm,
    file: FilePath,
    models: [VersionedModel]
  ) throws(ModelImportError) -> [AuthoredMapping] {
    switch form {
    case .hop:
      [try HopReader(file: file.string, models: models).read(bytes, name: file.hopName)]
    }
  }

  /// Returns the mapping in the bytes of an `xcmapping.xml`, which messages call by a name of one's
  /// choice.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importMapping(
    xml bytes: [UInt8],
    file: String
  ) throws(ModelImportError) -> AuthoredMapping {
    try XMLMappingReader.read(bytes, path: FilePath(file), file: file)
  }

  /// Returns the mapping in the bytes of a `.cdm`, which messages call by a name of one's choice.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importMapping(
    compiled bytes: [UInt8],
    file: String
  ) throws(ModelImportError) -> AuthoredMapping {
    try CompiledMappingReader.read(bytes, path: FilePath(file))
  }
}

/// The forms of mapping models on disk.
enum MappingForm: Hashable {
  /// An `.xcmappingmodel` folder, or the file in it.
  case mappingModel
  /// A `.cdm`.
  case compiled

  /// The name of the file in an `.xcmappingmodel`.
  static let innerName = "xcmapping.xml"

  /// Returns the form of a path, or nil where it is no mapping model.
  ///
  /// - Throws: ``ModelImportError``, `unreadable` where that cannot be known.
  static func of(_ path: FilePath) throws(ModelImportError) -> MappingForm? {
    switch path.fileExtension {
    case "xcmappingmodel": try path.kind == .folder ? .mappingModel : nil
    case "cdm": try path.kind == .file ? .compiled : nil
    default:
      if path.name == innerName { try path.kind == .file ? .mappingModel : nil } else { nil }
    }
  }
}

/// The forms of mappings that are written in YAML or JSON.
enum HopForm: Hashable {
  /// A hop file.
  case hop

  /// Returns the form of a file by its name, or nil where it is none.
  static func of(_ path: FilePath) -> HopForm? {
    [".hop.yml", ".hop.yaml", ".hop.json"].contains { path.name.hasSuffix($0) } ? .hop : nil
  }
}

extension FilePath {
  /// The name of a hop file without both of its extensions.
  var hopName: String { FilePath(stem).stem }

  /// The name of the mapping model at this path.
  var mappingName: String { name == MappingForm.innerName ? parent.stem : stem }
}
