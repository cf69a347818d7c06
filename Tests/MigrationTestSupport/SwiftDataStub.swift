import Foundation

/// Declarations such as SwiftData's, against which a compiler checks a schema.
public enum SwiftDataStub {
  /// Returns what the compiler finds wrong with a schema; nil where it is right.
  ///
  /// Macros and attributes are checked as calls, since there is nothing here that expands them.
  public static func errors(in contents: String) throws -> String? {
    var plain: [String] = []
    var calls: [String] = []
    var isModel = false
    var schema = ""
    for line in contents.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      var text = String(line.drop { $0 == " " || $0 == "\t" })
      if text.hasPrefix("public ") { text.removeFirst(7) }
      if text.hasPrefix("@Attribute") || text.hasPrefix("@Relationship") || text.hasPrefix("#") {
        calls.append("_ = \(text.dropFirst())")
      } else if text == "@Model" {
        isModel = true
      } else if !text.hasPrefix("import Swift") {
        if text.hasPrefix("enum "), schema.isEmpty {
          schema = String(text.dropFirst(5).prefix { $0 != ":" })
        }
        let isRoot = isModel && !text.contains(":")
        plain.append(isRoot ? line.replacing(" {", with: ": PersistentModel {") : line)
        isModel = false
      }
    }
    guard !schema.isEmpty else { return "There is no schema." }
    let check = "extension \(schema) { static func check() {\n\(calls.joined(separator: "\n"))\n} }"
    return try TemporaryFolder.with { folder in
      let path = folder + "/Schema.swift"
      let text = declarations + plain.joined(separator: "\n") + check
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let swift = Process()
      swift.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      swift.arguments = ["swiftc", "-typecheck", path]
      let output = Pipe()
      swift.standardError = output
      try swift.run()
      let errors = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(),
        as: UTF8.self
      )
      swift.waitUntilExit()
      return swift.terminationStatus == 0 ? nil : errors
    }
  }

  private static let declarations = """
    import Foundation

    public protocol PersistentModel: AnyObject {}
    public protocol VersionedSchema {
      static var versionIdentifier: Schema.Version { get }
      static var models: [any PersistentModel.Type] { get }
    }
    public enum Schema {
      public struct Version { init(_ major: Int, _ minor: Int, _ patch: Int) {} }
    }
    enum AttributeOption {
      case unique, externalStorage, allowsCloudEncryption, preserveValueOnDeletion, ephemeral
      case spotlight, transformable(by: String)
    }
    enum DeleteRule { case cascade, deny, noAction, nullify }
    enum Color { struct Resolved: Codable {} }
    func Attribute(
      _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil
    ) {}
    func Relationship(
      deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {}
    struct Index<Model> { init(_ paths: [PartialKeyPath<Model>]...) {} }
    struct Unique<Model> { init(_ paths: [PartialKeyPath<Model>]...) {} }

    """
}
