import ObjectModel

/// A finder of the files of authored mappings.
package enum MappingFinder {
  private static let endingsOfCoreData = [".xcmappingmodel", ".cdm"]

  /// The endings of the files' names.
  package static let endings =
    endingsOfCoreData + [
      ".hop.yml", ".hop.yaml", ".hop.json", ".staged.yml", ".staged.yaml",
      ".staged.json",
    ]

  /// Returns whether a path is that of a file or folder of mappings, by its ending.
  package static func isMapping(_ path: String) -> Bool {
    let name = FilePath(path).name
    return name == MappingForm.innerName || endings.contains { name.hasSuffix($0) }
  }

  /// Returns whether a path is that of a mapping model that Xcode or its compiler made, by its ending.
  package static func isOfCoreData(_ path: String) -> Bool {
    let name = FilePath(path).name
    return name == MappingForm.innerName || endingsOfCoreData.contains { name.hasSuffix($0) }
  }

  /// Returns the paths of all mappings at a path or below it, in byte order.
  ///
  /// Hidden files and folders are passed over, and so are the insides of models and a checkout of
  /// Waystone.
  /// - Throws: ``ModelImportError`` for a folder that cannot be read, or that contains itself.
  package static func mappings(below path: String) throws(ModelImportError) -> [String] {
    var walk = Walk()
    try walk.read(FilePath(path))
    return walk.found.sorted(by: ByteOrder.precedes)
  }

  /// Returns the paths of the mappings that belong to models at a path: below a folder, or beside a
  /// model.
  ///
  /// - Throws: ``ModelImportError``, as for reading a folder.
  package static func mappings(forModels path: String) throws(ModelImportError) -> [String] {
    let path = FilePath(path)
    guard try path.kind == .folder, path.isModelFolder || path.hasExtension("xcdatamodel") else {
      return try path.kind == .folder ? mappings(below: path.string) : []
    }
    // The folders beside a model's folder are unknown, so that these are not entered.
    var result: [String] = []
    let parent = path.parent
    for name in try parent.entries().names where !name.hasPrefix(".") {
      let entry = parent.appending(name)
      if isMapping(entry.string) { result.append(entry.string) }
    }
    return result
  }

  private struct Walk {
    var found: [String] = []
    private var visited: Set<FilePath.Identity> = []
    private var depth = 0

    mutating func read(_ path: FilePath) throws(ModelImportError) {
      let kind = try path.kind
      guard kind != .missing else { throw path.missing() }
      if MappingFinder.isMapping(path.string) {
        found.append(path.string)
      } else if kind == .folder {
        try walk(path)
      }
    }

    private mutating func walk(_ folder: FilePath) throws(ModelImportError) {
      guard let identity = try folder.identity else { throw folder.missing() }
      guard depth < ArchiveWalk.greatestDepth else {
        throw ModelImportError(
          .folderLoop,
          file: folder.string,
          message: "The folder lies more than \(ArchiveWalk.greatestDepth) folders deep.",
          recovery: "Name a folder that does not contain it."
        )
      }
      guard visited.insert(identity).inserted else { return }
      if depth > 0, try OwnCheckout.isAt(folder.string) { return }
      if depth > 0, try OtherProject.isAt(folder.string) { return }
      depth += 1
      for name in try folder.entries().names where !name.hasPrefix(".") {
        let path = folder.appending(name)
        // A link to nowhere that is named like a mapping is one that cannot be read.
        if try path.kind == .missing {
          if MappingFinder.isMapping(path.string) { found.append(path.string) }
          continue
        }
        if path.isModelFolder || path.hasExtension("xcdatamodel") {
          continue
        }
        try read(path)
      }
      depth -= 1
    }
  }
}

extension FilePath {
  /// Whether this is a folder of a model's versions.
  fileprivate var isModelFolder: Bool { hasExtension("xcdatamodeld") || hasExtension("momd") }
}
