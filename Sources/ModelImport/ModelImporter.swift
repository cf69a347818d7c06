import XMLParsing

/// A reader of one version of a model.
package enum ModelImporter {
  /// Returns the model in an `.xcdatamodel`, in the `contents` or `elements` file inside of one, in a
  /// `.mom`, or in the `.mom` beside an `.omo`.
  ///
  /// - Throws: ``ModelImportError``, with the file and where possible the line at fault.
  /// - Complexity: O(*n*) in the file's bytes; see ``ObjectModel/ManagedObjectModel`` for the rest.
  package static func importModel(at path: String) throws(ModelImportError) -> ImportedModel {
    try importModel(at: FilePath(path))
  }

  /// Returns the model in the bytes of a `contents` file, which messages call by a name of one's choice.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importModel(
    contents bytes: [UInt8],
    file: String
  ) throws(ModelImportError) -> ImportedModel {
    try XMLModelReader.read(bytes, file: file)
  }

  /// Returns the model in the bytes of an `elements` file, or of a snapshot inside of a mapping model,
  /// which is the same archive.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importModel(
    elements bytes: [UInt8],
    file: String
  ) throws(ModelImportError) -> ImportedModel {
    try LegacyModelReader.read(bytes, file: file)
  }

  /// Returns the model in the bytes of a `.mom`.
  ///
  /// - Throws: ``ModelImportError``.
  package static func importModel(
    compiled bytes: [UInt8],
    file: String
  ) throws(ModelImportError) -> ImportedModel {
    try CompiledModelReader.read(bytes, file: file)
  }

  /// - Parameter entities: The entities of versions that are read with this one.
  static func importModel(
    at path: FilePath,
    sharing entities: ReadEntities? = nil
  ) throws(ModelImportError) -> ImportedModel {
    guard try path.kind != .missing else { throw path.missing() }
    switch try ModelForm.of(path) {
    case .contents:
      let file = try path.kind == .folder ? path.appending("contents") : path
      return try XMLModelReader.read(
        file.bytes(limit: XMLTree.limits.size),
        file: file.string,
        sharing: entities
      )
    case .legacyElements:
      let file = try path.kind == .folder ? path.appending("elements") : path
      let bytes = try file.bytes(limit: LegacyModelReader.greatestSize)
      return try LegacyModelReader.read(bytes, file: file.string)
    case .compiled:
      let bytes = try path.bytes(limit: CompiledModelReader.greatestSize)
      return try CompiledModelReader.read(bytes, file: path.string)
    case .optimized: return try OptimizedModel.read(path)
    case .versions, .compiledVersions, nil:
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: "This is not a single model version.",
        recovery: "Name an .xcdatamodel or a .mom."
      )
    }
  }
}
