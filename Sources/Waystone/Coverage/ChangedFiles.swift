public import Foundation
internal import ModelImport

/// The files that a change touches, such as those that differ from a commit.
public struct ChangedFiles: Sendable {
  /// The name of the compared commit or state in reports.
  public let reference: String
  /// The absolute paths of the files, symbolic links resolved.
  private let files: Set<String>
  /// The files and all folders that contain them.
  private let places: Set<String>
  /// The comparison that decides instead of a list of files.
  private let comparison: CommitComparison?

  /// Files that changed; those that are gone too.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` where a URL is of no file.
  public init(since reference: String, files: [URL]) throws(WaystoneError) {
    var paths: [String] = []
    for file in files { paths.append(Self.canonical(try file.filePath)) }
    self.init(since: reference, paths: paths)
  }

  /// Files that changed, by their absolute paths.
  package init(since reference: String, paths files: [String]) {
    self.reference = reference
    self.files = Set(files)
    comparison = nil
    var places = self.files
    for file in files {
      var folder = file[...]
      while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
        folder = folder[..<slash]
        guard places.insert(String(folder)).inserted else { break }
      }
    }
    self.places = places
  }

  /// The files that differ from a commit of the repository around a path.
  ///
  /// - Parameter environment: Its `PATH` leads to git.
  /// - Throws: ``WaystoneError`` where there is no git, no repository or no such commit.
  package init(
    since reference: String,
    around path: String,
    environment: [String: String]
  ) throws(WaystoneError) {
    comparison = try CommitComparison(
      with: reference,
      in: GitRepository(around: path, environment: environment)
    )
    self.reference = reference
    (files, places) = ([], [])
  }

  /// Returns whether a file, or any file below a folder, changed.
  func touches(_ path: String) -> Bool {
    comparison?.differs(at: Self.canonical(path)) ?? places.contains(Self.canonical(path))
  }

  /// Returns whether a file changed.
  func touches(file path: String) -> Bool {
    comparison?.differs(at: Self.canonical(path)) ?? files.contains(Self.canonical(path))
  }

  /// Returns whether a file below a folder is gone.
  func hasRemovals(below folder: String) -> Bool {
    if let comparison { return comparison.hasRemovals(below: Self.canonical(folder)) }
    let start = Self.canonical(folder) + "/"
    return touches(folder) && files.contains { $0.hasPrefix(start) && Self.isGone($0) }
  }

  /// Whether a file is gone that defined how one version becomes another.
  var hasRemovedMapping: Bool {
    if let comparison { return comparison.hasRemovedMapping }
    return files.contains { file in
      (MappingFinder.isMapping(file) || file.contains(".xcmappingmodel/")) && Self.isGone(file)
    }
  }

  /// Returns whether a change may concern every path of a model: the order of its versions, `waystone.yml`,
  /// the lock, which lists the shipped versions, or a file that is gone.
  func concernsAll(of model: String, in project: Project) -> Bool {
    let folder = project.folder.resolved(model)
    return hasRemovedMapping || touches(file: "\(folder)/.xccurrentversion")
      || hasRemovals(below: folder) || touches(file: project.lockPath)
      || project.configuration.map { touches(file: $0.path) } == true
  }

  private static func isGone(_ path: String) -> Bool {
    !FileManager.default.fileExists(atPath: path)
  }

  /// Returns the path without symbolic links, as git gives it; for a file that is gone, as far as its folders
  /// exist.
  private static func canonical(_ path: String) -> String {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    guard !FileManager.default.fileExists(atPath: url.path) else {
      return url.resolvingSymlinksInPath().path
    }
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
    return "\(folder)/\(url.lastPathComponent)"
  }
}
