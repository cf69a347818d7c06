/// A checkout of Waystone's own sources, as CI may have one in the app's repository: the models in
/// it are samples, and none of the app's.
package enum OwnCheckout {
  /// A file that no other package has.
  private static let mark = "Sources/WaystoneTool/main.swift"

  /// Returns whether a folder is such a checkout.
  ///
  /// - Throws: ``ModelImportError`` where the system does not report it.
  package static func isAt(_ folder: String) throws(ModelImportError) -> Bool {
    let folder = FilePath(folder)
    guard try folder.appending("Package.swift").kind == .file else { return false }
    return try folder.appending(mark).kind == .file
  }
}
