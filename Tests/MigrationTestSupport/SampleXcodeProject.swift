/// An Xcode project with a few targets, as tests write it.
public struct SampleXcodeProject {
  /// A target.
  public struct Target {
    /// The name.
    public var name: String
    /// The end of the product's type, such as `application`.
    public var product: String
    /// The files of its sources phase, from the project's folder.
    public var files: [String] = []
    /// The synchronized folders.
    public var folders: [String] = []
    /// The exceptions by their folders, which need not be the target's own.
    public var exceptions: [String: [String]] = [:]
    /// The targets on which it depends.
    public var dependencies: [String] = []
    /// The products of packages that it uses.
    public var products: [String] = []

    /// A target without files.
    public init(_ name: String, _ product: String = "application") {
      self.name = name
      self.product = product
    }

    /// The target with changes.
    public func with(_ change: (inout Target) -> Void) -> Target {
      var target = self
      change(&target)
      return target
    }
  }

  /// The targets.
  public var targets: [Target]

  /// A project.
  public init(_ targets: Target...) { self.targets = targets }

  /// The text of its `project.pbxproj`.
  public var text: String {
    var objects: [String] = []
    let files = Set(targets.flatMap(\.files)).sorted()
    let folders = Set(targets.flatMap { $0.folders + $0.exceptions.keys }).sorted()
    var groups: [String: [String]] = [:]
    for file in files {
      let parts = file.split(separator: "/")
      groups[parts.dropLast().joined(separator: "/"), default: []].append(file)
      objects.append(
        "\"F \(file)\" /* \(file) */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.swift; "
          + "path = \"\(parts.last ?? "")\"; sourceTree = \"<group>\"; };"
      )
    }
    for (folder, files) in groups {
      objects.append(
        "\"G \(folder)\" = {isa = PBXGroup; children = (\(list(files.map { "F \($0)" }))); "
          + "path = \"\(folder)\"; sourceTree = \"<group>\"; };"
      )
    }
    for folder in folders {
      let sets = targets.filter { $0.exceptions[folder] != nil }
      objects.append(
        "\"S \(folder)\" = {isa = PBXFileSystemSynchronizedRootGroup; exceptions = ("
          + list(sets.map { "E \($0.name) \(folder)" })
          + "); path = \"\(folder)\"; sourceTree = \"<group>\"; };"
      )
      for target in sets {
        objects.append(
          "\"E \(target.name) \(folder)\" = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; "
            + "membershipExceptions = (\(list(target.exceptions[folder] ?? []))); "
            + "target = \"T \(target.name)\"; };"
        )
      }
    }
    let children = groups.keys.sorted().map { "G \($0)" } + folders.map { "S \($0)" }
    objects.append(
      "MAIN = {isa = PBXGroup; children = (\(list(children))); sourceTree = \"<group>\"; };"
    )
    for target in targets { objects += self.objects(of: target) }
    let names = list(targets.map { "T \($0.name)" })
    objects.append("PROJECT = {isa = PBXProject; mainGroup = MAIN; targets = (\(names)); };")
    return """
      // !$*UTF8*$!
      {
        archiveVersion = 1;
        objectVersion = 77;
        objects = {
          \(objects.joined(separator: "\n    "))
        };
        rootObject = PROJECT /* Project object */;
      }

      """
  }

  private func objects(of target: Target) -> [String] {
    let name = target.name
    let built = target.files.map { "B \(name) \($0)" }
    return [
      "\"T \(name)\" = {isa = PBXNativeTarget; name = \"\(name)\"; buildPhases = (\"P \(name)\"); "
        + "dependencies = (\(list(target.dependencies.map { "D \(name) \($0)" }))); "
        + "fileSystemSynchronizedGroups = (\(list(target.folders.map { "S \($0)" }))); "
        + "packageProductDependencies = (\(list(target.products.map { "Q \(name) \($0)" }))); "
        + "productType = \"com.apple.product-type.\(target.product)\"; };",
      "\"P \(name)\" = {isa = PBXSourcesBuildPhase; files = (\(list(built))); };",
    ]
      + target.files.map {
        "\"B \(name) \($0)\" = {isa = PBXBuildFile; fileRef = \"F \($0)\"; };"
      }
      + target.dependencies.map {
        "\"D \(name) \($0)\" = {isa = PBXTargetDependency; target = \"T \($0)\"; };"
      }
      + target.products.map {
        "\"Q \(name) \($0)\" = {isa = XCSwiftPackageProductDependency; productName = \($0); };"
      }
  }

  private func list(_ names: [String]) -> String {
    names.map { "\"\($0)\", " }.joined()
  }
}
