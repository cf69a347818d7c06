internal import MigrationPlanning
internal import ObjectModel
internal import SwiftDataImport

extension Project {
  /// The mechanism by which the app opens stores of older versions, as `waystone.yml` states it, else
  /// as its sources show.
  ///
  /// Sources show it where they declare all models: by a migration plan, unless all containers that Waystone
  /// finds are made without one.
  package var runtime: AppRuntime {
    if let runtime = configuration?.runtime { return runtime }
    guard let sources, archive.models.allSatisfy({ $0.isOfSwift }) else {
      return .direct
    }
    return sources.usesPlan ? .swiftDataPlan : .swiftData
  }

  /// Returns the mechanism by which the app opens older stores of a model, where the project's is known.
  ///
  /// Where the sources declare several models, one without a plan is not opened by the stages of another's.
  func runtime(of model: String, _ runtime: AppRuntime) -> AppRuntime {
    guard runtime == .swiftDataPlan, let sources, sources.usesPlan,
      let declared = sources.declared(model, in: archive)
    else { return runtime }
    return declared.usesPlan ? runtime : .swiftData
  }

  /// Returns the app's own migrations of a model.
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - graph: Its versions, with all edges.
  ///   - bundled: The edges of the mapping models that the app's bundle has.
  /// - Throws: ``WaystoneError`` where stages cannot be read.
  func appMigration(
    of name: String,
    _ graph: VersionGraph,
    bundled: [AuthoredEdge]?,
    _ runtime: AppRuntime
  ) throws(WaystoneError) -> AppMigration {
    let runtime = self.runtime(of: name, runtime)
    let own = sources?.declared(name, in: archive)?.name
    return AppMigration(
      graph: finished(graph),
      bundled: bundled,
      runtime: runtime,
      stages: try stages(of: name, runtime).map { ($0.manager, $0.origin) },
      equalSchemas: archive.stages.first { $0.modelName == name }?.equalSchemas ?? [],
      unclearSchemas: Set(
        (sources?.versions ?? []).filter {
          $0.schema.contradictsItself && $0.modelName == own ?? $0.modelName
        }.map(\.name)
      )
    )
  }

  /// Returns the finding that `waystone.yml` names a plan, and the sources declare none, or give the
  /// container none.
  func planFindings(_ runtime: AppRuntime) -> [Finding] {
    guard runtime == .swiftDataPlan, let sources, let working = sources.working else { return [] }
    let plans = working.models.compactMap(\.plan)
    guard !plans.isEmpty else { return [Self.planMissing] }
    return plans.compactMap { plan in
      plan.unusedBy.map { Self.planUnused(plan.name, sources.path(of: $0)) }
    }
  }

  private static let planMissing = Finding(
    .stagesMissing,
    .error,
    at: Finding.Place(file: Configuration.fileName),
    message: "The runtime is swiftdata-plan, and the sources declare no SchemaMigrationPlan, or "
      + "several: what the app does with older stores is unknown.",
    remedy: "If the app's container is given no plan, write `runtime: swiftdata`."
  )

  private static func planUnused(_ plan: String, _ place: String) -> Finding {
    Finding(
      .stagesMissing,
      .error,
      at: Finding.Place(file: Configuration.fileName),
      message:
        "The runtime is swiftdata-plan, but no container that Waystone finds is given \(plan); the first "
        + "is at \(place). The app migrates without its stages.",
      remedy: "Give it `migrationPlan: \(plan).self`, or write `runtime: swiftdata`."
    )
  }
}

extension SourceModel {
  /// Whether it has a plan, unless all containers that Waystone finds are made without one.
  fileprivate var usesPlan: Bool { plan != nil && plan?.unusedBy == nil }
}

extension SourceVersions {
  /// Whether one of the models has a plan that a container may be given.
  package var usesPlan: Bool { working?.models.contains(where: \.usesPlan) == true }
}
