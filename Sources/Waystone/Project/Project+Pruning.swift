public import Foundation
internal import ObjectModel

extension Project {
  /// Returns the versions and mappings that can go, or the losses of stores without some versions; deletes
  /// nothing.
  ///
  /// Stores are of the versions that were shipped, and of those of the stores given.
  ///
  /// - Parameters:
  ///   - dropped: The versions to leave out; none to list those that can go.
  ///   - stores: Stores that must keep their path.
  /// - Throws: ``WaystoneError`` where a store, a version, the lock or a mapping cannot be read.
  /// - Complexity: A search over all paths for each version.
  public func prune(
    without dropped: [VersionName] = [],
    stores: [URL] = []
  ) throws(WaystoneError) -> PruneReport {
    try WaystoneError.converting {
      try pruning(without: dropped.map(\.text), stores: stores.map { try $0.filePath })
    }
  }

  /// Returns the same report, for names and paths as the user writes them.
  package func pruning(without dropped: [String], stores: [String]) throws -> PruneReport {
    try requireReadableVersions()
    let audit = try LockAudit(self)
    let inspected = try stores.map {
      (path: $0, versions: try inspection(of: $0).identification.versions)
    }
    let used = Set((audit.shipped + inspected.flatMap(\.versions)).map(\.qualifiedName))
    let versions = try dropped.map { try names.version($0) }
    let models = try archive.models.compactMap { model -> PruneReport.Model? in
      guard let pruning = try Pruning(model, authored: authored, used: used) else { return nil }
      let pruner = Pruner(pruning: pruning, names: names, stores: inspected)
      return dropped.isEmpty
        ? try pruner.survey() : try pruner.trial(versions.filter { $0.modelName == model.name })
    }
    return PruneReport(
      models: models,
      isTrial: !dropped.isEmpty,
      unknownStores: inspected.filter(\.versions.isEmpty).map(\.path)
    )
  }
}

extension Project {
  /// Refuses to answer for all versions where one cannot be read.
  ///
  /// - Throws: ``WaystoneError``, `badFile`, with the findings.
  func requireReadableVersions() throws(WaystoneError) {
    let findings = archive.findings.filter { $0.code == .unreadableVersion }
    guard let first = findings.first else { return }
    let more = findings.count > 1 ? " \(findings.count - 1) more cannot be read." : ""
    var error = WaystoneError(
      .badFile,
      (first.place.file.map { "\($0): " } ?? "") + first.message + more,
      recovery: first.remedy
    )
    error.findings = findings
    throw error
  }
}

/// A writer of the results of pruning a model.
private struct Pruner {
  let pruning: Pruning
  let names: VersionNames
  let stores: [(path: String, versions: [ModelVersion])]

  /// Returns the report on versions and mappings that can go.
  func survey() throws -> PruneReport.Model {
    var report = PruneReport.Model(name: pruning.model.name, count: pruning.model.versions.count)
    var gone: Set<String> = []
    for version in pruning.model.versions where !pruning.isAhead(version) {
      let twin = pruning.twin(of: version)
      guard twin != nil || !pruning.isUsed(version) else { continue }
      let name = names.name(of: version)
      let effects = try pruning.effects(without: gone.union([version.name]))
      if effects.isEmpty {
        gone.insert(version.name)
        report.removable.append(
          .init(
            version: name,
            reason: twin.map { "has the same hashes as \(names.name(of: $0))" }
              ?? "users have no store of it, and every path does the same without it"
          )
        )
      } else {
        report.needed.append(.init(version: name, losses: effects.map(loss)))
      }
    }
    report.idleMappings = try pruning.idleFiles()
    return report
  }

  /// Returns the effects of leaving out some versions.
  func trial(_ dropped: [ModelVersion]) throws -> PruneReport.Model {
    var report = PruneReport.Model(name: pruning.model.name, count: pruning.model.versions.count)
    let gone = Set(dropped.map(\.name))
    report.dropped = dropped.map { names.name(of: $0) }
    for version in dropped where version.isCurrent || pruning.wouldBeUnknown(version, without: gone)
    {
      let name = names.name(of: version)
      if version.isCurrent {
        report.losses.append(
          .init(version: name, stores: paths(of: version), text: "it is the current version")
        )
      } else if pruning.isUsed(version) {
        report.losses.append(
          .init(
            version: name,
            stores: paths(of: version),
            text: "its stores would fit no version any more"
          )
        )
      }
    }
    guard !dropped.contains(where: \.isCurrent), !dropped.isEmpty else { return report }
    report.losses += try pruning.effects(without: gone).map(loss)
    return report
  }

  private func loss(_ effect: Pruning.Effect) -> PruneReport.Loss {
    let differences = effect.differences.prefix(3).map { difference in
      difference.kind == .unknown
        ? "\(difference.entityName.isEmpty ? "the store" : difference.place) would go another way"
        : "\(difference.place) would get \(difference.other ?? "nothing") instead of "
          + "\(difference.reference ?? "nothing")"
    }
    let more = effect.differences.count - differences.count
    return PruneReport.Loss(
      version: names.name(of: effect.version),
      stores: paths(of: effect.version),
      text: effect.isStranded
        ? "no path would be left"
        : differences.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    )
  }

  /// Returns the paths of the given stores that are of a version, or of one with the same hashes.
  private func paths(of version: ModelVersion) -> [String] {
    stores.filter { store in
      store.versions.contains {
        $0.modelName == version.modelName
          && $0.model.entityVersionHashes == version.model.entityVersionHashes
      }
    }.map(\.path)
  }
}
