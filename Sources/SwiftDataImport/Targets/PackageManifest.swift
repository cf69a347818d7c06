/// The targets and products that a `Package.swift` declares, as far as literals state them.
package struct PackageManifest: Hashable, Sendable {
  /// A target.
  struct Target: Hashable, Sendable {
    var name: String
    var kind: BuildTarget.Kind
    var path: String?
    var exclude: [String] = []
    var sources: [String]?
    /// The targets or products that it uses, by their names.
    var dependencies: [String] = []
  }

  /// A product, with the names of its targets.
  struct Product: Hashable, Sendable {
    var name: String
    var targets: [String]
  }

  /// The targets.
  var targets: [Target] = []
  /// The products.
  var products: [Product] = []
  /// The first line with a name, path or list that is computed, and so not known.
  var unreadLine: Int?

  /// The name of the file.
  package static let fileName = "Package.swift"

  /// Returns whether a path is that of a manifest.
  package static func isManifest(_ path: String) -> Bool {
    path == fileName || path.hasSuffix("/\(fileName)") || path.hasSuffix(":\(fileName)")
  }

  /// Returns the targets, with their files.
  ///
  /// - Parameters:
  ///   - path: The path of the manifest.
  ///   - paths: The folded paths of the files that are there.
  func buildTargets(at path: String, among paths: [String]) -> [BuildTarget] {
    let folder = SourcePath.folder(of: path)
    let isAlone = targets.count { $0.kind != .tests } == 1
    return targets.map { target in
      var result = BuildTarget(name: target.name, kind: target.kind, project: path)
      result.products = target.dependencies
      result.dependencies = target.dependencies
      var roots = target.roots
      result.take(target, at: roots, in: folder)
      // The only target of a package may have all of `Sources`.
      let isEmpty = !paths.contains { result.compiles($0) }
      if isEmpty, isAlone, target.path == nil, target.kind != .tests {
        roots = Target.folders
        result.take(target, at: roots, in: folder)
      }
      return result
    }
  }
}

extension PackageManifest.Target {
  /// The folders in which a package keeps its targets.
  fileprivate static let folders = ["Sources", "Source", "src", "srcs"]

  /// The paths from the package's folder that may be the target's.
  fileprivate var roots: [String] {
    if let path { return [path] }
    let folders = kind == .tests ? ["Tests"] + Self.folders : Self.folders
    return folders.map { "\($0)/\(name)" }
  }
}

extension BuildTarget {
  fileprivate mutating func take(
    _ target: PackageManifest.Target,
    at roots: [String],
    in folder: String
  ) {
    for root in roots {
      guard let root = SourcePath.joined(folder, root) else {
        outside.append(root)
        continue
      }
      let excluded = target.exclude.compactMap { SourcePath.joined(root, $0) }
      for part in target.sources ?? ["."] {
        guard let path = SourcePath.joined(root, part) else {
          outside.append(part)
          continue
        }
        folders[SourcePath.folded(path)] = Set(excluded.map(SourcePath.folded))
      }
    }
  }
}
