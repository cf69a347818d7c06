package import MigrationPlanning
package import ObjectModel
package import StoreMigration

/// The policies and handlers that a mapping names and the program does not have.
///
/// The app itself has the names of a mapping model and of a staged migration; a hop file is read by
/// Waystone alone.
package enum UnresolvedNames {
  /// Returns a finding for each name in the authored hops that the program lacks.
  ///
  /// - Parameter name: Returns the name of a version for a message.
  package static func findings(
    of plan: MigrationPlan,
    registry: MigrationRegistry,
    name: (ModelVersion) -> String
  ) -> [Finding] {
    plan.hops.filter { $0.kind == .authored }.flatMap { hop in
      findings(
        in: hop.mapping,
        of: hop.origins.first?.path,
        isApps: !hop.origins.contains { $0.form == .hopFile },
        to: name(hop.destination.version),
        registry: registry
      )
    }
  }

  /// Returns a finding for each name: a note where the app has the policy or handler itself.
  ///
  /// - Parameter isApps: Whether the app itself carries out the mapping.
  package static func findings(
    in mapping: MappingModel,
    of file: String?,
    isApps: Bool,
    to version: String?,
    registry: MigrationRegistry
  ) -> [Finding] {
    let place = Finding.Place(file: file, version: version)
    var seen: Set<String> = []
    let handlers = (mapping.actionsBefore + mapping.actionsAfter).compactMap { action -> String? in
      if case .handler(let name) = action, seen.insert(name).inserted { name } else { nil }
    }
    let missing =
      mapping.policyNames.filter { registry.policy(named: $0) == nil }.map(MissingCode.policy)
      + handlers.filter { registry.handler(named: $0) == nil }.map(MissingCode.handler)
    return missing.map { code in
      Finding(
        .unresolvedPolicy,
        isApps ? .note : .warning,
        at: place,
        message: "The mapping \(code.need)." + (isApps ? " The app is not affected." : ""),
        remedy: code.remedy
      )
    }
  }
}
