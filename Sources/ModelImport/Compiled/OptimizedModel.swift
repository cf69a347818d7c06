import ObjectModel

/// The optimized copy (`.omo`) that newer systems map into memory in place of a `.mom`.
///
/// Apple documents nothing of its form, which changes between compilers: two layouts were seen in
/// five files of public apps. Both begin with a mark and hold the version hash of each entity once.
/// That is enough to compare a copy with the `.mom` beside it, which every build makes too and from
/// which the model is read. A copy without its `.mom` is not read.
struct OptimizedModel {
  /// The greatest size in bytes; the largest in a public app has 29 KB.
  static let greatestSize = 16 << 20

  private static let mark = Array("momv2$".utf8)
  private let bytes: [UInt8]

  /// The copy in a file.
  ///
  /// - Throws: ``ModelImportError`` where it cannot be read or has not the mark.
  init(_ path: FilePath) throws(ModelImportError) {
    bytes = try path.bytes(limit: Self.greatestSize)
    guard bytes.starts(with: Self.mark) else {
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: "The file does not begin as optimized models do.",
        recovery: "Build the app again; its .mom files are read without it."
      )
    }
  }

  /// Returns the model of an `.omo`, read from the `.mom` beside it.
  ///
  /// - Throws: ``ModelImportError`` where the `.mom` is absent or of another version.
  static func read(_ path: FilePath) throws(ModelImportError) -> ImportedModel {
    let original = path.original
    guard try original.kind == .file else { throw withoutOriginal(path) }
    let copy = try OptimizedModel(path)
    var imported = try ModelImporter.importModel(at: original)
    let missing = copy.missingEntityNames(of: imported.model)
    if let name = missing.first {
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: "The optimized copy is of another version than \(original.name): it lacks the "
          + "version hash of \(name).",
        recovery: "Take both from one build."
      )
    }
    imported.findings.append(
      Finding(
        .unreadableForm,
        .note,
        at: Finding.Place(file: path.string, version: path.stem),
        message: "The optimized copy has the version hashes of \(original.name) and is not read "
          + "further; the model is that of \(original.name).",
        remedy: "Nothing needs to be done."
      )
    )
    return imported
  }

  /// Returns the refusal of an `.omo` whose `.mom` is absent.
  static func withoutOriginal(_ path: FilePath) -> ModelImportError {
    ModelImportError(
      .notAModel,
      file: path.string,
      message: "Waystone does not read optimized models (.omo), and \(path.original.name) does not "
        + "lie beside this one.",
      recovery: "Copy \(path.original.name) from the same build to this folder: every build makes "
        + "both."
    )
  }

  /// Returns the entities whose version hashes the copy lacks, in byte order.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func missingEntityNames(of model: ManagedObjectModel) -> [String] {
    let hashes = model.entityVersionHashes.mapValues(\.bytes)
    let heads = Set(hashes.values.map { Self.head($0[...]) })
    var found: Set<[UInt8]> = []
    var window: UInt64 = 0
    for (end, byte) in bytes.enumerated() {
      window = window << 8 | UInt64(byte)
      guard end >= 7, heads.contains(window) else { continue }
      found.insert(Array(bytes[(end - 7)...].prefix(32)))
    }
    return hashes.keys.filter { name in hashes[name].map { !found.contains($0) } ?? true }
      .sorted(by: ByteOrder.precedes)
  }

  private static func head(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the finding about a copy beside its original, if there is one.
  static func finding(on path: FilePath, versions: [ModelVersion]) -> Finding? {
    guard let version = versions.first(where: { $0.name == path.stem }) else { return nil }
    let message: String
    do throws(ModelImportError) {
      let missing = try OptimizedModel(path).missingEntityNames(of: version.model)
      guard let name = missing.first else { return nil }
      message =
        "\(path.name) is of another version than \(version.name).mom: it lacks the version hash of "
        + "\(name). Newer systems use it, older ones the .mom; the .mom is read."
    } catch { message = "\(path.name) cannot be checked: \(error.message)" }
    return Finding(
      .versionInfoDiffers,
      .warning,
      at: Finding.Place(file: path.string, version: version.name),
      message: message,
      remedy: "Build the app again, or take the whole folder from one build."
    )
  }
}

extension FilePath {
  /// The `.mom` from which an `.omo` was made.
  var original: FilePath { parent.appending(stem + ".mom") }
}
