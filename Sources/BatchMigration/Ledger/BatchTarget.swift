package import Waystone

/// The version that a batch leads to, fixed when it began: `@current` may mean another one later.
package struct BatchTarget: Hashable, Sendable {
  /// The target's name in reports: the name of the one version, or that each model goes to its current one.
  package let name: String
  /// The names of the versions that `@current` means, by their models' names; none for other names.
  package let current: [String: String]

  /// The name where several models each have a current version.
  private static let currentVersions = "the current versions"
  private static let optionName = "currentVersions"

  /// Resolves the caller's name of a version in the models of a batch.
  ///
  /// - Throws: ``WaystoneError``, `unknownVersion` or `ambiguousVersion`, where it names none.
  package init(_ version: String, in projects: [Project]) throws {
    guard version == VersionName.current.text else {
      current = [:]
      guard let project = projects.first, projects.count == 1 else {
        name = version
        return
      }
      name = try version.split(separator: ",")
        .map { project.names.name(of: try project.names.version(String($0))) }
        .joined(separator: ",")
      return
    }
    var found: [String: String] = [:]
    for project in projects {
      for model in project.archive.models {
        guard let version = model.current else { continue }
        let name = project.names.name(of: version)
        // Models of one name in several places go on together.
        found[model.name] = found[model.name].map { "\($0), \(name)" } ?? name
      }
    }
    current = found
    name = found.count == 1 ? found.values.first ?? version : Self.currentVersions
  }

  /// The target of the batch of a ledger.
  package init(of batch: BatchDescription) throws {
    name = batch.version
    current = try batch.options[Self.optionName].map { try LedgerJSON.value($0) } ?? [:]
  }

  /// The version that workers receive.
  package var version: String {
    name == Self.currentVersions ? VersionName.current.text : name
  }

  /// The name, with that of each version where there are several.
  package var fullName: String {
    name == Self.currentVersions
      ? "\(name) (\(current.values.sorted().joined(separator: ", ")))" : name
  }

  /// The versions that were current, as options of the ledger.
  package var options: [String: String] {
    get throws { current.isEmpty ? [:] : [Self.optionName: try LedgerJSON.text(current)] }
  }

  /// Returns whether a batch to the other goes on with one to this.
  package func isSame(as other: BatchTarget) -> Bool {
    name == other.name && (name != Self.currentVersions || current == other.current)
  }

  /// Returns the models whose current versions differ from the other's, with both names; nil where there is
  /// none.
  package func differences(from other: BatchTarget) -> [(
    model: String, here: String?, there: String?
  )] {
    Set(current.keys).union(other.current.keys).sorted(by: <).compactMap { model in
      let (here, there) = (current[model], other.current[model])
      return here == there ? nil : (model, here, there)
    }
  }
}
