package import ObjectModel
internal import PropertyLists

/// All targets that the projects and packages of a folder declare.
package struct ProjectTargets: Sendable {
  /// The targets, those of Xcode's projects first.
  package private(set) var targets: [BuildTarget] = []
  /// The reasons why a project, or a part of one, does not count.
  package private(set) var findings: [Finding] = []

  /// The most targets that count; the largest public apps have some hundred.
  private static let greatestCount = 1_000

  /// The targets of each product of a package, by their indices.
  private var products: [String: [Int]] = [:]
  /// The targets by the path of their project, and their names.
  private var indices: [String: [String: Int]] = [:]
  /// The local packages outside of the folder, by the project that names them.
  private var outsidePackages: [String: [String]] = [:]

  /// The targets that some files declare.
  ///
  /// - Parameters:
  ///   - projects: The `project.pbxproj` files; one that is not understood is a finding.
  ///   - texts: The Swift files, the manifests of packages among them.
  ///   - path: The path of a project to which its targets are confined, from the folder; nil for all.
  /// - Throws: ``SwiftDataImportError`` where manifests cannot be read at all.
  /// - Complexity: O(*n*) in the bytes of projects and manifests, and in the number of texts.
  package init(
    projects: [SourceText],
    texts: [SourceText],
    of path: String? = nil
  ) throws(SwiftDataImportError) {
    for text in projects.sorted(by: { Self.isBefore($0.name, $1.name) })
    where path == nil || SourcePath.folder(of: text.name) == path {
      do {
        let project = try XcodeProject(text)
        findings += project.findings
        outsidePackages[project.path] = project.outsidePackages
        for target in project.targets { add(target) }
      } catch {
        findings.append(
          Finding(
            .unreadableSource,
            .warning,
            at: Finding.Place(file: text.name),
            message: "The targets of \(SourcePath.folder(of: text.name)) are not known. "
              + error.message,
            remedy: error.recovery
          )
        )
      }
    }
    let paths = texts.map { SourcePath.folded($0.name) }
    let manifests = texts.filter { PackageManifest.isManifest($0.name) }
    for file in try SourceParser.parse(manifests).sorted(by: { Self.isBefore($0.name, $1.name) }) {
      guard let manifest = file.manifest else { continue }
      for target in manifest.buildTargets(at: file.name, among: paths) { add(target) }
      for product in manifest.products where products[product.name] == nil {
        products[product.name] = product.targets.compactMap { indices[file.name]?[$0] }
      }
      if let line = manifest.unreadLine {
        findings.append(
          Finding(
            .unreadableSource,
            .note,
            at: Finding.Place(file: file.name, line: line),
            message: "A target here has a name, path or list that is computed, and is not known.",
            remedy: "Write it as a literal, if the app's models lie in that target."
          )
        )
      }
    }
  }

  /// Returns whether a path comes before another one: those with fewer folders come first.
  private static func isBefore(_ one: String, _ other: String) -> Bool {
    let depths = (one.count { $0 == "/" }, other.count { $0 == "/" })
    return depths.0 == depths.1 ? one < other : depths.0 < depths.1
  }

  private mutating func add(_ target: BuildTarget) {
    guard indices[target.project]?[target.name] == nil, targets.count < Self.greatestCount else {
      return
    }
    indices[target.project, default: [:]][target.name] = targets.count
    targets.append(target)
  }

  /// Returns the targets of a name, in the order of their projects.
  package func targets(called name: String) -> [BuildTarget] {
    targets.filter { $0.name == name }
  }

  /// Returns a target with all that it uses of the folder: frameworks of its project, and targets of local
  /// packages.
  ///
  /// Extensions, tests and other apps that it carries are no part of it.
  private func closure(of chosen: [BuildTarget]) -> [BuildTarget] {
    var found: [Int] = []
    var seen: Set<Int> = []
    for target in chosen {
      guard let index = indices[target.project]?[target.name] else { continue }
      if seen.insert(index).inserted { found.append(index) }
    }
    var next = 0
    while next < found.count {
      let current = targets[found[next]]
      next += 1
      let own = current.dependencies.compactMap { indices[current.project]?[$0] }
      // A package's dependency by name is a target of its own, where it has one.
      let isPackage = PackageManifest.isManifest(current.project)
      let foreign = current.products.filter { name in
        !isPackage || indices[current.project]?[name] == nil
      }.flatMap { products[$0] ?? [] }
      for index in own + foreign where targets[index].isPart && seen.insert(index).inserted {
        found.append(index)
      }
    }
    return found.map { targets[$0] }
  }

  /// Returns the paths of those files that some targets, or the targets that these use, compile.
  package func paths(of chosen: [BuildTarget], among texts: [SourceText]) -> Set<String> {
    let all = closure(of: chosen)
    return Set(
      texts.filter { text in
        let path = SourcePath.folded(text.name)
        return all.contains { $0.compiles(path) }
      }.map(\.name)
    )
  }

  /// Returns the files of some targets, each with the first target that compiles it.
  package func selection(of chosen: [BuildTarget], from texts: [SourceText]) -> TargetSelection {
    var selection = TargetSelection()
    let all = closure(of: chosen)
    var present: Set<String> = []
    for text in texts {
      let path = SourcePath.folded(text.name)
      guard let target = all.first(where: { $0.compiles(path) }) else { continue }
      var text = text
      text.module = target.moduleName
      selection.texts.append(text)
      present.insert(path)
    }
    for target in all {
      let missing = target.files.filter { !present.contains($0.key) }.values.sorted()
      selection.tell(missing, of: target, "not here, or behind a link")
      selection.tell(target.outside, of: target, "outside of this folder")
      let unknown = target.products.contains { products[$0] == nil }
      guard unknown, let packages = outsidePackages[target.project] else { continue }
      selection.tell(packages, of: target, "outside of this folder", "package")
    }
    return selection
  }

  /// Returns all files, each with the only target that compiles it; without one where none or several do.
  package func assigned(_ texts: [SourceText]) -> [SourceText] {
    guard !targets.isEmpty else { return texts }
    var owners: [String: [Int]] = [:]
    for (index, target) in targets.enumerated() {
      for path in Array(target.files.keys) + target.folders.keys {
        owners[path, default: []].append(index)
      }
    }
    return texts.map { text in
      let path = SourcePath.folded(text.name)
      let near = Set(SourcePath.prefixes(of: path).flatMap { owners[$0] ?? [] })
      let own = near.filter { targets[$0].compiles(path) }
      guard let only = own.first, own.count == 1 else { return text }
      var text = text
      text.module = targets[only].moduleName
      return text
    }
  }

  /// Returns the targets that make a container of an app's store: the programs, or the libraries where there
  /// are none.
  ///
  /// - Throws: ``SwiftDataImportError`` where sources cannot be read at all.
  /// - Complexity: O(*n*) in the bytes of the files that mention a container, and in the number of all.
  package func makingContainers(
    among texts: [SourceText],
    conditions: CompilationConditions = CompilationConditions()
  ) throws(SwiftDataImportError) -> [BuildTarget] {
    let files = try SourceParser.parse(texts.filter(\.mentionsContainers), conditions: conditions)
    let paths = files.filter { file in
      file.containers.contains { $0.callee != "Schema" && $0.isTemporary != true }
    }.map { SourcePath.folded($0.name) }
    let programs = targets.filter(\.isProgram).filter { program in
      let all = closure(of: [program])
      return paths.contains { path in all.contains { $0.compiles(path) } }
    }
    guard programs.isEmpty else { return programs }
    return targets.filter { $0.kind == .library }.filter { library in
      paths.contains { library.compiles($0) }
    }
  }
}

/// The files of a target and of all that it uses.
package struct TargetSelection: Sendable {
  /// The files.
  package fileprivate(set) var texts: [SourceText] = []
  /// The files that it lacks.
  package fileprivate(set) var findings: [Finding] = []

  fileprivate mutating func tell(
    _ names: [String],
    of target: BuildTarget,
    _ what: String,
    _ noun: String = "file"
  ) {
    guard let first = names.first else { return }
    let isOne = names.count == 1
    let subject =
      isOne
      ? "1 \(noun) of the target \(target.name) is"
      : "\(names.count) \(noun)s of the target \(target.name) are"
    let file =
      target.project.hasSuffix(XcodeProject.suffix)
      ? "\(target.project)/\(XcodeProject.fileName)" : target.project
    findings.append(
      Finding(
        .unreadableSource,
        .warning,
        at: Finding.Place(file: file),
        message: "\(subject) \(what)\(isOne ? ":" : ", as") \(first.prefix(200)).",
        remedy: "If models are declared there, let `models:` name a folder that holds "
          + (isOne ? "it." : "them.")
      )
    )
  }
}
