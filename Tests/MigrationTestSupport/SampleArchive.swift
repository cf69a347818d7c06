import ModelImport
public import ObjectModel

/// The models of our own in the package's `ModelArchive`.
public enum SampleArchive {
  /// The folder.
  public static let root =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/ModelArchive"

  /// A version of one of the models, as in `version("Letters", "v2")`.
  public static func version(_ model: String, _ name: String) throws -> ModelVersion {
    let archive = try ArchiveLoader.load("\(root)/\(model).xcdatamodeld")
    guard let version = archive.versions.first(where: { $0.name == name }) else {
      throw Missing(name: "\(model)/\(name)")
    }
    return version
  }

  private struct Missing: Error { let name: String }
}
