import ModelCoding
import ObjectModel

/// A reader of `.mom` files, which `momc` makes of models when an app is built.
enum CompiledModelReader {
  /// The greatest size in bytes; the largest in a public app has 13 KB.
  static let greatestSize = ModelCache.maximumSize

  /// Returns the model in the bytes of a `.mom` file.
  ///
  /// - Throws: ``ModelImportError``.
  static func read(_ bytes: [UInt8], file: String) throws(ModelImportError) -> ImportedModel {
    let decoded: DecodedModel
    do throws(ModelCodingError) {
      decoded = try ModelArchiveDecoder.decode(bytes)
    } catch { throw ModelImportError(error, file: file) }
    let findings = decoded.findings.map { finding in
      var finding = finding
      finding.place.file = file
      return finding
    }
    return ImportedModel(model: decoded.model, findings: findings)
  }
}
