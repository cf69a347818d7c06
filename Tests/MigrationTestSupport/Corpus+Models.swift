import ModelImport
public import ObjectModel

extension Corpus {
  /// All models of the public apps, read once; without any where the folder is absent.
  public static let models: Result<ModelArchive, any Error> = Result {
    try root.map { try ArchiveLoader.load($0) } ?? ModelArchive(models: [])
  }
}
