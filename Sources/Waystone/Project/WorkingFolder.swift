/// The folder that relative paths start from, and that shown paths are relative to.
package struct WorkingFolder: Hashable, Sendable {
  /// The folder's absolute path.
  package let path: String

  /// A folder at an absolute path.
  package init(_ path: String) { self.path = path }

  /// Returns the absolute form of a path.
  package func resolved(_ path: String) -> String {
    path.hasPrefix("/") || self.path.isEmpty ? path : "\(self.path)/\(path)"
  }

  /// Returns a path relative to the folder, where it is below it.
  package func shortened(_ path: String) -> String {
    path.hasPrefix(self.path + "/") ? String(path.dropFirst(self.path.count + 1)) : path
  }
}
