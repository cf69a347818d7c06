internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import Waystone

/// `waystone prune`.
struct PruneCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Say which versions and mappings can go, and who would miss them; deletes nothing.",
    discussion: """
      A version can go if no store is of it and every path from a version that stores are of does \
      the same without it: stores are of those that `shipped:` in waystone.yml names, else of those \
      that are locked, else of all, and of the stores given. Of versions that hash alike the last \
      stands for all. The versions listed can go together. A mapping can go if no such path takes it.

        waystone prune
        waystone prune --drop v3 v4       what would happen; exit status 1 if a store would lose
        waystone prune Old.sqlite         where this store must keep its path
      """
  )

  @Argument(help: "Stores that must keep their path.")
  var stores: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Versions that would be removed.", valueName: "version")
  )
  var drop: [String] = []

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let loaded = try session.archive(mappings: mappings)
    let audit = try LockAudit(loaded, given: lock.path, console: session.console)
    let inspected = try stores.map { path in
      (
        path: path,
        versions: try StoreInspection(
          of: path,
          versions: loaded.archive.versions,
          countsRows: false,
          console: session.console
        ).identification.versions
      )
    }
    let used = Set((audit.shipped + inspected.flatMap(\.versions)).map(\.qualifiedName))
    let dropped = try drop.map { try loaded.names.version($0) }
    var models: [PruneReport.Model] = []
    for model in loaded.archive.models {
      guard
        let pruning = try Pruning(model, authored: loaded.authored, used: used)
      else { continue }
      let pruner = Pruner(pruning: pruning, names: loaded.names, stores: inspected)
      models.append(
        drop.isEmpty
          ? try pruner.survey()
          : try pruner.trial(dropped.filter { $0.modelName == model.name })
      )
    }
    let report = PruneReport(
      models: models,
      isTrial: !drop.isEmpty,
      unknownStores: inspected.filter(\.versions.isEmpty).map(\.path)
    )
    try session.print(report, as: format.format)
    return report.isHarmless ? .success : .answerIsNo
  }
}

/// Puts the results of pruning a model into words.
private struct Pruner {
  let pruning: Pruning
  let names: VersionNames
  let stores: [(path: String, versions: [ModelVersion])]

  /// The versions and mappings that can go.
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
            reason: twin.map { "hashes like \(names.name(of: $0)), which stands for it" }
              ?? "no store is of it, and every path does the same without it"
          )
        )
      } else {
        report.needed.append(.init(version: name, losses: effects.map(loss)))
      }
    }
    report.idleMappings = try pruning.idleFiles()
    return report
  }

  /// What would happen without some versions.
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
      difference.kind == .undecided
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

  /// The stores given that are of a version, or of one that hashes alike.
  private func paths(of version: ModelVersion) -> [String] {
    stores.filter { store in
      store.versions.contains {
        $0.modelName == version.modelName
          && $0.model.entityVersionHashes == version.model.entityVersionHashes
      }
    }.map(\.path)
  }
}
