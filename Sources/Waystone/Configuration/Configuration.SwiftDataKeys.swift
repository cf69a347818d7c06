internal import SwiftDataImport
internal import Yams

extension Configuration {
  /// The answers of a project under `swiftdata:`.
  package struct SwiftDataKeys: Hashable, Sendable {
    /// The names of the classes that the app gives its container; none where the sources show them.
    package var models: [String] = []
    /// The flags of the build that `#if` asks for.
    package var flags: [String] = []
    /// The platform that `os()` names.
    package var platform: Entry?
    /// The forms of Swift types that stores of the app show, by the types' keys.
    package var types: [String: StatedForm] = [:]

    /// No answer.
    init() {}

    /// The answers in a part of the file.
    init(_ node: Node, in configuration: Configuration) throws(WaystoneError) {
      guard case .mapping(let mapping) = node else {
        throw configuration.expected("keys and values", "swiftdata", node)
      }
      for (key, value) in mapping {
        switch key.scalar?.string {
        case "models": models = try Self.names(value, "models", configuration)
        case "flags": flags = try Self.names(value, "flags", configuration)
        case "platform":
          platform = try configuration.entry(value, "platform", "a platform, as os() names it")
        case "types": types = try Self.forms(value, configuration)
        case let name:
          throw configuration.error(
            line: key.mark?.line,
            "`swiftdata` has no key \(name.map { "`\($0)`" } ?? "of that kind").",
            recovery: "Its keys are models, flags, platform and types."
          )
        }
      }
    }

    private static func names(
      _ node: Node,
      _ key: String,
      _ configuration: Configuration
    ) throws(WaystoneError) -> [String] {
      guard case .sequence(let nodes) = node else {
        throw configuration.expected("a list of names", key, node)
      }
      return try nodes.map { node throws(WaystoneError) in
        try configuration.entry(node, key, "a list of names").text
      }
    }
  }

  /// The options for the reader of sources.
  ///
  /// - Throws: ``WaystoneError`` where the platform is none.
  var swiftDataOptions: SwiftDataOptions {
    get throws(WaystoneError) {
      let platform = swiftData.platform?.text ?? "iOS"
      guard CompilationConditions.platforms.contains(platform) else {
        throw error(
          line: swiftData.platform?.line,
          "There is no platform \(platform) with SwiftData.",
          recovery:
            "Name one of \(CompilationConditions.platforms.sorted().joined(separator: ", "))."
        )
      }
      return SwiftDataOptions(
        models: swiftData.models,
        target: target?.text,
        conditions: CompilationConditions(flags: Set(swiftData.flags), platform: platform),
        types: swiftData.types.mapValues(\.form),
        configurationUse: configurationUse
      )
    }
  }
}
