internal import ObjectModel
internal import PropertyLists

/// The targets of an Xcode project, as its `project.pbxproj` lists them.
package struct XcodeProject: Sendable {
  /// The name of the file that is read.
  package static let fileName = "project.pbxproj"
  /// The end of the name of the folder around it.
  package static let suffix = ".xcodeproj"

  /// The path of the project, from the folder that is read.
  package let path: String
  /// The targets.
  private(set) var targets: [BuildTarget] = []
  /// The local packages outside of the folder that is read.
  private(set) var outsidePackages: [String] = []
  /// The reasons why a part of it does not count.
  private(set) var findings: [Finding] = []

  private typealias Object = [String: PropertyList]

  private var objects: Object = [:]
  /// The paths of groups and files; nil for those outside of the folder that is read.
  private var paths: [String: String?] = [:]
  /// The number of references that may yet be followed, since many targets may name the same long lists.
  private var rest = 2_000_000

  /// Reads a project.
  ///
  /// - Parameter text: The bytes of its `project.pbxproj`, with the path.
  /// - Throws: `PropertyListError`, which names the line that is not understood.
  /// - Complexity: O(*n*) in the bytes.
  init(_ text: SourceText) throws(PropertyListError) {
    path = SourcePath.folder(of: text.name)
    let root = try PropertyList(text: text.bytes).dictionary ?? [:]
    guard let objects = root["objects"]?.dictionary, let id = root["rootObject"]?.string,
      let project = objects[id]?.dictionary
    else {
      throw PropertyListError(.unexpectedValue, "It has no objects of a project.")
    }
    self.objects = objects
    let folder = SourcePath.folder(of: path)
    let base = SourcePath.joined(folder, project["projectDirPath"]?.string ?? "")
    follow(project["mainGroup"]?.string, base)
    readTargets(project, base)
    self.objects = [:]
    paths = [:]
  }

  private func object(_ id: String?) -> Object? { id.flatMap { objects[$0]?.dictionary } }

  private static func strings(_ value: PropertyList?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  /// Returns the objects that a list names, as long as references may be followed.
  private mutating func list(_ value: PropertyList?) -> [(id: String, object: Object)] {
    var result: [(id: String, object: Object)] = []
    for id in Self.strings(value) {
      rest -= 1
      guard rest > 0 else {
        tellOnce("lists more files than any app has, so that not all count")
        break
      }
      if let object = object(id) { result.append((id, object)) }
    }
    return result
  }

  private mutating func tellOnce(_ what: String) {
    let message = "\(path) \(what)."
    guard !findings.contains(where: { $0.message == message }) else { return }
    findings.append(
      Finding(
        .unreadableSource,
        .warning,
        at: Finding.Place(file: "\(path)/\(Self.fileName)"),
        message: message,
        remedy: "Open the project in Xcode, and see which groups its navigator shows."
      )
    )
  }

  // MARK: Paths

  /// Finds the paths of all groups and files below a group; the first place of each counts.
  private mutating func follow(_ group: String?, _ base: String?) {
    guard let group, object(group) != nil else { return }
    var next: [(id: String, around: String?, depth: Int)] = [(group, base, 0)]
    while let (id, around, depth) = next.popLast() {
      guard let object = object(id) else { continue }
      guard paths[id] == nil else {
        tellOnce("has a group that stands in itself, or twice")
        continue
      }
      guard depth <= SourcePath.greatestDepth else {
        tellOnce("has groups nested deeper than any app's")
        continue
      }
      let path = path(of: object, around, base)
      paths[id] = .some(path)
      for child in Self.strings(object["children"]) { next.append((child, path, depth + 1)) }
    }
  }

  private func path(of object: Object, _ around: String?, _ base: String?) -> String? {
    let own = object["path"]?.string ?? ""
    switch object["sourceTree"]?.string {
    case "<group>", nil: return around.flatMap { SourcePath.joined($0, own) }
    case "SOURCE_ROOT": return base.flatMap { SourcePath.joined($0, own) }
    default: return nil
    }
  }

  // MARK: Targets

  private mutating func readTargets(_ project: Object, _ base: String?) {
    let listed = list(project["targets"]).filter { $0.object["name"]?.string != nil }
    var indices: [String: Int] = [:]
    var products: [String: String] = [:]
    for (id, object) in listed where indices[id] == nil {
      indices[id] = targets.count
      let name = object["name"]?.string ?? ""
      if let product = object["productReference"]?.string { products[product] = name }
      let kind = Self.kind(object["productType"]?.string ?? "")
      targets.append(BuildTarget(name: name, kind: kind, project: path))
    }
    var groups: [String: Set<Int>] = [:]
    for (id, object) in listed {
      guard let index = indices[id], targets[index].name == object["name"]?.string else { continue }
      for phase in list(object["buildPhases"]) { read(phase.object, into: index, products) }
      for group in list(object["fileSystemSynchronizedGroups"]) {
        groups[group.id, default: []].insert(index)
      }
      for item in list(object["dependencies"]) {
        if let name = self.object(item.object["target"]?.string)?["name"]?.string {
          targets[index].dependencies.append(name)
        }
        takeProduct(item.object["productRef"], into: index)
      }
      for product in Self.strings(object["packageProductDependencies"]) {
        takeProduct(.string(product), into: index)
      }
    }
    readFolders(groups, indices)
    for package in list(project["packageReferences"]) {
      guard let path = package.object["relativePath"]?.string,
        base.flatMap({ SourcePath.joined($0, path) }) == nil
      else { continue }
      outsidePackages.append(path)
    }
  }

  private static func kind(_ type: String) -> BuildTarget.Kind {
    let name = type.split(separator: ".").last.map(String.init) ?? ""
    if type.contains(".bundle.unit-test") || type.contains(".bundle.ui-testing")
      || type.contains(".bundle.multi-ui-testing") || type.contains("ocunit-test")
    {
      return .tests
    }
    if type.contains("extension") || type.contains("xpc-service") || type.contains("imageunit") {
      return .appExtension
    }
    if type.contains("product-type.application") { return .app }
    if name == "tool" { return .tool }
    return type.contains(".framework") || type.contains(".library") ? .library : .other
  }

  private mutating func read(_ phase: Object, into index: Int, _ products: [String: String]) {
    let kind = phase["isa"]?.string
    guard kind == "PBXSourcesBuildPhase" || kind == "PBXFrameworksBuildPhase" else { return }
    for (_, file) in list(phase["files"]) {
      if kind == "PBXFrameworksBuildPhase" {
        takeProduct(file["productRef"], into: index)
        if let name = file["fileRef"]?.string.flatMap({ products[$0] }) {
          targets[index].dependencies.append(name)
        }
        continue
      }
      guard let id = file["fileRef"]?.string, let object = object(id),
        let name = object["path"]?.string ?? object["name"]?.string, name.hasSuffix(".swift")
      else { continue }
      if case .some(.some(let path)) = paths[id] {
        targets[index].files[SourcePath.folded(path)] = path
      } else {
        targets[index].outside.append(name)
      }
    }
  }

  private mutating func takeProduct(_ value: PropertyList?, into index: Int) {
    rest -= 1
    guard rest > 0, let name = object(value?.string)?["productName"]?.string else { return }
    targets[index].products.append(name)
  }

  /// Takes the folders that Xcode 16 synchronizes: an exception leaves a file out of a target that has the
  /// folder, and adds it to one that has not.
  private mutating func readFolders(_ groups: [String: Set<Int>], _ indices: [String: Int]) {
    let ids = objects.keys.filter {
      object($0)?["isa"]?.string == "PBXFileSystemSynchronizedRootGroup"
    }.sorted()
    for id in ids {
      let owners = groups[id] ?? []
      guard case .some(.some(let folder)) = paths[id] else {
        let name = object(id)?["path"]?.string ?? id
        for owner in owners { targets[owner].outside.append("\(name)/") }
        continue
      }
      for owner in owners { targets[owner].folders[SourcePath.folded(folder), default: []] = [] }
      for (_, exception) in list(object(id)?["exceptions"]) {
        guard let target = target(of: exception, indices) else { continue }
        for entry in Self.strings(exception["membershipExceptions"]) {
          rest -= 1
          guard rest > 0, let path = SourcePath.joined(folder, entry) else { continue }
          if owners.contains(target) {
            targets[target].folders[SourcePath.folded(folder), default: []].insert(
              SourcePath.folded(path)
            )
          } else if entry.hasSuffix(".swift") {
            targets[target].files[SourcePath.folded(path)] = path
          }
        }
      }
    }
  }

  private func target(of exception: Object, _ indices: [String: Int]) -> Int? {
    guard exception["isa"]?.string == "PBXFileSystemSynchronizedBuildFileExceptionSet" else {
      return nil
    }
    return exception["target"]?.string.flatMap { indices[$0] }
  }
}
