internal import ObjectModel

/// A comparison of the app's containers with the versions that its sources declare.
struct ContainerAudit {
  private let module: SourceModule
  private let model: SourceModel
  private let calls: [ContainerCall]

  /// - Parameter foreign: The places of calls that are of other models.
  init(_ model: SourceModel, without foreign: Set<SourcePlace> = [], in module: SourceModule) {
    self.module = module
    self.model = model
    calls = module.files.flatMap(\.containers).filter {
      $0.callee != "Schema" && $0.isTemporary == false && !foreign.contains($0.place)
    }
  }

  /// The first container, where all are given classes alone and none a migration plan.
  var callWithoutPlan: SourcePlace? {
    calls.allSatisfy { $0.plan == nil } ? calls.first?.place : nil
  }

  /// The finding that no container uses the latest versioned schema; empty where one does, or may.
  var findings: [Finding] {
    guard let current = model.current, !current.path.isEmpty, !current.isIncomplete,
      let call = calls.first
    else { return [] }
    let lists = calls.map {
      ModelList($0.models, in: [], file: $0.place.file, of: module)
    }
    guard lists.allSatisfy(\.doubts.isEmpty) else { return [] }
    let given = lists.map { SchemaBuilder.closure(of: $0.models, in: module) }
    let latest = current.modelPaths
    if given.contains(latest) { return [] }
    let older = model.schemas.last { given.contains($0.modelPaths) }
    // The stores of a schema of the same hashes are of the latest one, too.
    if let checksum = older?.knownChecksum, checksum == current.knownChecksum { return [] }
    let what =
      older?.name.map { "the models of \($0)" } ?? "models that no schema has as a whole"
    return [
      Finding(
        .containerDiffersFromHistory,
        .error,
        at: call.place.finding(),
        message: "The \(call.callee) here is given \(what), but the latest schema is "
          + "\(current.name ?? ""). The app may not migrate its stores to \(current.name ?? "").",
        remedy: "Give it `Schema(versionedSchema: \(current.name ?? "").self)`, or remove "
          + "\(current.name ?? "") until the app has it."
      )
    ]
  }
}

extension SourceSchema {
  /// The paths of its models.
  fileprivate var modelPaths: Set<[String]> {
    Set(types.values.filter(\.isModel).map(\.path))
  }
}
