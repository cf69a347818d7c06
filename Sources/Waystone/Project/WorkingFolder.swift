/// The folder against which the paths of a person or a program stand, and from which they are shown.
package struct WorkingFolder: Hashable, Sendable {
  /// Its absolute path.
  package let path: String

  /// A folder at an absolute path.
  package init(_ path: String) { self.path = path }

  /// A path against the folder.
  package func resolved(_ path: String) -> String {
    path.hasPrefix("/") || self.path.isEmpty ? path : "\(self.path)/\(path)"
  }

  /// A path from the folder, where it lies below it.
  package func shortened(_ path: String) -> String {
    path.hasPrefix(self.path + "/") ? String(path.dropFirst(self.path.count + 1)) : path
  }
}
