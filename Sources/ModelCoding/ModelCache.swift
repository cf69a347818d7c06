package import ObjectModel

/// The model that Core Data keeps inside a store, in `Z_MODELCACHE`.
///
/// It is the archive of a compiled model, compressed. Measured on 330 stores of public apps.
package enum ModelCache {
  /// Larger models are refused; the largest in a public app's store has 0.3 MB.
  package static let maximumSize = 8 << 20

  /// Returns the model in the contents of the column `Z_CONTENT`.
  ///
  /// - Throws: `ModelCodingError`.
  package static func decode(_ blob: [UInt8]) throws(ModelCodingError) -> DecodedModel {
    try recent.value(of: blob) { () throws(ModelCodingError) in
      try ModelArchiveDecoder.decode(RawDeflate.inflate(blob, maximumSize: maximumSize))
    }
  }

  private static let recent = RecentValues<[UInt8], DecodedModel>(capacity: 4)

  /// Returns the contents of the column `Z_CONTENT` for a store of this model.
  ///
  /// - Throws: `ModelCodingError` where the model has a part whose archived form is not known.
  package static func encode(_ model: ManagedObjectModel) throws(ModelCodingError) -> [UInt8] {
    try RawDeflate.deflate(ModelArchiveEncoder.encode(model))
  }
}
