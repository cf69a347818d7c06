/// A project of its own within a folder, with its own configuration.
///
/// Its models are none of the folder's.
package enum OtherProject {
  /// The name of the file that makes a folder a project.
  package static let fileName = "waystone.yml"

  /// Returns whether a folder, which is not the one that is looked through, is a project of its own.
  ///
  /// - Throws: ``ModelImportError`` where the system does not report it.
  package static func isAt(_ folder: String) throws(ModelImportError) -> Bool {
    try FilePath(folder).appending(fileName).kind == .file
  }
}
