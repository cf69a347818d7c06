package import MigrationPlanning
package import ObjectModel

extension InspectionReport {
  /// Adds the identification of a store's version by its hashes.
  ///
  /// - Parameters:
  ///   - isRecovered: Whether the store carries the model of a version that is in no archive.
  ///   - name: The name by which a version is called.
  package mutating func take(
    _ identification: VersionIdentification,
    isRecovered: Bool = false,
    name: (ModelVersion) -> String
  ) {
    let found = identification.versions
    switch identification.match {
    case .exact: match = .exact
    case .equalVersions: match = .equal
    case .merged: match = .exact
    case .configuration: match = found.count == 1 ? .exact : .equal
    case .nearest: match = isRecovered ? .recovered : .nearest
    case .none: match = isRecovered ? .recovered : .none
    }
    switch identification.match {
    case .merged: scope = .merged
    case .configuration(let name): scope = .configuration(name)
    default: scope = .whole
    }
    // The last of the versions with the same hashes represents all.
    versions = scope == .merged ? found.map(name) : found.reversed().map(name)
    nearest = identification.nearest.map { candidate in
      Nearby(
        version: name(candidate.version),
        differences: candidate.differences.map(Self.sentence)
      )
    }
  }

  private static func sentence(_ difference: VersionIdentification.Difference) -> String {
    let name = difference.entityName
    switch difference.kind {
    case .onlyInStore: return "\(name) is only in the store."
    case .onlyInVersion: return "\(name) is not in the store."
    case .differs where difference.propertyNames.isEmpty: return "\(name) has another hash."
    case .differs:
      return "\(name) differs in \(difference.propertyNames.joined(separator: ", "))."
    }
  }
}
