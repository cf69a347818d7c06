internal import Files
internal import ModelImport
internal import SwiftDataImport

/// The Swift files of a folder that may be an app's own: none in hidden folders, in playgrounds, in folders of
/// tests and of package managers, in projects of their own, and none behind a link.
struct SourceFolder {
  /// Folders in which package managers and builds keep what is not the project's own.
  private static let foreign: Set<String> = [
    "Pods", "Carthage", "DerivedData", "node_modules", "SourcePackages",
  ]

  /// The largest project file that is read, and the most bytes of all.
  static let projectLimits = (file: 32 << 20, all: 128 << 20)

  /// Returns whether a path below the folder, by its parts, is one of the app's own Swift files.
  ///
  /// - Parameter withTests: Whether folders of tests count too, since targets decide.
  static func holds(_ parts: [String], withTests: Bool = false) -> Bool {
    parts.last?.hasSuffix(".swift") == true
      && parts.allSatisfy {
        !$0.hasPrefix(".") && !foreign.contains($0) && !$0.hasSuffix(".playground")
      }
      && (withTests || !Project.isOfTests(parts))
  }

  /// Returns whether a path below the folder, by its parts, is that of an Xcode project's list of
  /// targets.
  static func isProject(_ parts: [String]) -> Bool {
    parts.last == XcodeProject.fileName
      && parts.dropLast().last?.hasSuffix(XcodeProject.suffix) == true
      && holds(parts.dropLast() + ["A.swift"], withTests: true)
  }

  /// Returns whether a file, by its path's parts below the folder, makes a folder in it a project of
  /// its own.
  static func isOfAnother(_ parts: [String]) -> Bool {
    parts.count > 1 && parts.last == Configuration.fileName
  }

  /// Returns the files below a folder in the order of their paths.
  ///
  /// - Parameter withTargets: Whether projects are read too, and folders of tests, which then decide.
  /// - Throws: ``WaystoneError`` where a file or folder cannot be read.
  /// - Complexity: O(*n*) in the bytes of the files.
  static func files(below folder: String, withTargets: Bool) throws -> SourceFiles {
    var walk = FolderWalk(below: folder, links: .reported)
    var files = SourceFiles()
    var size = 0
    var projectSize = 0
    while let item = walk.next() {
      switch item {
      case .folder(_, let path, _):
        let parts = path.split(separator: "/").map(String.init)
        guard holds(parts + ["A.swift"], withTests: withTargets) else {
          walk.skipFolder()
          continue
        }
        guard !parts.isEmpty else { continue }
        let isOther = try OtherProject.isAt("\(folder)/\(path)")
        if isOther { files.passedOver.append(path) }
        if try isOther || OwnCheckout.isAt("\(folder)/\(path)") { walk.skipFolder() }
      case .gap(let path, let error):
        guard path.hasSuffix(".swift") else { continue }
        throw InputFile.unreadable("\(folder)/\(path)", error)
      case .entry(let entry):
        let parts = entry.path.split(separator: "/").map(String.init)
        guard entry.status?.kind == .file else { continue }
        if withTargets, isProject(parts) {
          let file = try OpenFile(plainFile: entry.fullPath, limit: .max)
          let length = min(projectLimits.file + 1, projectLimits.all - projectSize)
          let bytes = try file.read(count: length, at: 0)
          projectSize += bytes.count
          files.projects.append(SourceText(name: entry.path, bytes: bytes))
        }
        guard holds(parts, withTests: withTargets) else { continue }
        let file = try OpenFile(plainFile: entry.fullPath, limit: .max)
        let length = min(Int(clamping: try file.status().size), SourceLimits.totalSize - size + 1)
        let bytes = try file.read(count: length, at: 0)
        size += bytes.count
        files.texts.append(SourceText(name: entry.path, bytes: bytes))
        // The limit is reported where the files would be parsed.
        guard size <= SourceLimits.totalSize, files.texts.count <= SourceLimits.fileCount else {
          return files
        }
      }
    }
    files.texts.sort { $0.name < $1.name }
    files.passedOver.sort()
    return files
  }
}

/// The Swift files of a folder, with the projects that may state to which targets they belong.
struct SourceFiles {
  /// The Swift files, by their paths below the folder.
  var texts: [SourceText] = []
  /// The `project.pbxproj` files.
  var projects: [SourceText] = []
  /// The folders that are projects of their own, with a `waystone.yml`, and are not read.
  var passedOver: [String] = []
}
