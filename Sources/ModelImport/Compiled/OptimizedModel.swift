import ModelCoding
import ObjectModel

/// The optimized copy (`.omo`) that newer systems map into memory in place of a `.mom`.
///
/// Apple documents nothing of its form, which changes between compilers: two layouts were seen in
/// five files of public apps. What is certain in both is the mark at the beginning and that the
/// version hash of each entity stands in it once. That is enough to tell whether a copy is of the
/// same version as the original beside it, from which the model is read. Only a copy without an
/// original is read itself, by `OptimizedModelDecoder`.
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

  /// The model of an `.omo`, read from the original beside it, or from itself where there is none.
  ///
  /// - Throws: ``ModelImportError`` where the original is of another version, or there is none and
  ///   the copy has a form that is not known.
  static func read(_ path: FilePath) throws(ModelImportError) -> ImportedModel {
    let original = path.original
    guard try original.kind == .file else { return try readAlone(path) }
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

  /// The model of an `.omo` that has no original, as far as its form is known.
  private static func readAlone(_ path: FilePath) throws(ModelImportError) -> ImportedModel {
    let copy = try OptimizedModel(path)
    let decoded: DecodedModel
    do throws(ModelCodingError) {
      decoded = try OptimizedModelDecoder.decode(copy.bytes)
    } catch { throw ModelImportError(error, file: path.string) }
    let findings = decoded.findings.map { finding in
      var finding = finding
      finding.place.file = path.string
      return finding
    }
    return ImportedModel(model: decoded.model, findings: findings)
  }

  /// The entities whose version hashes the copy lacks, in byte order.
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

  /// What is to be said about a copy beside its original, if anything.
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
