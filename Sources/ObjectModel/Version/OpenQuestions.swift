/// The answers of a project to questions that the versions of a model leave open.
package struct OpenQuestions: Hashable, Sendable {
  /// The finding that the order of the versions, or which is current, is in doubt; nil where it is not.
  ///
  /// An error leaves the order unknown: nothing that follows from it can be checked, locked or advised.
  package var orderDoubt: Finding?
  /// Whether the app opens stores by configuration.
  package var configurationUse = ConfigurationUse.unknown

  /// Questions without an answer.
  package init() {}
}

/// An answer to whether an app opens stores by configuration, so that each holds the entities of one
/// configuration alone.
package enum ConfigurationUse: String, Hashable, Sendable, CaseIterable {
  /// The app opens each store with all entities.
  case none
  /// The app opens stores by configuration.
  case used
  /// The answer is in no file of the project.
  case unknown

  /// Returns findings without what the use rules out: an entity that leaves a configuration loses rows only
  /// where a store is opened by that configuration.
  package func settled(_ findings: [Finding]) -> [Finding] {
    guard self != .unknown, findings.contains(where: { $0.code == .configurationChanged }) else {
      return findings
    }
    return findings.compactMap { finding in
      guard finding.code == .configurationChanged else { return finding }
      guard self == .used else { return nil }
      var finding = finding
      finding.severity = .warning
      return finding
    }
  }
}

extension VersionedModel {
  /// The finding that the order of the versions, or which is current, is in doubt; nil where it is not.
  package var orderDoubt: Finding? { questions.orderDoubt }

  /// Whether the order of the versions is unknown, so that nothing follows from it.
  package var hasUnknownOrder: Bool { orderDoubt?.severity == .error }

  /// Whether an entity leaves a configuration in a version that has configurations.
  package var changesConfigurations: Bool {
    zip(versions, versions.dropFirst()).contains { old, new in
      let (former, latter) = (old.model.configurations, new.model.configurations)
      return !latter.isEmpty && former != latter
        && former.contains { name, entities in
          let kept = Set(latter[name] ?? [])
          return entities.contains { !kept.contains($0) && new.model[$0] != nil }
        }
    }
  }
}
