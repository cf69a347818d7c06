internal import ObjectModel

/// A comparison of the app's containers with the versions that its sources declare.
struct ContainerAudit {
  private let model: SourceModel
  private let containers: [AppContainers.Container]

  /// - Parameter containers: The containers that may be of the model.
  init(_ model: SourceModel, of containers: [AppContainers.Container]) {
    self.model = model
    self.containers = containers.filter { $0.call.isTemporary == false }
  }

  /// The first container, where all are given classes alone and none a migration plan.
  var callWithoutPlan: SourcePlace? {
    containers.allSatisfy { $0.call.plan == nil } ? containers.first?.call.place : nil
  }

  /// The finding that no container uses the latest versioned schema; empty where one does, or may.
  var findings: [Finding] {
    guard let current = model.current, !current.path.isEmpty, !current.isIncomplete,
      let call = containers.first?.call
    else { return [] }
    guard containers.allSatisfy(\.list.doubts.isEmpty) else { return [] }
    let given = containers.map(\.paths)
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
