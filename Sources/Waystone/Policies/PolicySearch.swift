internal import Files
package import SwiftDataImport

extension Project {
  /// The class names of policies that the mappings name, without their modules.
  package var policyClassNames: Set<String> {
    Set(
      binding.edges.flatMap(\.policyNames).map {
        $0.split(separator: ".").last.map(String.init) ?? $0
      }
    )
  }
}

extension PolicySelection {
  /// Selects what policies need from Swift sources.
  ///
  /// - Parameter wanted: The class names that mappings mention; nil for all policies.
  /// - Throws: ``WaystoneError`` in a build that reads no Swift.
  package static func reading(
    _ sources: PolicySources,
    wanted: Set<String>?
  ) throws(WaystoneError) -> PolicySelection {
    guard SourceParser.isAvailable else {
      throw WaystoneError(
        .badArgument,
        "This build of Waystone reads no Swift sources.",
        recovery: "Build it with the package trait SwiftData."
      )
    }
    return PolicySelection(sources.texts, wanted: wanted)
  }
}
