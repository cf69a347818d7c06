import ObjectModel

/// The optimized copy (`.omo`) that newer systems map into memory in place of a `.mom`.
enum OptimizedModel {
  /// The bytes with which all begin.
  static let magic = Array("momv2$".utf8)

  /// What is to be said about the copy of a version beside its original, if anything.
  static func finding(on path: FilePath, versions: [ModelVersion]) -> Finding? {
    nil
  }
}
