/// A target of an Xcode project or of a package, with the source files that it compiles.
///
/// Paths are meant from the folder that is read.
package struct BuildTarget: Hashable, Sendable {
  /// The kind of product that a target makes.
  package enum Kind: Hashable, Sendable {
    /// An app that a user starts.
    case app
    /// A program without a user interface, or the program of a package.
    case tool
    /// A framework or library, which other targets use.
    case library
    /// An extension of an app, such as a widget, or a helper beside it.
    case appExtension
    /// Tests.
    case tests
    /// Another kind.
    case other
  }

  /// The name.
  package var name: String
  /// The kind of its product.
  package var kind: Kind
  /// The path of the project or manifest that declares it.
  package var project: String
  /// The files that it names, by their folded paths.
  var files: [String: String] = [:]
  /// The folders that it compiles, by their folded paths, each with the paths that are left out of it.
  var folders: [String: Set<String>] = [:]
  /// The files outside of the folder that is read, or in no folder that is known.
  var outside: [String] = []
  /// The targets of the same project that it uses, by their names.
  var dependencies: [String] = []
  /// The products of packages that it uses.
  var products: [String] = []

  /// The name by which code imports it: the target's, with other characters than those of names replaced.
  var moduleName: String {
    let name = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
  }

  /// Whether it makes something that runs by itself, and so may make a container of an app's store.
  package var isProgram: Bool { kind == .app || kind == .tool }

  /// Whether it becomes a part of the target that uses it.
  var isPart: Bool { kind == .library || kind == .other }

  /// Returns whether it compiles a file, by the file's folded path.
  func compiles(_ path: String) -> Bool {
    if files[path] != nil { return true }
    guard !folders.isEmpty else { return false }
    let around = SourcePath.prefixes(of: path)
    return around.contains { folder in
      folders[folder].map { excluded in excluded.isDisjoint(with: around) } ?? false
    }
  }
}

/// The form of paths in which the lists of projects are compared with the files that are there.
enum SourcePath {
  /// The greatest number of folders around a file.
  static let greatestDepth = 256

  /// The greatest number of bytes of a path.
  static let greatestLength = 4_096

  /// Returns the path in lowercase, as the file systems on which Xcode runs do not distinguish case.
  static func folded(_ path: String) -> String { path.lowercased() }

  /// Returns a path and those of all folders around it; the empty one is that of the folder that is read.
  static func prefixes(of path: String) -> [String] {
    var result = [""]
    for index in path.indices where path[index] == "/" { result.append(String(path[..<index])) }
    return result + [path]
  }

  /// Returns the path that a text means in a folder; nil where it leads out of the folder that is read.
  static func joined(_ folder: String, _ text: String) -> String? {
    guard !text.hasPrefix("/"), folder.utf8.count + text.utf8.count < greatestLength else {
      return nil
    }
    var parts = folder.split(separator: "/")
    for part in text.split(separator: "/") where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
      } else {
        parts.append(part)
      }
    }
    return parts.count <= greatestDepth ? parts.joined(separator: "/") : nil
  }

  /// Returns the folder that holds a file.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
