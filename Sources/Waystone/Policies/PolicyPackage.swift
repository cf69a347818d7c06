internal import Files
package import ObjectModel
package import SwiftDataImport

/// A Swift package with an app's own policies, which builds a `waystone` that runs them.
package struct PolicyPackage: Sendable {
  /// The place of Waystone's package: a folder, or a URL with a version.
  package enum Dependency: Hashable, Sendable {
    /// A checkout, by its absolute path.
    case folder(String)
    /// A repository, with the version that is taken.
    case repository(String, version: String)
  }

  /// The selected part of the app's sources.
  package let selection: PolicySelection
  /// The classes that Xcode generates from the models, as Swift.
  private let generated: GeneratedClasses
  private let dependency: Dependency
  /// The name of the program, which must not be that of Waystone's own.
  package static let product = "waystone-policies"

  /// A package of a selection.
  ///
  /// - Parameter models: The app's models, whose generated classes policies may use.
  package init(
    _ selection: PolicySelection,
    models: [VersionedModel],
    dependency: Dependency
  ) {
    self.selection = selection
    self.dependency = dependency
    generated = GeneratedClasses(models, for: selection)
  }

  /// The name of the file that marks a folder as made by this.
  private static let mark = ".made-by-waystone"

  /// Writes the package into a folder, in the place of an earlier one.
  ///
  /// - Parameters:
  ///   - folder: The absolute path.
  ///   - excluded: The class names of policies that are left out, with the files that only they need.
  /// - Throws: ``WaystoneError`` where the folder holds something else, or `FileError`.
  package func write(to folder: String, without excluded: Set<String>) throws {
    let sources = "\(folder)/Sources/\(Self.product)"
    // A folder that leads elsewhere would be emptied there.
    for path in [folder, "\(folder)/Sources", sources, "\(folder)/\(Self.mark)"] {
      let kind = try FileSystem.status(path, followsLinks: false)?.kind
      guard kind == nil || kind == .folder || kind == .file else {
        throw WaystoneError(
          .badArgument,
          "\(path) is a link or a device, and the package is not written through it.",
          recovery: "Remove it, or give another folder as --output."
        )
      }
    }
    try FileSystem.ensureFolders(folder)
    let found = try FileSystem.names(inFolder: folder)
    guard found.isEmpty || found.contains(Self.mark) else {
      throw WaystoneError(
        .badArgument,
        "\(folder) is there, and was not made by `waystone policies`.",
        recovery: "Give an empty folder, or one that does not exist yet, as --output."
      )
    }
    // First, so that a run that was killed can be repeated.
    try AtomicFile.write("", to: "\(folder)/\(Self.mark)")
    try FileSystem.ensureFolders(sources)
    try AtomicFile.write("*\n", to: "\(folder)/.gitignore")
    try AtomicFile.write(manifest, to: "\(folder)/Package.swift")
    var names: Set<String> = []
    for (name, text) in files(without: excluded) {
      names.insert(name)
      try AtomicFile.write(text, to: "\(sources)/\(name)")
    }
    for name in try FileSystem.names(inFolder: sources) where !names.contains(name) {
      _ = try FileSystem.remove("\(sources)/\(name)")
    }
  }

  private var manifest: String {
    let place =
      switch dependency {
      case .folder(let path): "name: \"Waystone\", path: \(Self.literal(path))"
      case .repository(let url, let version):
        "url: \(Self.literal(url)), exact: \(Self.literal(version))"
      }
    return """
      // swift-tools-version: 6.2
      // Made by `waystone policies`, which writes it anew.
      import PackageDescription

      let package = Package(
        name: "policies",
        dependencies: [.package(\(place))],
        targets: [
          .executableTarget(
            name: "\(Self.product)",
            dependencies: ["Waystone", "WaystoneCommand", "CoreData"].map {
              .product(name: $0, package: "Waystone")
            },
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]
          )
        ]
      )

      """
  }

  private func files(without excluded: Set<String>) -> [(name: String, text: String)] {
    var files = selection.files.enumerated().map { index, file in
      (name: "\(Self.plain(file.name))-\(index).swift", text: file.text(without: excluded))
    }
    files.append((name: "Generated.swift", text: generated.text))
    files.append(
      (name: "Silence.swift", text: SilencedOutput.text(besides: selection.declaredNames))
    )
    files.append((name: "main.swift", text: main(without: excluded)))
    return files
  }

  /// Returns the name of a file without its ending, for any file system.
  private static func plain(_ path: String) -> String {
    String(
      FileSystem.name(of: path).dropLast(".swift".count)
        .map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    )
  }

  static func literal(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private func main(without excluded: Set<String>) -> String {
    var lines = ["import CoreData", "import Waystone", "import WaystoneCommand", ""]
    lines.append("var registry = MigrationRegistry()")
    for policy in selection.policies where !excluded.contains(policy.className) {
      lines.append("registry.register(\(policy.className).self)")
      if let name = policy.objectiveCName {
        lines.append("registry.register(\(policy.className).self, as: \(Self.literal(name)))")
      }
    }
    let classes = selection.managedObjectClasses.filter { !selection.isOnly($0.key, in: excluded) }
    for (name, known) in classes.sorted(by: { $0.key < $1.key }) {
      lines.append("ManagedObjectClasses.register(\(name).self, as: \(Self.literal(known)))")
    }
    for name in generated.names { lines.append("ManagedObjectClasses.register(\(name).self)") }
    lines.append("await WaystoneProgram.main(registry)")
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The classes that Xcode generates from models at build time, as far as a selection uses them.
struct GeneratedClasses {
  private(set) var text = "import CoreData\n"
  /// The names of the classes.
  private(set) var names: [String] = []

  init(_ models: [VersionedModel], for selection: PolicySelection) {
    var done: Set<String> = []
    // A class has the properties of all versions, since policies know old and new ones.
    let entities = models.flatMap(\.versions).reversed().flatMap { version in
      version.model.entities.map { (version.model, $0) }
    }
    for (_, entity) in entities {
      guard let name = entity.managedObjectClassName?.split(separator: ".").last.map(String.init),
        selection.missingNames.contains(name), Self.isIdentifier(name),
        done.insert(name).inserted
      else { continue }
      var seen: Set<String> = []
      var lines = ["class \(name): NSManagedObject {"]
      for (other, same) in entities where same.name == entity.name {
        for declared in other.properties(of: same.name)
        where Self.isIdentifier(declared.property.name)
          && seen.insert(declared.property.name).inserted
        {
          lines.append("  " + Self.property(declared.property))
        }
      }
      names.append(name)
      text += lines.joined(separator: "\n") + "\n}\n"
    }
  }

  /// Returns whether a name is a Swift identifier; any other text of an untrusted model would be read
  /// as code.
  static func isIdentifier(_ name: String) -> Bool {
    !name.isEmpty && name.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private static func property(_ property: PropertyDescription) -> String {
    let name = property.name
    return
      "var `\(name)`: \(type(property)) { get { managedValue(forKey: \"\(name)\") }"
      + " set { setManagedValue(newValue, forKey: \"\(name)\") } }"
  }

  private static func type(_ property: PropertyDescription) -> String {
    switch property {
    case .fetchedProperty: return "[Any]?"
    case .relationship(let relationship):
      guard relationship.isToMany else { return "NSManagedObject?" }
      return relationship.isOrdered ? "NSOrderedSet?" : "NSSet?"
    case .attribute(let attribute):
      let isScalar = attribute.usesScalarValueType ?? true
      switch attribute.attributeType {
      case .integer16: return isScalar ? "Int16" : "NSNumber?"
      case .integer32: return isScalar ? "Int32" : "NSNumber?"
      case .integer64: return isScalar ? "Int64" : "NSNumber?"
      case .boolean: return isScalar ? "Bool" : "NSNumber?"
      case .double: return isScalar ? "Double" : "NSNumber?"
      case .float: return isScalar ? "Float" : "NSNumber?"
      case .decimal: return "NSDecimalNumber?"
      case .string: return "String?"
      case .date: return "Date?"
      case .binary: return "Data?"
      case .uuid: return "UUID?"
      case .uri: return "URL?"
      case .transformable: return attribute.attributeValueClassName == nil ? "NSObject?" : "Any?"
      case .undefined, .objectID, .composite: return "Any?"
      }
    }
  }
}
